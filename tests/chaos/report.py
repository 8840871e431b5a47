"""The findings of a run: checks with their verdicts, and the report."""
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
    return table(["fault", "part", "times", "skipped", "recovered after at most, s", "completed meanwhile", "refused meanwhile"], rows)


def meanwhile(found):
    """Calls that failed while a fault lasted, of the faults that are judged by them."""
    rows = []
    for event in found.events:
        if told := event["meanwhile"]:
            last = "" if told["last"] is None else f"{told['last']:.1f}"
            rows.append([event["kind"], event["part"], f"{event['hurt']:.0f}", told["failed"], last, told["may"]])
    head = ["fault", "part", "lasted, s", "calls that failed", "the last after, s", "may fail"]
    return f"\n\nCalls that failed meanwhile, and those that may:\n\n{table(head, rows)}" if rows else ""


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
        text += (f"\n\nSlowest recovery of one operation: `{slowest['what']}`, {slowest['ms'] / 1000:.1f} s and "
                 f"{slowest['refused']} refusals until it succeeded.")
    told, untold = counted[("told", "check")], counted[("untold", "check")]
    return text + f"\n\nOf {told + untold} check-ups that ended, {told} were pushed to a listening client; the others were queried."


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
        parts.append(f"### {event['name']}\n\nUnavailable for {event['seconds']:.0f} s. Readiness {followed}; recovered "
                     f"{whole} after it was back. Meanwhile {event['done']} operations completed; refusals:\n\n"
                     + (answers(event["told"]) if event["told"] else "none."))
    return "\n\n".join(parts)


def page(found, options):
    """The report as Markdown."""
    build = "debug" if options.debug else "release"
    hurt = [event for event in found.events if not event["skipped"]]
    parts = [f"""# Fault injection

Written by `scripts/chaos {options.scenario} --seed {options.seed}{" --debug" if options.debug else ""}` on
{datetime.date.today()}, {build} binaries, {os.cpu_count()} cores ({platform.machine()}), load {os.getloadavg()[0]:.0f} at the end. How it works
is described at the end; a seed always selects the same faults, but they hit different work each time.

## Verdicts

{table(["", "check", "detail"], [["passed" if ok else "**failed**", name, detail] for name, ok, detail in found.checks])}"""]
    if found.events:
        parts.append(f"""## Faults

{len(hurt)} faults in {found.storm_seconds / 60:.1f} minutes under the load of {options.people} users who upload all the time.

{faults(found)}{meanwhile(found)}""")
        parts.append(f"## Work\n\n{work(found)}\n\n## Refusals\n\n{answers(refusals(found.lines))}")
        parts.append(f"## Memory\n\nResident memory. A process that was killed or restarted in between is a new one.\n\n{memory(found)}")
    if found.vanished:
        parts.append(f"## Unavailable servers\n\n{vanished(found)}")
    if found.rolling:
        r = found.rolling
        parts.append(f"""## Rolling restart

{r['processes']} processes restarted in turn by SIGTERM within {r['seconds']:.0f} s under load from clients without retries: {r['answered']} calls
answered, {r['failed']} failed; median {r['median']:.0f} ms, slowest {r['slowest']:.0f} ms. Clients use gateways whose `/readyz` reports ready, and on a
refused connection the next gateway, like a load balancer.""")
    if found.notes:
        parts.append("## Noted\n\n" + "\n".join(f"- {note}" for note in found.notes))
    parts.append("""## Faults found by such runs and fixed since

- During a rolling restart writes got 503 although another replica was available: the gateway never retried writes. A call that
  was not sent is now retried on another replica (`gateway/src/upstream/lost.rs`).
- A database connection that broke in the middle of a statement caused a 500. It now counts as an unavailable database, 503.
- A disk that was full for seconds used up the three attempts of a job, and a valid model failed. The engine now reports that the disk is
  full, and the job waits; it fails only after an hour.
- `scripts/servers stop` failed if a pid file disappeared meanwhile.

Fixed without having occurred: opening a connection to a stopped RabbitMQ had no timeout.""")
    parts.append("""## How it works

`scripts/chaos` starts a cluster of its own. A TCP proxy (`tests/chaos/proxy.py`) between the services and PostgreSQL, RabbitMQ, Redis, Kafka and the object store
can slow, cut, stall and half-close connections, and leave them for dead: those that stand carry nothing any more, without an end, while new
ones work, as after a failover. `tests/chaos/work.mjs` simulates users: they
upload models, have them checked and lightened, order and cancel, buy coins by WeChat and Alipay at the sandbox and a membership with
coins. A refused call is retried until it succeeds, and a response that is neither a
success nor a clear refusal (503 or 504 with the envelope, connection refused, an S3 error, a code that Redis lost) counts as broken.
After each fault every `/readyz` must report ready with database, cache and bus before the next one; after a dead link, or a replica frozen for
longer than every limit, readiness is not believed: a model has to be checked, an order paid, and every event of before has to have left its outbox. Full disks are
separate small ones (tmpfs) that are filled to the last byte; without root they are skipped.

These two are judged while they last, too, by bounds that are made of the product's limits (`tests/chaos/faults.py`, compared with the settings
by `tests/chaos/test_chaos.py`). A replica that is frozen for 60 s may cost each line of work two calls (one to it, one to a row that it has
locked) and as many more as it may hold commands of other services, a gateway what was under way there; an order that is begun meanwhile has to be
paid, and every event of before has to leave its outbox, before the replica goes on. After a link died, no call may fail any more once the
limits have passed: 50 s for PostgreSQL (rows of dead sessions are free after 30 s, a call waits for 20), 35 s for RabbitMQ (the broker
misses three heartbeats of 10 s, a reply is waited for 5), 10 s for Redis, 30 s for the store, and none at all for Kafka.

At the end all users finish what they have begun, and `scripts/chaos-auditor` reads SQL, RabbitMQ, Kafka, the store's listing and
/proc; `scripts/auditor` compares every cent with the books of the sandbox. Then the services are stopped, faults are seeded into the data, and the auditor must report each of them.""")
    return "\n\n".join(parts) + "\n"
