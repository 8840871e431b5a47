"""The faults: each disturbs one part for a while and restores it."""
import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from stage import cluster

SERVERS = ["postgres", "redis", "rabbit", "kafka"]
READY_S = 90
# Limits of the product that the bounds below are made of; test_chaos.py compares them with its settings.
CALL_S = 20  # gateway.call_wait_ms
REPLY_S = 5  # bus.reply_wait_ms
HEARTBEAT_S = 10  # bus.heartbeat_seconds: the broker gives up a client after two to three
LOCK_S = 30  # database.idle_transaction_seconds: how long a dead session keeps its rows
CACHE_S = 1  # cache.wait_ms
COMMANDS = 16  # that a replica may hold
# Longer than every one of them.
FROZEN_S = 60
# What each user of the load does side by side.
AT_ONCE = 3
# Seconds after which a dead link costs no call any more: the longest wait of a call that was under way, or that came upon what the
# dead connections keep (rows, commands).
DEAD_S = {
    "postgres": LOCK_S + CALL_S,
    "rabbit": 3 * HEARTBEAT_S + REPLY_S,
    # A few commands in turn, each on a connection of its own.
    "redis": 10 * CACHE_S,
    # No call waits for it.
    "kafka": 0,
    "store": CALL_S + 10,
}
# Always part of a short run.
MUST = {("dead link", "postgres"), ("dead link", "rabbit")}


class Skipped(Exception):
    """The fault is not possible here; the message says why."""


@dataclass
class Fault:
    kind: str
    part: str
    # Injects the fault, waits, restores; receives the stage and the random generator.
    act: Callable
    # Readiness does not suffice as proof: work has to complete from end to end.
    works: bool = False
    # Users → calls that may fail while it lasts.
    costs: Callable | None = None
    # Seconds after which no call may fail any more, although nothing was restored.
    limit_s: float | None = None

    def __str__(self):
        return f"{self.kind} {self.part}"


def reap(pid):
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def kill(process):
    def act(stage, dice):
        pid = process.pid()
        if not pid:
            raise Skipped("not running")
        os.kill(pid, signal.SIGKILL)
        reap(pid)
        time.sleep(dice.uniform(0.2, 2.0))
        process.start()

    return act


def terminate(process):
    def act(stage, dice):
        process.ask_to_end()
        if pid := process.pid():
            until = time.monotonic() + cluster.STOP_S
            while os.waitpid(pid, os.WNOHANG) == (0, 0):
                if time.monotonic() > until:
                    raise RuntimeError(f"{process.name} does not end on SIGTERM")
                time.sleep(0.05)
        process.start()

    return act


@contextlib.contextmanager
def lasting(acted):
    """A fault that pauses (`yield`) just before it ends lasts until the block is left; the others have ended by themselves."""
    if acted is None:
        yield
        return
    with contextlib.closing(acted):
        next(acted)
        yield


def of_a_frozen_replica(people):
    """Each line of work may lose a call to the replica, and one to a row that it has locked; other calls need a command that it
    holds. Then it is avoided, its rows are free, and the broker has given its commands to the other one."""
    return 2 * AT_ONCE * people + COMMANDS


def of_a_frozen_gateway(people):
    """What was under way there: balancers notice that it does not report ready."""
    return AT_ONCE * people


def freeze(pids_of, least, most):
    """SIGSTOP, later SIGCONT."""

    def act(stage, dice):
        pids = pids_of(stage)
        if not pids:
            raise Skipped("not running")
        try:
            for pid in pids:
                signalled(pid, signal.SIGSTOP)
            time.sleep(dice.uniform(least, most))
            yield
        finally:
            for pid in pids:
                signalled(pid, signal.SIGCONT)

    return act


def signalled(pid, number):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def family(pid):
    """A process and all its descendants."""
    children = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, at = [pid], 0
    while at < len(found):
        found += children.get(found[at], [])
        at += 1
    return found


def crash(name):
    """kill -9 of a server, and its restart a moment later."""

    def act(stage, dice):
        stage.serve("kill", name)
        time.sleep(dice.uniform(0.5, 2.5))
        stage.serve("restart", name, {**os.environ, **stage.server_settings()})

    return act


def engine(number, pause):
    """Disturbs an engine at work; waits a little for one to start."""

    def act(stage, dice):
        until = time.monotonic() + 12
        while not (found := stage.engines()):
            if time.monotonic() > until:
                raise Skipped("no engine was at work")
            time.sleep(0.01)
        pid = dice.choice(found)
        signalled(pid, number)
        if pause:
            time.sleep(dice.uniform(1, 3))
            signalled(pid, signal.SIGCONT)

    return act


def slow(link):
    def act(stage, dice):
        stage.proxy.tell(link, "slow", dice.uniform(0.03, 0.12))
        time.sleep(dice.uniform(3, 6))
        stage.proxy.tell(link, "mend")

    return act


def stop_link(link, how, least, most):
    def act(stage, dice):
        stage.proxy.tell(link, how)
        time.sleep(dice.uniform(least, most))
        stage.proxy.tell(link, "mend")

    return act


def dead(link):
    """Open connections go silent forever, without being closed; nothing is restored."""

    def act(stage, dice):
        if link != "postgres":
            stage.proxy.tell(link, "die")
            return time.sleep(1)
        # Relays wait for a slow broker inside their transactions: these are the connections to test.
        stage.proxy.tell("rabbit", "slow", 0.4)
        time.sleep(2)
        stage.proxy.tell(link, "die")
        time.sleep(1)
        stage.proxy.tell("rabbit", "mend")

    return act


def fill(disk):
    def act(stage, dice):
        folder = stage.disks[disk]
        if folder not in stage.mounts:
            raise Skipped("mounting a small disk needs root")
        filler = folder / ".filler"
        try:
            with open(filler, "wb", buffering=0) as file:
                for size in (1 << 20, 4096, 1):
                    with contextlib.suppress(OSError):
                        while file.write(bytes(size)):
                            pass
            time.sleep(dice.uniform(3, 6))
        finally:
            filler.unlink(missing_ok=True)

    return act


def catalogue(stage):
    """All faults, by kind."""
    faults = []
    for process in stage.processes:
        faults.append(Fault("kill -9", process.name, kill(process)))
        alive = lambda stage, process=process: [pid] if (pid := process.pid()) else []
        # Workers are stopped for longer than their lease.
        longest = 10 if process.name.startswith("process") else 5
        faults.append(Fault("SIGSTOP", process.name, freeze(alive, 2, longest)))
        if process not in (stage.store, stage.sandbox):
            faults.append(Fault("SIGTERM", process.name, terminate(process)))
        if process.name.endswith("-1"):
            costs = of_a_frozen_gateway if process.name.startswith("gateway") else of_a_frozen_replica
            faults.append(Fault("frozen long", process.name, freeze(alive, FROZEN_S, FROZEN_S), works=True, costs=costs))
    for name in SERVERS:
        faults.append(Fault("restart", name, crash(name)))
        all_of = lambda stage, name=name: family(stage.server_pid(name))
        faults.append(Fault("SIGSTOP", name, freeze(all_of, 2, 6)))
    faults.append(Fault("kill -9", "engine", engine(signal.SIGKILL, False)))
    faults.append(Fault("SIGSTOP", "engine", engine(signal.SIGSTOP, True)))
    for link in stage.proxy.links:
        faults.append(Fault("slow link", link, slow(link)))
        faults.append(Fault("cut link", link, stop_link(link, "cut", 1, 4)))
        faults.append(Fault("stalled link", link, stop_link(link, "stall", 2, 6)))
        faults.append(Fault("half-closed link", link, stop_link(link, "half_close", 0.5, 1.5)))
        faults.append(Fault("dead link", link, dead(link), works=True, limit_s=DEAD_S[link]))
    faults += [Fault("full disk", disk, fill(disk)) for disk in stage.disks]
    return faults


def part_of(fault):
    """The part that the fault disturbs, without the number of the instance."""
    return fault.part.rsplit("-", 1)[0]


def short(faults):
    """Faults of a short run: of the slow ones only those that are mandatory."""
    return [fault for fault in faults if not fault.works or (fault.kind, fault.part) in MUST]


def plan(faults, count, dice):
    """`count` faults: the mandatory ones, then every kind on every part before any is repeated, in a different order each time;
    a short plan covers as many kinds and parts as it can."""
    chosen = [fault for fault in faults if (fault.kind, fault.part) in MUST][:count]
    deck = [fault for fault in faults if fault not in chosen]
    dice.shuffle(deck)
    while len(chosen) < count:
        if not deck:
            deck = faults[:]
            dice.shuffle(deck)
        kinds = {fault.kind: sum(f.kind == fault.kind for f in chosen) for fault in deck}
        parts = {part_of(fault): sum(part_of(f) == part_of(fault) for f in chosen) for fault in deck}
        # The kind and part disturbed least so far.
        best = min(deck, key=lambda fault: (kinds[fault.kind] + parts[part_of(fault)]))
        deck.remove(best)
        chosen.append(best)
    # So that the mandatory ones do not always come first.
    dice.shuffle(chosen)
    return chosen
