"""For the internet. Refuses to start rather than to start unsafely."""

from django.core.exceptions import ImproperlyConfigured

from parlay_web.settings.base import *  # noqa: F403
from parlay_web.settings.base import ENV, STORAGES


def _refuse_unless(condition: bool, message: str) -> None:
    if not condition:
        raise ImproperlyConfigured(message)


_refuse_unless(not ENV.debug, "DEBUG: must be off in production, its error pages show hidden numbers")
_refuse_unless(
    len(ENV.secret_key) >= 50 and len(set(ENV.secret_key)) >= 8,
    "SECRET_KEY: production needs a random one of at least 50 characters",
)
_refuse_unless(
    "insecure" not in ENV.secret_key and "change" not in ENV.secret_key.lower(),
    "SECRET_KEY: this one is an example, make a random one",
)
_refuse_unless(not ENV.demo, "PARLAY_DEMO: demo data has public passwords and is never on in production")
_refuse_unless(
    ENV.first_seed is None, "PARLAY_FIRST_SEED: hidden truth would be known beforehand, draw it at random"
)
_refuse_unless(bool(ENV.allowed_hosts), "ALLOWED_HOSTS: name the hosts that this server answers for")
_refuse_unless("*" not in ENV.allowed_hosts, "ALLOWED_HOSTS: '*' answers for anyone, name the hosts")
_refuse_unless(
    bool(ENV.trusted_proxies) or not ENV.behind_proxy,
    "BEHIND_PROXY: name the proxy in TRUSTED_PROXIES, nobody else is believed",
)

SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_CONTENT_TYPE_NOSNIFF = True
if ENV.behind_proxy:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
