"""A real S3 storage on this machine: SeaweedFS, from a wheel, with one bucket and one pair of keys."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from parlay_web.ports import free_port
from parlay_web.processes import die_with_parent

BUCKET, KEY, SECRET = "artefacts", "key-of-tests", "secret-of-tests"
WEED = Path(sys.executable).parent / "weed"


@contextmanager
def object_storage(folder: Path) -> Iterator[dict[str, str]]:
    """The storage, and the settings with which a process of the house uses it; skipped where there is none to run."""
    boto3 = pytest.importorskip("boto3", reason="requirements/s3.txt is not installed")
    if not WEED.exists():
        pytest.skip("requirements/servers.txt is not installed, or brings no storage for this machine")
    folder.mkdir(parents=True)
    rights = {"credentials": [{"accessKey": KEY, "secretKey": SECRET}], "actions": ["Admin"], "name": "house"}
    (folder / "s3.json").write_text(json.dumps({"identities": [rights]}))
    parts = ("master", "volume", "filer", "s3")
    ports = {f"-{part}.port{way}": free_port() for part in parts for way in ("", ".grpc")}
    command = [str(WEED), "server", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3"]
    command += [f"-s3.config={folder / 's3.json'}", "-s3.port.iceberg=0", "-master.volumeSizeLimitMB=64"]
    with (folder / "weed.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, *(f"{flag}={port}" for flag, port in ports.items())],
            stdout=log, stderr=log, cwd=folder, preexec_fn=die_with_parent,
        )  # fmt: skip
    endpoint = f"http://127.0.0.1:{ports['-s3.port']}"
    how = {"endpoint_url": endpoint, "aws_access_key_id": KEY, "aws_secret_access_key": SECRET}
    try:
        client = boto3.client("s3", region_name="us-east-1", **how)
        deadline = time.monotonic() + 90
        while problem := _not_ready(client):
            assert time.monotonic() < deadline, f"{problem}\n{(folder / 'weed.log').read_text()[-2000:]}"
            time.sleep(0.3)
        yield {
            "PARLAY_ARTEFACTS": f"s3://{BUCKET}/parlay",
            "PARLAY_ARTEFACTS_ENDPOINT": endpoint,
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
        }
    finally:
        process.kill()
        process.wait()


def _not_ready(client: Any) -> Exception | None:
    """Why it takes no object yet: its parts come up one after another."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        client.create_bucket(Bucket=BUCKET)
        client.put_object(Bucket=BUCKET, Key="first", Body=b"")
    except (BotoCoreError, ClientError) as problem:
        return problem
    return None
