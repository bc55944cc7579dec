"""An event loop whose time, order and disk are drawn from a seed.

Every server and every client is a process of its own: its callbacks run in the order in which
asyncio promises them, but which process goes on next is drawn by lot, as a machine's scheduler
would. Time stands still while anything can run, and jumps to the next timer when nothing can. Work
for a thread is done at a moment that is drawn too. There are no sockets, and no two things at once.
"""

from __future__ import annotations

import asyncio
import heapq
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextvars import Context, ContextVar, copy_context
from functools import partial
from random import Random
from typing import Any
from weakref import WeakKeyDictionary


class StuckError(Exception):
    """Nothing can go on any more, though somebody still waits."""


class Process:
    """A server or a client: what runs there stops with it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.began = 0.0
        """When it started, in seconds since the world began."""
        self.ready: deque[asyncio.Handle] = deque()
        self.is_alive = True
        self.is_paused = False
        self.context: Context = copy_context()
        """In which everything of this process runs."""
        self.context.run(PROCESS.set, self)
        self.remains: list[asyncio.Task[Any]] = []
        """Tasks that a crash left in the middle."""
        self.undone: list[asyncio.Handle] = []
        """What would have run there; nothing of it runs before the simulation ends."""

    def __repr__(self) -> str:
        return f"<process {self.name}>"


PROCESS: ContextVar[Process] = ContextVar("process")


class Job:
    """Work for a thread."""

    def __init__(
        self, process: Process, work: Callable[[], Any], future: asyncio.Future[Any]
    ) -> None:
        self.process = process
        self.work = work
        self.future = future
        self.queue: deque[Job] | None = None
        """Where it waits for its turn; None where every job has a thread of its own."""
        self.is_begun = False


class _Handle(asyncio.Handle):
    """What asyncio keeps of a callback, as far as the loop needs it."""

    _context: Context


class _Timer(asyncio.TimerHandle, _Handle):
    _when: float
    _scheduled: bool


class AbandonedError(BaseException):
    """Whoever asked for the work is gone, and nothing more of it is done."""


class Suspension:
    """Work in a thread that stands still wherever it likes, so that others go on meanwhile.

    One of the two runs at a time, never both: so the order of what they do is the loop's.
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._goes = threading.Semaphore(0)
        self._stands = threading.Semaphore(0)
        self.done: Future[Any] = Future()
        self.waits = 0.0
        self.is_abandoned = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._goes.acquire()
        try:
            self.done.set_result(self._work())
        except BaseException as problem:  # noqa: BLE001 - whoever asked for it is told
            self.done.set_exception(problem)
        self._stands.release()

    def go_on(self) -> bool:
        """Lets it go on until it stands still; whether it is done."""
        self._goes.release()
        self._stands.acquire()
        if self.done.done():
            self._thread.join()
        return self.done.done()

    def stand(self, seconds: float) -> None:
        """Called by the work itself: lets the others go on for a while."""
        self.waits = seconds
        self._stands.release()
        self._goes.acquire()
        if self.is_abandoned:
            raise AbandonedError


class Thread(Executor):
    """The thread that a store belongs to: a loop queues its work, and does it itself."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        """Does it at once: whoever asks runs as a thread already."""
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **more))
        except BaseException as problem:  # noqa: BLE001 - whoever asked for it is told
            done.set_exception(problem)
        return done


class SimulatedLoop(asyncio.BaseEventLoop):
    """The loop of a whole world."""

    _ready: deque[_Handle]
    _scheduled: list[_Timer]

    def __init__(self, chance: Random) -> None:
        super().__init__()
        self._chance = chance
        self._now = 0.0
        self.world = Process("world")
        """Where the simulation itself runs."""
        self._processes = [self.world]
        self._queues: dict[tuple[Process, Executor], deque[Job]] = {}
        self._owners: WeakKeyDictionary[asyncio.Task[Any], Process] = WeakKeyDictionary()
        self.steps = 0
        self.is_over = False
        """Whether only the dead are laid to rest: then whoever is paused or crashed runs too."""
        self.suspends: Callable[[Process], bool] = lambda _: False
        """Whether a process's disk is so slow that others go on between two of its questions."""
        self.suspended: Suspension | None = None
        """The work that runs now, if it may stand still."""
        self._standing: dict[Suspension, None] = {}
        self.takes: Callable[[Process], float] = lambda _: 0.0
        """How long a process waits for its disk, in seconds."""
        self.on_step: Callable[[], None] = lambda: None
        self.set_task_factory(self._make_task)

    # Processes ------------------------------------------------------------------------------

    def process(self, name: str) -> Process:
        """A new process."""
        made = Process(name)
        made.began = self._now
        self._processes.append(made)
        return made

    def kill(self, process: Process) -> None:
        """Ends a process in the middle of whatever it does."""
        process.is_alive = False
        process.is_paused = False
        process.remains = [task for task, owner in self._owners.items() if owner is process]
        process.undone.extend(process.ready)
        process.ready.clear()
        self._processes.remove(process)

    def end(self, dead: list[Process]) -> None:
        """Lets whatever is left run to its end, wherever it was."""
        self.is_over = True
        for work in tuple(self._standing):
            work.is_abandoned = True
            work.go_on()
        self._standing.clear()
        for process in dead:
            self.world.ready.extend(process.undone)
        for process in self._processes:
            process.is_paused = False

    def _make_task(
        self, loop: asyncio.AbstractEventLoop, work: Any, **more: Any
    ) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **more)
        context = more.get("context")
        self._owners[task] = context[PROCESS] if context is not None else PROCESS.get(self.world)
        return task

    def start(self, process: Process, work: Any, name: str = "") -> asyncio.Task[Any]:
        """Runs a coroutine in a process."""
        context = process.context.copy()
        return self.create_task(work, name=name or None, context=context)

    # The loop -------------------------------------------------------------------------------

    def time(self) -> float:
        """Seconds since the world began."""
        return self._now

    def _sort(self) -> None:
        """Gives what can run to the processes that it belongs to."""
        ready = self._ready
        while ready:
            self._give(ready.popleft())
        scheduled, now = self._scheduled, self._now
        while scheduled and scheduled[0]._when <= now:
            handle = heapq.heappop(scheduled)
            handle._scheduled = False
            self._give(handle)

    def _give(self, handle: _Handle) -> None:
        if handle._cancelled:
            return
        process = handle._context.get(PROCESS, self.world)
        if process.is_alive:
            process.ready.append(handle)
        elif self.is_over:
            self.world.ready.append(handle)
        else:
            process.undone.append(handle)

    def _run_once(self) -> None:
        self._sort()
        runnable = [each for each in self._processes if each.ready and not each.is_paused]
        while not runnable:
            while self._scheduled and self._scheduled[0]._cancelled:
                heapq.heappop(self._scheduled)._scheduled = False
            if not self._scheduled:
                raise StuckError(f"nothing can go on at {self._now:.3f} s")
            self._now = max(self._now, self._scheduled[0]._when)
            self._sort()
            runnable = [each for each in self._processes if each.ready and not each.is_paused]
        process = runnable[0] if len(runnable) == 1 else self._chance.choice(runnable)
        for _ in range(len(process.ready)):
            handle = process.ready.popleft()
            if not handle._cancelled:
                self.steps += 1
                handle._run()
                if not process.ready or process.is_paused:
                    break
        self.on_step()

    def _process_events(self, event_list: Any) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody sleeps who would have to be woken."""

    # Threads --------------------------------------------------------------------------------

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Does the work of a thread at a moment that is drawn; in order, where it is one thread."""
        process = PROCESS.get(self.world)
        job = Job(process, lambda: func(*args), self.create_future())
        if executor is None:
            self._later(job)
            return job.future
        job.queue = self._queues.setdefault((process, executor), deque())
        job.queue.append(job)
        if len(job.queue) == 1:
            self._later(job)
        return job.future

    def _later(self, job: Job) -> None:
        takes = self.takes(job.process)
        self.call_later(takes, self.begin, job, context=self.world.context)

    def waiting(self, but: Process) -> list[Job]:
        """What other processes have asked of their disks, and what could be done right now."""
        return [
            queue[0]
            for (process, _), queue in self._queues.items()
            if queue and process is not but and not queue[0].is_begun and process.is_alive
        ]

    def begin(self, job: Job) -> None:
        """Does the work, whatever has become of whoever asked for it since."""
        if job.is_begun:
            return
        job.is_begun = True
        if not job.process.is_alive and self._chance.random() < 0.5:
            return  # It had not left the machine that died.
        context = job.process.context.copy()
        if self.suspended is None and self.suspends(job.process):
            self._go_on(job, Suspension(partial(context.run, job.work)))
            return
        done: Future[Any] = Future()
        try:
            done.set_result(context.run(job.work))
        except Exception as problem:  # noqa: BLE001 - whoever asked for it is told
            done.set_exception(problem)
        self._done(job, done)

    def _go_on(self, job: Job, work: Suspension) -> None:
        if work.done.done():
            return  # It was abandoned.
        self._standing.pop(work, None)
        self.suspended = work
        is_done = work.go_on()
        self.suspended = None
        if is_done:
            self._done(job, work.done)
        else:
            self._standing[work] = None
            self.call_later(work.waits, self._go_on, job, work, context=self.world.context)

    def _done(self, job: Job, done: Future[Any]) -> None:
        self.call_later(
            self.takes(job.process), self._finish, job, done, context=job.process.context
        )

    def _finish(self, job: Job, done: Future[Any]) -> None:
        if job.queue is not None:
            job.queue.popleft()
            if job.queue:
                self._later(job.queue[0])
        if job.future.cancelled():
            return
        problem = done.exception()
        if problem is None:
            job.future.set_result(done.result())
        elif not isinstance(problem, AbandonedError):
            job.future.set_exception(problem)
