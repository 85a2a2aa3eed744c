# syntax=docker/dockerfile:1
# The page's scripts.
FROM node:24-bookworm-slim AS assets
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY static ./static
RUN npm run build

# Everything Python, in a folder of its own.
FROM python:3.12-slim-bookworm AS packages
COPY requirements.txt .
RUN python -m venv /opt/parlay && /opt/parlay/bin/pip install --no-cache-dir -r requirements.txt

# What the server for agents needs beside it: all of the learning stack that is not torch, which it never loads.
FROM python:3.12-slim-bookworm AS agents-packages
COPY requirements/train.txt .
RUN grep -v '^torch==' train.txt > agents.txt \
    && python -m venv /opt/parlay && /opt/parlay/bin/pip install --no-cache-dir --no-deps -r agents.txt

FROM python:3.12-slim-bookworm AS agents
RUN useradd --system --uid 10001 --create-home parlay
COPY --from=agents-packages /opt/parlay /opt/parlay
WORKDIR /app
COPY parlay_web ./parlay_web
COPY accounts ./accounts
COPY negotiation ./negotiation
ENV PATH=/opt/parlay/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1
USER parlay
EXPOSE 8010
CMD ["python", "-m", "negotiation.openenv", "--host", "0.0.0.0", "--port", "8010"]

# What trains: the same, with torch, as the package index that pip is given offers it (CUDA's or a CPU build).
FROM agents-packages AS training-packages
RUN /opt/parlay/bin/pip install --no-cache-dir "$(grep '^torch==' train.txt)"

FROM python:3.12-slim-bookworm AS training
RUN useradd --system --uid 10001 --create-home parlay && install -d -o parlay /data /data/flywheel /adapters
COPY --from=training-packages /opt/parlay /opt/parlay
WORKDIR /app
COPY manage.py ./
COPY parlay_web ./parlay_web
COPY accounts ./accounts
COPY negotiation ./negotiation
COPY coaching ./coaching
COPY trainer ./trainer
ENV PATH=/opt/parlay/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PARLAY_VAR=/data \
    DJANGO_SETTINGS_MODULE=parlay_web.settings.production
USER parlay
CMD ["celery", "-q", "-A", "parlay_web.celery", "worker", "-Q", "training", "--concurrency=1", "-l", "WARNING"]

# What runs: nobody's account, a read-only tree, data under /data.
FROM python:3.12-slim-bookworm
RUN useradd --system --uid 10001 --create-home parlay && install -d -o parlay /data /data/flywheel /adapters
COPY --from=packages /opt/parlay /opt/parlay
WORKDIR /app
COPY manage.py ./
COPY parlay_web ./parlay_web
COPY accounts ./accounts
COPY negotiation ./negotiation
COPY coaching ./coaching
COPY trainer ./trainer
COPY templates ./templates
COPY static ./static
COPY --from=assets /src/static/dist ./static/dist
ENV PATH=/opt/parlay/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PARLAY_VAR=/data \
    DJANGO_SETTINGS_MODULE=parlay_web.settings.production
USER parlay
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
# Behind a proxy that ends TLS: it sets X-Forwarded-Proto and X-Forwarded-For (BEHIND_PROXY=1).
CMD ["sh", "-c", "python manage.py collectstatic --no-input -v0 && exec daphne -v 0 --no-server-name --proxy-headers -b 0.0.0.0 -p 8000 parlay_web.asgi:application"]
