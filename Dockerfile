# syntax=docker/dockerfile:1
# The page's scripts.
FROM node:24.21.0-trixie-slim AS assets
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY static ./static
RUN npm run build

FROM python:3.13.18-slim-trixie AS python
ENV PATH=/opt/parlay/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1

# Everything Python, in a folder of its own.
FROM python AS packages
COPY requirements.txt requirements/ear.txt requirements/tracing.txt requirements/s3.txt ./
RUN python -m venv /opt/parlay && /opt/parlay/bin/pip install --no-cache-dir -r requirements.txt -r tracing.txt -r s3.txt \
    && /opt/parlay/bin/pip install --no-cache-dir --no-deps -r ear.txt

# What the server for agents needs beside it: all of the learning stack that is not torch, which it never loads. A pin
# goes on over lines that begin with a blank, where its hashes stand.
FROM python AS agents-packages
COPY requirements/train.txt .
RUN awk '/^[^ #]/ {torch = /^torch==/} !torch' train.txt > agents.txt \
    && python -m venv /opt/parlay && /opt/parlay/bin/pip install --no-cache-dir --no-deps -r agents.txt

FROM python AS agents
RUN useradd --system --uid 10001 --create-home parlay
COPY --from=agents-packages /opt/parlay /opt/parlay
WORKDIR /app
COPY pyproject.toml ./
COPY parlay_web ./parlay_web
COPY accounts ./accounts
COPY negotiation ./negotiation
USER parlay
EXPOSE 8010
CMD ["python", "-m", "negotiation.openenv", "--host", "0.0.0.0", "--port", "8010"]

# What trains: the same, with torch, as the package index that pip is given offers it (CUDA's or a CPU build).
FROM agents-packages AS training-packages
COPY requirements/s3.txt .
RUN /opt/parlay/bin/pip install --no-cache-dir --no-deps -r s3.txt
RUN /opt/parlay/bin/pip install --no-cache-dir "$(grep -o '^torch==[^ ;\\]*' train.txt)"

FROM python AS training
RUN useradd --system --uid 10001 --create-home parlay && install -d -o parlay /data /data/flywheel /adapters
COPY --from=training-packages /opt/parlay /opt/parlay
WORKDIR /app
COPY manage.py pyproject.toml ./
COPY parlay_web ./parlay_web
COPY accounts ./accounts
COPY negotiation ./negotiation
COPY coaching ./coaching
COPY owed ./owed
COPY telemetry ./telemetry
COPY trainer ./trainer
# Libraries keep caches at home, and the rest of the tree can't be written to.
ENV HOME=/data \
    PARLAY_VAR=/data \
    DJANGO_SETTINGS_MODULE=parlay_web.settings.production
USER parlay
CMD ["celery", "-q", "-A", "parlay_web.celery", "worker", "-Q", "training", "--concurrency=1", "-l", "WARNING"]

# What runs: nobody's account, a read-only tree, data under /data, backups under /backup. Debian's PostgreSQL programs
# are of the version of Compose's server, as a backup wants them.
FROM python
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home parlay \
    && install -d -o parlay /data /data/flywheel /adapters /backup
COPY --from=packages /opt/parlay /opt/parlay
WORKDIR /app
COPY manage.py pyproject.toml ./
COPY parlay_web ./parlay_web
COPY accounts ./accounts
COPY negotiation ./negotiation
COPY coaching ./coaching
COPY owed ./owed
COPY telemetry ./telemetry
COPY trainer ./trainer
COPY templates ./templates
COPY static ./static
COPY --from=assets /src/static/dist ./static/dist
ENV PARLAY_VAR=/data \
    DJANGO_SETTINGS_MODULE=parlay_web.settings.production
USER parlay
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-m", "parlay_web.health", "web", "--heartbeat", "/tmp/heartbeat"]
# Behind a proxy that ends TLS: it sets X-Forwarded-Proto and X-Forwarded-For (BEHIND_PROXY=1, TRUSTED_PROXIES).
CMD ["sh", "-c", "python manage.py collectstatic --no-input -v0 && exec daphne -v 0 --no-server-name -b 0.0.0.0 -p 8000 parlay_web.asgi:application"]
