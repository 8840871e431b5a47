"""Each server is away for a while: user-facing errors, readiness, recovery."""
import json
import os
import signal
import time

import storm
from faults import reap
from stage import cluster
from work import Work, refusals, totals

PEOPLE = 13_500_000_000
RECOVER_S = 120
REST_S = 300
# Response of /readyz while a server is away: the field, and whether the service stays ready.
FIELDS = {"postgres": ("database", False), "redis": ("cache", True), "rabbit": ("bus", True)}
# Readiness may lag: longest delay before it must report the outage.
FOLLOW_S = 20


def away(stage, name):
    if name == "store":
        pid = stage.store.pid()
        os.kill(pid, signal.SIGKILL)
        reap(pid)
    else:
        stage.serve("kill", name)


def back(stage, name):
    if name == "store":
        stage.store.start()
        stage.store.wait_ready()
    else:
        stage.serve("restart", name, {**os.environ, "POSTGRES_FSYNC": "on"})


def follows(stage, name):
    """Whether every service reports the server as away; never for one that readiness does not depend on."""
    if name not in FIELDS:
        return False
    field, stays = FIELDS[name]
    for process, (status, text) in stage.readiness().items():
        if not status:
            return False
        told = json.loads(text)
        # Gateways have no database.
        if field in told and (told[field] or (status == 200) != stays):
            return False
    return True


def begin_anew(process):
    if pid := process.pid():
        os.kill(pid, signal.SIGKILL)
        reap(pid)
    process.start()


def play(stage, options, found):
    work = Work(stage, stage.model(), options.people, PEOPLE)
    try:
        for name in ["postgres", "redis", "rabbit", "kafka", "store"]:
            storm.wait_whole(stage, RECOVER_S, found)
            time.sleep(4)
            one(stage, name, options.away, work, found)
        ended = work.finish(REST_S)
    finally:
        if work.process.poll() is None:
            work.process.kill()
    counted = totals(work.said())
    lines = work.said()
    found.check("work that was delayed came to its end", ended and not any(k == "stuck" for k, _ in counted), storm.stuck(lines))


def one(stage, name, seconds, work, found):
    before = work.count()
    cluster.say(f"{name} is away for {seconds:.0f} s")
    away(stage, name)
    gone = time.monotonic()
    followed = started = None
    while time.monotonic() - gone < seconds:
        # Half way through, some are restarted without the server.
        if started is None and time.monotonic() - gone > seconds / 2:
            started = [begin_anew(process) for process in [*stage.services[::2], stage.gateways[0]]]
        if followed is None and follows(stage, name):
            followed = time.monotonic() - gone
        time.sleep(0.3)
    lines = work.said(before)
    back(stage, name)
    recovered = storm.wait_whole(stage, RECOVER_S, found)
    told = refusals(lines)
    broken = sum(count for (kind, *_), count in told.items() if kind == "broken")
    done = sum(count for (kind, _), count in totals(lines).items() if kind == "finished")
    found.vanished.append({"name": name, "seconds": seconds, "told_of": name in FIELDS, "followed": followed, "whole": recovered, "told": told, "done": done})
    found.check(f"{name} away: answers are clear", not broken, storm.broken(lines))
    if name in FIELDS:
        found.check(f"{name} away: readiness follows", followed is not None and followed < FOLLOW_S,
                    "never" if followed is None else f"after {followed:.1f} s")
    found.check(f"{name} back: everything recovers by itself",
                recovered is not None and not any("by itself" in note for note in found.notes), "; ".join(found.notes))
