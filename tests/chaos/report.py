"""What a run has found: checks with their verdicts, and the page that is written of it."""
import collections
import datetime
import os
import platform

from stage import cluster
from work import refusals, totals


class Findings:
    def __init__(self, options):
        self.options = options
        self.checks = []
        self.notes = []
        self.events = []
        self.lines = []
        self.vanished = []
        self.restarts = []
        self.seeded = []
        self.rolling = None
        self.audit = None
        self.memory_begin, self.memory_end = {}, {}
        self.storm_seconds = 0.0

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)
            cluster.say(text)

    def check(self, name, passed, detail=""):
        self.checks.append((name, passed, detail))
        print(f"  {'passed' if passed else 'FAILED'}: {name}" + (f" ({detail})" if detail else ""), flush=True)

    def failed(self):
        return [check for check in self.checks if not check[1]] or ([] if self.checks else ["nothing was checked"])

    def conclude(self):
        failed = sum(not passed for _, passed, _ in self.checks)
        print(f"\n{len(self.checks) - failed} passed, {failed} failed", flush=True)


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join(lines + [f"| {' | '.join(str(cell).replace('|', '/') for cell in row)} |" for row in rows])


def faults(found):
    groups = collections.OrderedDict()
    for event in found.events:
        groups.setdefault((event["kind"], event["part"].rsplit("-", 1)[0]), []).append(event)
    rows = []
    for (kind, part), events in sorted(groups.items()):
        whole = [event["whole"] for event in events if event["whole"] is not None]
        skipped = sum(bool(event["skipped"]) for event in events)
        rows.append([kind, part, len(events) - skipped, skipped or "", f"{max(whole):.1f}" if whole else "–",
                     sum(event["finished"] for event in events), sum(event["refused"] for event in events)])
    return table(["fault", "part", "times", "skipped", "whole after at most, s", "done meanwhile", "refused meanwhile"], rows)


def answers(told):
    rows = [[count, kind, status or "no answer", code, message or ""] for (kind, status, code, message), count in told.most_common(40)]
    return table(["times", "", "status", "code", "message"], rows)


def work(found):
    counted = totals(found.lines)
    names = sorted({what for _, what in counted if what})
    rows = [[name, *(counted[(kind, name)] or "" for kind in ("begun", "accepted", "finished"))] for name in names
            if any(counted[(kind, name)] for kind in ("begun", "accepted", "finished"))]
    slowest = max((line for line in found.lines if line["kind"] == "recovered"), key=lambda line: line["ms"], default=None)
    text = table(["work", "begun", "accepted", "finished"], rows)
    if slowest:
        text += (f"\n\nSlowest recovery of one thing: `{slowest['what']}`, {slowest['ms'] / 1000:.1f} s and "
                 f"{slowest['refused']} refusals until it succeeded.")
    told, untold = counted[("told", "check")], counted[("untold", "check")]
    return text + f"\n\nOf {told + untold} check-ups that ended, {told} were pushed to whoever listened at that moment; the others were asked for."


def memory(found):
    rows = [[name, f"{found.memory_begin[name]:.0f}", f"{found.memory_end.get(name, 0):.0f}"] for name in found.memory_begin]
    return table(["process", "MB at the beginning", "MB at the end"], rows)


def vanished(found):
    parts = []
    for event in found.vanished:
        followed = "never followed" if event["followed"] is None else f"followed after {event['followed']:.1f} s"
        if not event["told_of"]:
            followed = "does not depend on it"
        whole = "not in time" if event["whole"] is None else f"{event['whole']:.1f} s"
        parts.append(f"### {event['name']}\n\nAway for {event['seconds']:.0f} s. Readiness {followed}; whole again "
                     f"{whole} after it was back. Meanwhile {event['done']} things were done and people were told:\n\n"
                     + (answers(event["told"]) if event["told"] else "nothing: no call was refused."))
    return "\n\n".join(parts)


def page(found, options):
    """The report as Markdown."""
    build = "debug" if options.debug else "release"
    hurt = [event for event in found.events if not event["skipped"]]
    parts = [f"""# Trying to break it

Written by `scripts/chaos {options.scenario} --seed {options.seed}{" --debug" if options.debug else ""}` on
{datetime.date.today()}, {build} binaries, {os.cpu_count()} cores ({platform.machine()}), load {os.getloadavg()[0]:.0f} at the end. How it works
stands at the end; the same seed chooses the same faults, but what they meet is never the same.

## Verdicts

{table(["", "check", "detail"], [["passed" if ok else "**failed**", name, detail] for name, ok, detail in found.checks])}"""]
    if found.events:
        parts.append(f"""## Faults

{len(hurt)} faults in {found.storm_seconds / 60:.1f} minutes under the work of {options.people} people who upload all the time.

{faults(found)}""")
        parts.append(f"## Work\n\n{work(found)}\n\n## What was refused\n\n{answers(refusals(found.lines))}")
        parts.append(f"## Memory\n\nResident. A process that was killed or restarted in between is a new one.\n\n{memory(found)}")
    if found.vanished:
        parts.append(f"## Servers that vanish\n\n{vanished(found)}")
    if found.rolling:
        r = found.rolling
        parts.append(f"""## Rolling restart

{r['processes']} processes restarted in turn by SIGTERM within {r['seconds']:.0f} s under callers that never try again: {r['answered']} calls
answered, {r['failed']} failed; median {r['median']:.0f} ms, slowest {r['slowest']:.0f} ms. Callers go where `/readyz` says ready, and from a
connection that is refused to the next gateway, as a balancer does.""")
    if found.notes:
        parts.append("## Noted\n\n" + "\n".join(f"- {note}" for note in found.notes))
    parts.append("""## What such runs have found, mended since

- During a rolling restart writes were answered 503 while another replica was there: the gateway sent nothing again that writes. What
  was never sent is now sent to another replica (`gateway/src/upstream/lost.rs`).
- A database connection that broke in the middle of a statement was answered 500. It is a database away, 503.
- A disk that was full for seconds used up the three tries of a job, and a sound model failed. The engine now says that there is no
  room, and the job waits; only after an hour it is given up.
- `scripts/servers stop` failed when a pid file went while it looked.

Mended without having been met: opening a connection to a RabbitMQ that stands still had no limit of time.""")
    parts.append("""## How it works

`scripts/chaos` starts a cluster of its own. Between the services and PostgreSQL, RabbitMQ, Redis, Kafka and the object store stands
a TCP proxy (`tests/chaos/proxy.py`) that can slow, cut, stall and half-close. `tests/chaos/work.mjs` plays the people: they
upload, have it checked and lightened, order and cancel, buy coins by WeChat and Alipay at the sandbox and a membership with
coins. A refusal is tried again until it succeeds, and what is neither a
success nor a clear refusal (503 or 504 with the envelope, nobody there, an S3 error, a code that Redis forgot) counts as broken.
After each fault every `/readyz` has to say ready with database, cache and bus before the next one comes. Full disks are
small ones of their own (tmpfs) that are filled to the last byte; without root they are skipped.

At the end everybody finishes what was begun, and `scripts/chaos-auditor` reads SQL, RabbitMQ, Kafka, the store's listing and
/proc; `scripts/auditor` compares every cent with the books of the sandbox. Then the services are stopped, faults are put into what it reads, and it has to name each of them.""")
    return "\n\n".join(parts) + "\n"
