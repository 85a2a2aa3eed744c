"""Asking a model server: anything that speaks the OpenAI protocol, vLLM first of all.

The only file that knows the library for HTTP, which is imported with the first question. One question is one streamed chat
completion; a LoRA adapter is asked for by its name, as a model. What keeps a table from waiting too long is in
``resilience``: a place in a fair queue, a breaker, a budget of retries, and limits on every wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from negotiation.opponents.base import Account
from negotiation.opponents.chunks import BadChunk, chunk_of
from negotiation.opponents.health import Record, ServerHealth
from negotiation.opponents.neutral import NEUTRAL, NEUTRAL_BEYOND, NO_THINKING
from negotiation.opponents.resilience import Breaker, FairGate, QueueFull, RetryBudget
from telemetry import carried

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

QUEUED_PER_PLACE = 8
"""Turns that may wait for each one under way; more could not be reached in time."""
FIRST_TOKEN_SHARE = 0.6
"""The share of a turn's time after which a server that has said nothing is given up."""
MAX_ATTEMPTS = 3
UNREAD = (400, 422)
"""How a server answers a field that it does not know, among other things."""
HUNG_UP = "the model server hung up in mid-sentence"
ODD_ANSWER = "the model server reported an error in place of an answer"


class Unavailable(RuntimeError):
    """The server did not answer in time, or not at all. The message says why, in words for a coach."""


class Enough(Exception):
    """Raised by a listener to stop the model in mid-sentence: it has heard what it needs."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where to ask and how long to wait. Times in seconds.

    ``turn_seconds`` is all that one turn may take, queue and second attempts included; ``concurrency`` how many
    turns this process has under way at once.
    """

    url: str
    api_key: str = ""
    turn_seconds: float = 8.0
    concurrency: int = 16
    connect_seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked. ``model`` is a model's or an adapter's name; ``table`` ranks it in the queue.

    ``schema`` is a JSON schema that the answer must follow. ``seed`` makes a server that honours it repeat itself.
    ``extra`` holds further fields of the request, for a server that knows more than the protocol says.
    """

    model: str
    messages: Sequence[dict[str, str]]
    table: str = ""
    max_tokens: int = 120
    temperature: float = 0.8
    schema: dict[str, Any] | None = None
    seed: int | None = None
    extra: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What came back. ``first_token`` is ``None`` where nothing was said; ``whole`` is false where it was cut short."""

    text: str
    tokens: int
    first_token: float | None
    seconds: float
    whole: bool

    def noted_in(self, account: Account) -> Account:
        """``account`` with this answer's wait and length."""
        first = self.first_token if account.first_token is None else account.first_token
        return replace(account, first_token=first, tokens=account.tokens + self.tokens)


Hear = Callable[[str], None]


def _deaf(piece: str) -> None:
    """Listens to nothing."""


def load_library() -> None:
    """Import the library now, rather than in somebody's first turn."""
    import httpx2  # noqa: F401


class ModelClient:
    """One server as this process sees it. Lives on the event loop that uses it; a new loop starts afresh."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.record = Record()
        self.breaker = Breaker(time.monotonic)
        self.budget = RetryBudget()
        self._knows_more = True
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connections: AsyncClient | None = None
        self._gate = self._new_gate()

    def deadline(self) -> float:
        """When a turn that begins now must be over, on the running loop's clock."""
        return asyncio.get_running_loop().time() + self.server.turn_seconds

    async def ask(self, question: Question, *, until: float, hear: Hear = _deaf) -> Said:
        """Put a question and listen to the answer piece by piece.

        Args:
            until: the deadline on the loop's clock, for queue, attempts and answer together.
            hear: called with each piece of text; may raise :class:`Enough`.

        Raises:
            Unavailable: when there is no whole answer in time. What was heard of it counts for nothing.
        """
        self._settle_on_loop()
        self.record.asked += 1
        if not self.breaker.lets_through():
            raise self._failure("the model server keeps failing and is left alone for a while", counts=False)
        decided = False
        try:
            async with asyncio.timeout_at(until), self._gate.place(question.table):
                said = await self._attempts(question, until, hear)
            decided = True
            self.breaker.succeeded()
            self.budget.succeeded()
            self.record.went_well(said.first_token, said.seconds, said.tokens)
            return said
        except TimeoutError:
            decided = True
            raise self._failure("the model server was too slow") from None
        except QueueFull:
            raise self._failure("too many tables wait for the model server", counts=False) from None
        except _Refused as refused:
            decided = True
            self.breaker.succeeded()
            raise self._failure(str(refused), counts=False) from None
        except Unavailable as gone:
            decided = True
            raise self._failure(str(gone)) from None
        except asyncio.CancelledError:
            self.record.called_off += 1
            raise
        finally:
            if not decided:
                self.breaker.gave_up()

    async def models(self) -> list[dict[str, Any]]:
        """The models and adapters that the server offers, as it describes them.

        Raises:
            Unavailable: when it does not say.
        """
        self._settle_on_loop()
        import httpx2

        try:
            async with asyncio.timeout(self.server.turn_seconds):
                answer = await self._connection().get("models")
            _look(answer)
            return [dict(model) for model in answer.json()["data"]]
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
            raise Unavailable(_in_words(error)) from None
        except (KeyError, TypeError, ValueError):
            raise Unavailable(ODD_ANSWER) from None

    def health(self) -> ServerHealth:
        """How the server fares, as this process sees it."""
        return self.record.health(
            self.server.url, self.breaker.state, self._gate.inside, self._gate.waiting, self.budget.left
        )

    async def close(self) -> None:
        """Give the connections back."""
        if self._connections is not None and self._loop is asyncio.get_running_loop():
            await self._connections.aclose()
        self._connections = None

    # -- one question ------------------------------------------------------------------------------

    async def _attempts(self, question: Question, until: float, hear: Hear) -> Said:
        """Ask, and ask again where nothing was heard yet and the budget allows it.

        A server that refuses the whole question may know nothing beyond the protocol: it is asked once more within it,
        and, where that helps, from then on.
        """
        beyond = self._knows_more
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                said = await self._once(question, until, hear, beyond=beyond)
                self._knows_more = beyond
                return said
            except _Refused as refused:
                if not (beyond and refused.status in UNREAD and attempt < MAX_ATTEMPTS):
                    raise
                beyond = False
            except _NotYet as failed:
                if attempt == MAX_ATTEMPTS or not self.budget.take():
                    raise Unavailable(str(failed)) from None
                self.record.retried += 1
                await asyncio.sleep(0.05 * 2**attempt)
        raise AssertionError("the last attempt either answers or raises")

    async def _once(self, question: Question, until: float, hear: Hear, *, beyond: bool) -> Said:
        import httpx2

        loop = asyncio.get_running_loop()
        began, first, tokens = loop.time(), None, 0
        pieces: list[str] = []
        ending: str | None = None
        patience = began + FIRST_TOKEN_SHARE * self.server.turn_seconds
        try:
            async with asyncio.timeout_at(min(until, patience)) as limit:
                body = request_of(question, beyond=beyond)
                asks = self._connection().stream("POST", "chat/completions", json=body, headers=carried())
                async with asks as response:
                    _look(response)
                    async for line in response.aiter_lines():
                        chunk = chunk_of(line)
                        tokens = tokens if chunk.tokens is None else chunk.tokens
                        ending = chunk.ending or ending
                        if not chunk.piece:
                            continue
                        if first is None:
                            first = loop.time() - began
                            limit.reschedule(until)
                        pieces.append(chunk.piece)
                        hear(chunk.piece)
        except Enough:
            pass
        except _Status as answered:
            if answered.status < 500 and answered.status not in (408, 429):
                raise _Refused(str(answered), answered.status) from None
            raise _NotYet(str(answered)) from None
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, OSError) as error:
            if pieces:
                raise Unavailable(HUNG_UP) from None
            raise _NotYet(_in_words(error)) from None
        except BadChunk:
            raise (Unavailable if pieces else _NotYet)(ODD_ANSWER) from None
        except TimeoutError:
            raise Unavailable("the model server was too slow") from None
        else:
            if ending is None:
                # A server that dies may close its connection as if all had been said.
                raise (Unavailable if pieces else _NotYet)(HUNG_UP)
        return Said("".join(pieces), tokens or len(pieces), first, loop.time() - began, ending == "stop")

    # -- small things ------------------------------------------------------------------------------

    def _failure(self, why: str, *, counts: bool = True) -> Unavailable:
        if counts:
            self.breaker.failed()
        self.record.went_wrong(why)
        return Unavailable(why)

    def _new_gate(self) -> FairGate:
        return FairGate(self.server.concurrency, QUEUED_PER_PLACE * self.server.concurrency)

    def _settle_on_loop(self) -> None:
        """Connections and queues belong to one loop; a worker starts a new one for every task."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._connections, self._gate = loop, None, self._new_gate()

    def _connection(self) -> AsyncClient:
        if self._connections is None:
            import httpx2

            self._connections = httpx2.AsyncClient(
                base_url=self.server.url,
                headers={"Authorization": f"Bearer {self.server.api_key or 'none'}"},
                timeout=httpx2.Timeout(self.server.turn_seconds, connect=self.server.connect_seconds),
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=self.server.concurrency),
                follow_redirects=True,
            )
        return self._connections


class _NotYet(RuntimeError):
    """Failed before anything was heard: may be asked again."""


class _Status(Unavailable):
    """The server answered with a status that is no answer."""

    def __init__(self, status: int) -> None:
        known = "does not know this model" if status == 404 else f"answered {status}"
        super().__init__(f"the model server {known}")
        self.status = status


class _Refused(Unavailable):
    """The server understood and said no: an unknown adapter, a prompt that is too long. It is not ailing."""

    def __init__(self, why: str, status: int) -> None:
        super().__init__(why)
        self.status = status


def request_of(question: Question, *, beyond: bool = True) -> dict[str, Any]:
    """The body of one chat completion; ``beyond`` the protocol where the server knows more."""
    asked: dict[str, Any] = {
        "model": question.model,
        "messages": list(question.messages),
        "max_tokens": question.max_tokens,
        "temperature": question.temperature,
        **NEUTRAL,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if question.seed is not None:
        asked["seed"] = question.seed
    if beyond:
        asked |= {**NEUTRAL_BEYOND, "chat_template_kwargs": NO_THINKING}
    asked |= question.extra or {}
    if question.schema is not None:
        asked["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "decision", "schema": question.schema, "strict": True},
        }
    return asked


def _look(response: Response) -> None:
    """Raises :class:`_Status` for what is no answer; the server's own text, which could quote a prompt, is not read."""
    if not response.is_success:
        raise _Status(response.status_code)


def _in_words(error: Exception) -> str:
    """What went wrong on the way, in one short sentence."""
    if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
        return "the model server could not be reached in time"
    return "the model server could not be reached"
