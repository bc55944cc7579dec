"""A seat at a table of a running house, for a program that plays: a bot.

The program is ordinary Python, without `async`: the connection lives in a thread of its own. The
house deals by its clock, so a coup takes as long as it does for everybody.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar
from urllib.parse import quote

from novamas.game.arguments import instance, seconds, shown, whole
from novamas.game.errors import MissingExtraError, NovamasError, UsageError, has_type
from novamas.game.notation import LARGEST_AMOUNT, format_bets, parse_bets, player_name
from novamas.game.wheel import Pocket
from novamas.rulebooks import load, words_of
from novamas.table import commands
from novamas.table.croupier import TableRefusedError, placed
from novamas.table.refusals import Refusal, RefusalReason

if TYPE_CHECKING:
    from novamas.web.client import Message, TableClient

PATIENCE = 120.0
"""Default number of seconds within which a coup must end."""

_Given = TypeVar("_Given")


class SeatCoup(NamedTuple):
    """A coup that a seat has played: its index in the log, its number, and its result.

    >>> import novamas as nv
    >>> nv.SeatCoup(coup=3, number=17, net=350)
    SeatCoup(coup=3, number=17, net=350)
    """

    coup: int
    number: Pocket | None
    net: int
    """What the player won less what they lost."""


class Seat:
    """A player's seat at a table of a running house; `nv.connect` gives one.

    >>> import novamas as nv
    >>> nv.Seat("http://127.0.0.1:8037", "es", "ana")
    <Seat of ana at es, http://127.0.0.1:8037>
    """

    def __init__(
        self,
        url: str,
        table: str,
        player: str,
        *,
        token: str | None = None,
        patience: float = PATIENCE,
    ) -> None:
        if not has_type(url, str) or not url.startswith(("http://", "https://")):
            expected = "an address such as http://127.0.0.1:8037"
            raise UsageError(f"url: expected {expected}, not {shown(url)}")
        instance(table, str, argument="table")
        try:
            player_name(player)
        except UsageError as problem:
            raise UsageError(f"player: {problem}") from None
        if token is not None:
            instance(token, str, argument="token")
        seconds(patience, argument="patience")
        self.url = url.rstrip("/")
        self.table = table
        self.player = player
        self._token = token
        self._patience = patience
        self._runner: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: TableClient | None = None
        self._messages: AsyncIterator[Message] | None = None
        self._laid_at = 0
        """The sequence number of the event of the last bet."""
        # Another seat of the same player never uses the same ids.
        begun = secrets.token_hex(4)
        self._ids = (f"{begun}-{number}" for number in itertools.count(1))

    def __repr__(self) -> str:
        return f"<Seat of {self.player} at {self.table}, {self.url}>"

    # The connection -------------------------------------------------------------------------

    def __enter__(self) -> Self:
        client, ask = _needed()
        if self._token is None:
            guest = ask(f"{self.url}/api/guests", {"name": self.player})
            self._token, self.player = guest["token"], guest["name"]
        self._runner = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._runner.run_forever, name=repr(self))
        self._thread.start()
        try:
            self._client = client(self.url, self.table, self._token)
            self._wait(self._client.__aenter__())
            self._messages = self._client.messages()
            self._give(commands.Sit(by=self.player))
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None and self._client is not None:
                # Players with stakes on the cloth keep the seat, and what the stakes win.
                self._wait(self._client.give(commands.Leave(by=self.player)))
        finally:
            self._end()

    def _end(self) -> None:
        if self._runner is None or self._thread is None:
            return
        try:
            if self._client is not None:
                self._wait(self._client.__aexit__(None, None, None))
        finally:
            self._runner.call_soon_threadsafe(self._runner.stop)
            self._thread.join()
            self._runner.close()
            self._runner = self._thread = self._client = self._messages = None

    def _wait(self, coroutine: Coroutine[Any, Any, _Given]) -> _Given:
        """Runs something in the connection's thread and waits for it."""
        if self._runner is None:
            coroutine.close()
            raise NovamasError(f"{self!r} is not connected; write `with nv.connect(…) as seat:`")
        future = asyncio.run_coroutine_threadsafe(coroutine, self._runner)
        try:
            return future.result(self._patience)
        except TimeoutError:
            future.cancel()
            problem = f"the house did not answer within {self._patience:g} seconds"
            raise NovamasError(problem) from None

    # What a player does -----------------------------------------------------------------------

    def _give(self, command: commands.Command, *, what: str = "") -> int:
        """Gives a command; returns the sequence number of its last event."""
        answer = self._wait(self._connected().give(command))
        if not answer.is_accepted:
            from novamas.house.table.answers import reason

            refusal = Refusal(reason(answer.why), answer.articles, answer.detail)
            raise TableRefusedError(refusal, what)
        return answer.seq

    def _connected(self) -> TableClient:
        if self._client is None:
            raise NovamasError(f"{self!r} is not connected; write `with nv.connect(…) as seat:`")
        return self._client

    def buy(self, amount: int) -> None:
        """Buys chips."""
        whole(amount, argument="amount", most=LARGEST_AMOUNT)
        wish = commands.BuyChips(by=self.player, player=self.player, amount=amount)
        self._give(wish, what=f"amount: {amount}")

    def stake(self, bets: str) -> None:
        """Lays bets in the notation; if a bet is refused, the earlier ones stay on the cloth."""
        instance(bets, str, argument="bets")
        book = load(self._connected().table["rulebook"])
        for bet in parse_bets(bets, words_of(book)):
            wish = placed(self.player, bet, id=next(self._ids))
            self._laid_at = self._give(wish, what=f"{self.player} {format_bets([bet])}")

    def wait(self) -> SeatCoup:
        """Waits until the coup of the last bet has ended, and returns its result.

        If nothing was laid since the last call, it waits for the next coup to end.
        """
        number = self._wait(self._ended())
        _, ask = _needed()
        address = f"{self.url}/api/tables/{quote(self.table)}/coups"
        played = {each["coup"]: each for each in ask(address, token=self._token)}
        if number not in played:
            raise NovamasError(f"coup {number} was too long ago: the house tells of the last 100")
        coup = played[number]
        sums = coup["players"].get(self.player, {"won": 0, "lost": 0})
        return SeatCoup(number, coup["number"], sums["won"] - sums["lost"])

    async def _ended(self) -> int:
        """The number of the coup that ends after the last bet."""
        if self._messages is not None:
            async for message in self._messages:
                if message.type == "CoupEnded" and message.seq > self._laid_at:
                    return int(message.data["coup"])
        raise NovamasError("the connection to the house has ended")

    def play(self, strategy: str | Callable[[Seat], str | None], coups: int) -> Iterator[SeatCoup]:
        """Plays coup after coup: lays what the strategy returns, and yields each coup as it ends.

        `strategy` is bets in the notation, or a function that is called with the seat before each
        coup and returns them, or None. Bets that come after the close are left out of the coup; a
        coup for which all of them came too late does not count.
        """
        whole(coups, argument="coups", least=0)
        return self._play(strategy, coups)

    def _play(self, strategy: str | Callable[[Seat], str | None], coups: int) -> Iterator[SeatCoup]:
        played = 0
        while played < coups:
            bets = strategy(self) if callable(strategy) else strategy
            before = self._laid_at
            try:
                self.stake(bets or "")
            except TableRefusedError as refused:
                if refused.refusal.why is not RefusalReason.BETTING_IS_CLOSED:
                    raise
            coup = self.wait()
            if not bets or self._laid_at > before:
                played += 1
                yield coup


def connect(
    url: str,
    table: str,
    player: str,
    *,
    token: str | None = None,
    patience: float = PATIENCE,
) -> Seat:
    """A seat at a table of a running house, to be used in a `with` statement.

    Without a token the player comes as a guest with play money, which a local house allows. A house
    with accounts needs the token of a session. `patience` is how many seconds a coup may take. This
    needs the extra `house`.

    >>> import novamas as nv
    >>> nv.connect("http://127.0.0.1:8037", "es", "ana")
    <Seat of ana at es, http://127.0.0.1:8037>
    """
    return Seat(url, table, player, token=token, patience=patience)


def _needed() -> tuple[type[TableClient], Callable[..., Any]]:
    """Imports the client, which needs an extra."""
    try:
        from novamas.web.client import TableClient
        from novamas.web.remote_scripts import ask
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "novamas":
            raise
        raise MissingExtraError("connect", missing.name or "websockets", "house") from None
    return TableClient, ask
