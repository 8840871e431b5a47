"""Injects one fault after another under load; then, at rest, the auditor checks the data."""
import contextlib
import json
import random
import subprocess
import time

import faults
import sources
from stage import ROOT, cluster
from work import Work, totals

# First phone number of this scenario's users.
PEOPLE = 13_700_000_000
RECOVER_S = 90
REST_S = 300
AUDIT_S = 90
# After the limit of a dead link the calls are watched for so long.
WATCH_S = 5


def whole(stage):
    """Whether every process is running and reaches its servers."""
    for name, (status, text) in stage.readiness().items():
        if status != 200:
            return f"{name} answers {status}"
        told = json.loads(text)
        for server in ("database", "cache", "bus"):
            if told.get(server) is False:
                return f"{name} does not see its {server}"
    lost = [process.name for process in (stage.store, stage.sandbox) if not process.ready()]
    return f"{lost[0]} does not answer" if lost else ""


def wait_whole(stage, patience, found):
    """Seconds until everything was restored; None on a timeout."""
    began = time.monotonic()
    while missing := whole(stage):
        for process in stage.processes:
            if not process.pid():
                found.note(f"{process.name} had ended by itself")
                process.start()
        if time.monotonic() - began > patience:
            found.note(f"not whole after {patience} s: {missing}")
            return None
        time.sleep(0.1)
    return time.monotonic() - began


def not_carried(stage, before_ms):
    """Events older than this that have not left their outboxes."""
    _, streamed = sources.routing(ROOT / "proto/xuanlan")
    keys = ", ".join(f"'{key}'" for key in streamed)
    waits = f"created_at < {before_ms} AND (sent_at IS NULL OR (streamed_at IS NULL AND event_key IN ({keys})))"
    left = {}
    for service in sorted({process.name.rsplit("-", 1)[0] for process in stage.services}):
        if count := int(stage.sql(f"SELECT count(*) FROM outbox WHERE {waits}", service)[0]):
            left[service] = count
    return left


def wait_works(stage, work, since, patience, found):
    """Seconds until users' work completed from end to end: an upload checked, an order paid and published, no earlier
    event left behind; None on a timeout."""
    began = time.monotonic()
    before_ms = int(time.time() * 1000)
    while True:
        done = totals(work.said(since))
        missing = [what for what in ("check", "pay") if not done[("finished", what)]]
        missing = missing or not_carried(stage, before_ms)
        if not missing:
            return time.monotonic() - began
        if time.monotonic() - began > patience or work.process.poll() is not None:
            found.note(f"not through after {patience} s: {missing}")
            return None
        time.sleep(0.5)


def failures(lines):
    return [line for line in lines if line["kind"] in ("refused", "broken")]


def cost(fault, people, lines, began, left):
    """What calls failed while a replica was frozen, and what is wrong: more of them than it may cost, or work that came to no end
    by itself. `left`: events of before that wait in outboxes."""
    failed, may = len(failures(lines)), fault.costs(people)
    paid = any((line["kind"], line.get("what")) == ("finished", "pay") and line["heard"] - line["ms"] / 1000 >= began for line in lines)
    wrong = [f"{failed} calls failed, {may} at most may"] if failed > may else []
    wrong += [] if paid else ["no order begun meanwhile was paid"]
    wrong += [f"events of before wait: {left}"] if left else []
    return {"failed": failed, "may": f"{may} calls", "last": last(lines, began), "wrong": wrong}


def lateness(fault, lines, began, hurt):
    """When calls failed after a link died, and what is wrong: some did after the limit. `hurt`: seconds until it was dead."""
    until = hurt + fault.limit_s
    late = [line for line in failures(lines) if line["heard"] - began > until]
    wrong = [f"{len(late)} calls failed later than {until:.0f} s: {said(late, ('refused', 'broken'))}"] if late else []
    return {"failed": len(failures(lines)), "may": f"none after {until:.0f} s", "last": last(lines, began), "wrong": wrong}


def last(lines, began):
    """Seconds until the last call that failed; None without one."""
    return max((line["heard"] - began for line in failures(lines)), default=None)


def play(stage, options, found):
    dice = random.Random(options.seed)
    work = Work(stage, stage.model(), options.people, PEOPLE)
    chosen = [f for f in faults.catalogue(stage) if options.only in str(f)]
    if options.scenario == "short":
        chosen = faults.short(chosen)
    plan = faults.plan(chosen, options.faults, dice)
    try:
        # The first uploads complete before any fault, so that the memory baseline is taken under load.
        until = time.monotonic() + 60
        while totals(work.said())[("finished", "lighten")] < 1 and time.monotonic() < until:
            time.sleep(0.2)
        found.memory_begin = stage.memory()
        began = time.monotonic()
        cluster.say(f"{len(plan)} faults under the work of {options.people} people")
        for number, fault in enumerate(plan, 1):
            if time.monotonic() - began > options.minutes * 60:
                cluster.say(f"time is over after {number - 1} faults")
                break
            one(stage, fault, work, dice, began, number, found, options.people)
        cluster.say("Everybody finishes what was begun")
        ended = work.finish(REST_S)
    finally:
        if work.process.poll() is None:
            work.process.kill()
    found.lines = work.said()
    found.memory_end = stage.memory()
    found.storm_seconds = time.monotonic() - began
    counted = totals(found.lines)
    found.check("the work came to its end", ended and not any(k == "stuck" for k, _ in counted), stuck(found.lines))
    found.check("every answer was a success or a clear refusal", not any(k == "broken" for k, _ in counted),
                broken(found.lines))
    found.check("work went on: uploads were accepted and lightened", counted[("finished", "lighten")] > 0,
                f"{counted[('finished', 'lighten')]} of {counted[('accepted', 'upload')]}")
    hurt = [event for event in found.events if not event["skipped"]]
    found.check("everything became whole again after each fault", all(e["whole"] is not None for e in hurt) and bool(hurt),
                f"{len(hurt)} faults")
    judged = [event for event in hurt if event["meanwhile"]]
    for kind, name in [("frozen long", "a frozen replica costs its own calls only"),
                       ("dead link", "a dead link costs calls for as long as their limits only")]:
        of = [event for event in judged if event["kind"] == kind]
        wrong = [f"{event['part']}: {what}" for event in of for what in event["meanwhile"]["wrong"]]
        if of:
            found.check(name, not wrong, "; ".join(wrong) or f"{len(of)} faults")
    found.check("no process ended by itself", not any("by itself" in note for note in found.notes), "; ".join(found.notes))


def one(stage, fault, work, dice, began, number, found, people):
    before, before_ms = work.count(), int(time.time() * 1000)
    start = time.monotonic()
    skipped, meanwhile = "", None
    try:
        with faults.lasting(fault.act(stage, dice)):
            if fault.costs:
                meanwhile = cost(fault, people, work.said(before), start, not_carried(stage, before_ms))
    except faults.Skipped as why:
        skipped = str(why)
    at, hurt = start - began, time.monotonic() - start
    recovered = None if skipped else wait_whole(stage, RECOVER_S, found)
    if fault.works and recovered is not None:
        through = wait_works(stage, work, work.count() if hurt > 5 else before, RECOVER_S, found)
        recovered = None if through is None else recovered + through
    if fault.limit_s is not None and not skipped:
        time.sleep(max(0.0, start + hurt + fault.limit_s + WATCH_S - time.monotonic()))
        meanwhile = lateness(fault, work.said(before), start, hurt)
    time.sleep(dice.uniform(0.2, 0.8))
    done = totals(work.said(before))
    kinds = {kind: sum(n for (k, _), n in done.items() if k == kind) for kind in ("finished", "refused", "broken")}
    found.events.append({"at": at, "kind": fault.kind, "part": fault.part, "hurt": hurt, "whole": recovered,
                         "skipped": skipped, "meanwhile": meanwhile, **kinds})
    tail = f"skipped: {skipped}" if skipped else (
        f"hurt {hurt:4.1f} s, whole after {recovered if recovered is None else round(recovered, 1)} s")
    print(f"  {number:3} {at:6.1f} s  {fault!s:28} {tail}; meanwhile {kinds['finished']} done, {kinds['refused']} refused"
          + (f", {kinds['broken']} BROKEN" if kinds["broken"] else "")
          + (f"; {'; '.join(meanwhile['wrong'])}" if meanwhile and meanwhile["wrong"] else ""), flush=True)


def said(lines, kinds):
    told = [f"{line.get('what', line.get('call'))}: {line.get('status', '')} {line.get('code', '')} {line.get('message', '')}"
            for line in lines if line["kind"] in kinds]
    return f"{len(told)}: " + "; ".join(list(dict.fromkeys(told))[:8]) if told else ""


def stuck(lines):
    return said(lines, ("stuck",))


def broken(lines):
    return said(lines, ("broken",))


def auditor(stage, wait):
    """Runs the auditor; returns its findings."""
    servers = stage.servers
    python = subprocess.run(
        ["bash", "-c", f'source "{ROOT}/scripts/lib.sh"; echo "$test_python"'], capture_output=True, text=True, check=True
    ).stdout.strip()
    command = [
        python, ROOT / "scripts/chaos-auditor", "--database", f"{servers['postgres']}/{{service}}",
        "--kafka", servers["kafka"].removeprefix("kafka://"), "--servers", stage.dir / "servers",
        "--objects", stage.url(stage.store), "--bucket", "xuanlan-development", "--folder", stage.dir,
        "--accepted", stage.dir / "accepted.jsonl", "--wait", str(wait), "--json",
    ]
    environment = {"AUDIT_ACCESS_KEY": stage.keys["store_key"], "AUDIT_SECRET_KEY": stage.keys["store_secret"]}
    asked = subprocess.run(command, capture_output=True, text=True, env={**cluster.os.environ, **environment})
    with contextlib.suppress(ValueError):
        return json.loads(asked.stdout)
    return [{"rule": "the auditor failed", "subject": "", "detail": asked.stderr[-600:]}]


def money(stage):
    """Findings of the money auditor."""
    command = [ROOT / "scripts/auditor", "--database", f"{stage.servers['postgres']}/{{service}}", "--streamed",
               "--books", stage.url(stage.sandbox), "--wait", "30"]
    asked = subprocess.run(command, capture_output=True, text=True)
    return "" if asked.returncode == 0 else (asked.stdout + asked.stderr)[-400:]


def audit(stage, found):
    cluster.say("The auditor compares")
    told = auditor(stage, AUDIT_S)
    found.audit = told
    found.check("the auditor finds nothing", not told, "; ".join(f"{t['rule']}: {t['subject']} {t['detail']}" for t in told[:12]))
    told = money(stage)
    found.check("the auditor of money finds nothing", not told, told)
