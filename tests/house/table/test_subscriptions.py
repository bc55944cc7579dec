"""Subscriptions: while more follows, events wait to be sent together; nothing waits for long."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from novamas.house.table.subscriptions import HELD, HOLD, Bundle, Subscription, Subscriptions
from novamas.house.views.event_view import Audience
from tests.simulated_house.scene import in_simulated_time


class Follower:
    """A subscriber that notes what it is sent, as one write each time."""

    def __init__(self, everybody: Subscriptions, *, capacity: int = 4 * HELD) -> None:
        self.subscription = Subscription(audience=Audience.PUBLIC, player=None, capacity=capacity)
        self.subscription.notify(self._take)
        self.writes: list[list[bytes]] = []
        everybody.add(self.subscription)

    def _take(self) -> None:
        taken = self.subscription.take()
        if taken:
            self.writes.append([message for bundle in taken for message in bundle.messages])


def publish(everybody: Subscriptions, *messages: bytes, more_follows: bool) -> int:
    """Publishes these messages to everybody, each as one event."""
    bundle = Bundle(messages)

    def same_for_all(_: Subscription) -> Sequence[Bundle]:
        return [bundle]

    return everybody.publish(same_for_all, len(messages), more_follows=more_follows)


@in_simulated_time
async def test_events_of_several_batches_are_written_together_and_in_order() -> None:
    everybody = Subscriptions()
    ana, luis = Follower(everybody), Follower(everybody)
    publish(everybody, b"1", b"2", more_follows=True)
    publish(everybody, b"3", more_follows=True)
    assert ana.writes == luis.writes == []
    ana.subscription.offer(Bundle([b"answer"]))
    assert (ana.writes, luis.writes) == ([[b"1", b"2", b"3", b"answer"]], [])
    publish(everybody, b"4", more_follows=False)
    assert ana.writes[1:] == [[b"4"]]
    assert luis.writes == [[b"1", b"2", b"3", b"4"]]


@in_simulated_time
async def test_a_single_event_is_sent_at_once() -> None:
    everybody = Subscriptions()
    ana = Follower(everybody)
    publish(everybody, b"1", more_follows=False)
    assert ana.writes == [[b"1"]]


@in_simulated_time
async def test_events_wait_for_a_moment_at_most() -> None:
    everybody = Subscriptions()
    ana = Follower(everybody)
    publish(everybody, b"1", more_follows=True)
    await asyncio.sleep(HOLD / 2)
    publish(everybody, b"2", more_follows=True)
    assert ana.writes == []
    await asyncio.sleep(HOLD * 0.6)
    assert ana.writes == [[b"1", b"2"]]
    # The next ones wait for a moment of their own.
    publish(everybody, b"3", more_follows=True)
    await asyncio.sleep(HOLD * 0.9)
    assert ana.writes == [[b"1", b"2"]]
    await asyncio.sleep(HOLD * 0.2)
    assert ana.writes == [[b"1", b"2"], [b"3"]]


@in_simulated_time
async def test_only_so_many_events_wait() -> None:
    everybody = Subscriptions()
    ana = Follower(everybody)
    for number in range(3 * HELD):
        publish(everybody, b"%d" % number, more_follows=True)
    assert [len(each) for each in ana.writes] == [HELD] * 3


@in_simulated_time
async def test_what_waits_is_sent_when_the_next_commands_bring_no_event() -> None:
    everybody = Subscriptions()
    ana = Follower(everybody)
    publish(everybody, b"1", more_follows=True)
    everybody.release()
    assert ana.writes == [[b"1"]]


@in_simulated_time
async def test_who_does_not_take_is_dropped_and_the_others_go_on() -> None:
    everybody = Subscriptions()
    slow, quick = Follower(everybody, capacity=2), Follower(everybody)
    slow.subscription.notify(lambda: None)
    assert publish(everybody, b"1", b"2", more_follows=False) == 0
    assert publish(everybody, b"3", more_follows=False) == 1
    assert slow.subscription.overtaken
    assert list(everybody) == [quick.subscription]
    assert quick.writes == [[b"1", b"2"], [b"3"]]
