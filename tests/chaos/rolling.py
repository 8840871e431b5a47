"""Restarts every process in turn by SIGTERM while clients call: no call may fail."""
import json
import statistics
import time

from stage import cluster
from work import Work, totals, wait_for

PEOPLE = 13_600_000_000
CALLERS = 6


def play(stage, options, found):
    cluster.say(f"A rolling restart of {len(stage.services) + len(stage.gateways)} processes under {CALLERS} callers")
    work = Work(stage, stage.dir / "chaos.glb" if (stage.dir / "chaos.glb").exists() else stage.model(),
                CALLERS, PEOPLE, rolling=True)
    try:
        wait_for(work, "finished", "register", CALLERS, 120)
        time.sleep(2)
        began = time.monotonic()
        for process in [*stage.services, *stage.gateways]:
            at = time.monotonic()
            before = work.count()
            stage.restart(process.name)
            failed = sum(line["kind"] == "failed" for line in work.said(before))
            found.restarts.append((process.name, time.monotonic() - at, failed))
            # Load balancers must notice before the next one stops.
            time.sleep(1)
        seconds = time.monotonic() - began
        ended = work.finish(60)
    finally:
        if work.process.poll() is None:
            work.process.kill()
    lines = work.said()
    answered = sum(n for (kind, _), n in totals(lines).items() if kind == "answered")
    failed = [line for line in lines if line["kind"] == "failed"]
    times = sorted(line["ms"] for line in lines if line["kind"] == "answered") or [0]
    found.rolling = {
        "processes": len(found.restarts), "seconds": seconds, "answered": answered, "failed": len(failed),
        "median": statistics.median(times), "slowest": times[-1],
    }
    told = "; ".join(sorted({json.dumps({k: f.get(k) for k in ("call", "status", "message")}, ensure_ascii=False) for f in failed})[:8])
    found.check("a rolling restart of everything fails no call", ended and answered > 0 and not failed,
                f"{answered} answered, {len(failed)} failed {told}")
