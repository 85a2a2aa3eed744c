"""For one machine: what ``bin/play`` and ``manage.py`` use. DEBUG stays off unless the environment asks:
Django's error pages print local variables, and those hold the opponent's hidden numbers."""

from parlay_web.keys import local_secret_key
from parlay_web.settings.base import *  # noqa: F403
from parlay_web.settings.base import ENV

SECRET_KEY = ENV.secret_key or local_secret_key(ENV.var)
ALLOWED_HOSTS = list(ENV.allowed_hosts) or ["localhost", "127.0.0.1", "[::1]"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = ENV.debug
