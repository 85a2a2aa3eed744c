"""Where every connection comes in: pages over HTTP, tables over WebSocket."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "parlay_web.settings.dev")
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import WebsocketDenier  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.urls import re_path  # noqa: E402

from coaching.routing import sockets as coaching_sockets  # noqa: E402
from negotiation import seating  # noqa: E402
from negotiation.diplomacy.routing import sockets as board_sockets  # noqa: E402
from negotiation.origin import SameOrigin  # noqa: E402
from negotiation.routing import sockets as negotiation_sockets  # noqa: E402
from trainer.routing import sockets as trainer_sockets  # noqa: E402

seating.get_ready()
ours = (*negotiation_sockets, *board_sockets, *coaching_sockets, *trainer_sockets)
routes = [*ours, re_path(r"^", WebsocketDenier.as_asgi())]
application = ProtocolTypeRouter(
    {"http": pages, "websocket": SameOrigin(CookieMiddleware(URLRouter(routes)))}
)
