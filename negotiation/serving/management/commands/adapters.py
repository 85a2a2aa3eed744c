"""``manage.py adapters``: bring an adapter to the model server, take it off, see what is there."""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from negotiation.management.bad_input import one_line_errors
from negotiation.serving import services
from negotiation.serving.forms import AdapterForm
from negotiation.serving.models import Adapter
from negotiation.serving.services import AdapterBusy
from negotiation.table.threads import close_threads


class Command(BaseCommand):
    help = "Adapters of the model server: list, load, unload, restore."

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument("action", choices=["list", "load", "unload", "restore"])
        parser.add_argument("folder", nargs="?", help="for load: where the adapter's files lie")
        parser.add_argument("--name", help="how the server knows it")
        parser.add_argument("--title", default="", help="how players know it")
        parser.add_argument("--offer", action="store_true", help="players may choose it")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] != "list" and not settings.MODEL_URL:
            raise CommandError("MODEL_URL: names no model server", returncode=2)
        if options["action"] in ("load", "unload") and not options["name"]:
            raise CommandError("--name: say how the server knows the adapter", returncode=2)
        try:
            told = getattr(self, f"_{options['action']}")(options)
        except AdapterBusy as busy:
            raise CommandError(str(busy)) from None
        self.stdout.write(json.dumps(told) if options["json"] else "\n".join(self._lines(told)))

    def _list(self, options: dict[str, Any]) -> dict[str, Any]:
        rows = Adapter.objects.values("name", "title", "status", "path", "base", "rank", "sha256", "reason")
        return {"adapters": list(rows)}

    def _load(self, options: dict[str, Any]) -> dict[str, Any]:
        if not options["folder"]:
            raise CommandError("load needs the adapter's folder", returncode=2)
        form = AdapterForm(
            {
                "name": options["name"],
                "title": options["title"] or options["name"],
                "path": str(Path(options["folder"]).absolute()),
            }
        )
        for field, wrong in form.errors.items():
            raise CommandError(f"--{field}: {' '.join(map(str, wrong))}", returncode=2)
        chosen = form.cleaned_data
        adapter = services.adapter_register(name=chosen["name"], title=chosen["title"], path=chosen["path"])
        loading = services.adapter_load(adapter_id=adapter.pk, offer=options["offer"] or None)
        loaded: Adapter = asyncio.run(_and_close(loading))
        if not loaded.is_loaded:
            raise CommandError(f"{loaded.name}: {loaded.reason}")
        return {"name": loaded.name, "status": loaded.status, "warm_up_ms": loaded.warm_up_ms}

    def _unload(self, options: dict[str, Any]) -> dict[str, Any]:
        adapter = Adapter.objects.filter(name=options["name"]).first()
        if adapter is None:
            raise CommandError(f"--name: there is no adapter {options['name']}", returncode=2)
        asyncio.run(_and_close(services.adapter_unload(adapter_id=adapter.pk)))
        return {"name": adapter.name, "status": Adapter.Status.RETIRED}

    def _restore(self, options: dict[str, Any]) -> dict[str, Any]:
        return {"restored": asyncio.run(_and_close(services.adapters_restore()))}

    def _lines(self, told: dict[str, Any]) -> list[str]:
        rows = told.get("adapters", [told])
        return ["  ".join(f"{key}={value}" for key, value in row.items() if value != "") for row in rows]


async def _and_close(work: Coroutine[Any, Any, Any]) -> Any:
    try:
        return await work
    finally:
        close_threads()
