"""The storage of what is harvested and trained, as Django names storages: files here, files elsewhere, or an S3."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from parlay_web.env import Environment

FILES, OBJECTS = "trainer.flywheel.storage.files.WholeFiles", "trainer.flywheel.storage.objects.ObjectStore"


def storage_of(given: Environment) -> dict[str, Any]:
    """The entry ``artefacts`` of STORAGES."""
    found = urlsplit(given.artefacts)
    if found.scheme == "s3":
        if find_spec("storages") is None or find_spec("boto3") is None:
            message = (
                "PARLAY_ARTEFACTS names an S3: install requirements/s3.txt, or keep artefacts in a folder"
            )
            raise ImproperlyConfigured(message)
        options = {
            "bucket_name": found.netloc,
            "location": found.path.strip("/"),
            "endpoint_url": given.artefacts_endpoint or None,
            "access_key": given.aws_access_key_id or None,
            "secret_key": given.aws_secret_access_key or None,
            "region_name": given.aws_region or None,
        }
        return {"BACKEND": OBJECTS, "OPTIONS": options}
    return {"BACKEND": FILES, "OPTIONS": {"location": found.path} if found.path else {}}
