"""A long answer that is made while it is sent, whoever serves it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import islice

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse

AT_ONCE = 200
"""Parts that are made in one go: a visit to the database's thread for each line would cost more than the line."""


class RowByRow(StreamingHttpResponse):
    """Like Django's own, which an asynchronous server has make everything before it sends the first part."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts: Iterator[bytes] = iter(self.streaming_content)  # type: ignore[arg-type]  # ours are made by generators

        def some() -> bytes:
            return b"".join(islice(parts, AT_ONCE))

        while batch := await sync_to_async(some)():
            yield batch
