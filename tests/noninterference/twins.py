"""Two players of the same name in houses of their own, and all that the product shows each of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from coaching.room.mydata import _files
from negotiation.table.errors import MoveRefused

OWN = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r'(csrfmiddlewaretoken" value|csrf-token" content|nonce)="[^"]*"'), "<token>"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)"), "<time>"),
    (re.compile(r"datetime\.datetime\([^)]*\)"), "<time>"),
    (re.compile(r"team=\d+"), "<team>"),
    (re.compile(r"twin\d@example\.com"), "<address>"),
    (re.compile(r"Northwind \d"), "<team>"),
)
"""What two rows of the same kind never share, whatever they hide."""


def plain(text: str) -> str:
    for pattern, stand_in in OWN:
        text = pattern.sub(stand_in, text)
    return text


@dataclass
class Twin:
    """One of two players of the same name, each in a house of their own."""

    user: User
    client: Client

    def pages(self, *paths: str) -> list[str]:
        """All pages with what they answered."""
        answers = [self.client.get(path) for path in paths]
        return [
            plain(f"{path} {answer.status_code} {answer.content.decode()}")
            for path, answer in zip(paths, answers, strict=True)
        ]

    def archive(self) -> str:
        """Their own data, to take along."""
        return plain(repr([(name[:16], content) for name, content in _files(self.user)]))


def refusal(what: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises((MoveRefused, ValueError)) as refused:
        what()
    return type(refused.value).__name__, str(refused.value)


def difference(one: Any, two: Any) -> str:
    """Where two things that were shown differ; empty where they don't."""
    if one == two:
        return ""
    if isinstance(one, list) and len(one) == len(two):
        return next(found for found in map(difference, one, two) if found)
    first, second = str(one), str(two)
    at = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    return f"{first[max(0, at - 80) : at + 80]!r} against {second[max(0, at - 80) : at + 80]!r}"
