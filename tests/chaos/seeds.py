"""Tests the auditor: faults are seeded into the databases, queues and processes it reads, and it has to report each."""
import shutil
import subprocess
import time

import storm
from sources import psql, psql_program, queues
from stage import cluster


def url(stage, service):
    return f"{stage.servers['postgres']}/{service}"


class Seeded:
    """One fault: `put` adds it and `take` removes it."""

    def __init__(self, rule, put, take):
        self.rule, self.put, self.take = rule, put, take


def by_sql(stage, rule, service, put, take):
    return Seeded(rule, lambda: psql(url(stage, service), put), lambda: psql(url(stage, service), take))


RESULT_COLUMNS = """owner, file_id, service_type, params, status, percent, stage, tips, model_name, file_name, format, object_key,
    preview_key, file_size, source_size, report, created_at, finished_at"""


def held_lock(stage):
    holder = {}

    def put():
        holder["process"] = subprocess.Popen(
            [psql_program(), "-XAtq", "-d", url(stage, "process")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        holder["process"].stdin.write("SELECT pg_advisory_lock(4711);\nSELECT 'held';\n")
        holder["process"].stdin.flush()
        while holder["process"].stdout.readline().strip() != "held":
            pass

    def take():
        holder["process"].stdin.close()
        holder["process"].wait(10)

    return Seeded("lock left", put, take)


def orphan(stage):
    """A process with the engine's command line, in a work folder, whose parent is no worker."""
    holder = {}

    def put():
        program = stage.dir / "xuanlan"
        shutil.copy(shutil.which("tail"), program)
        # Waits for a file of that name.
        command = [program, "modelkit", "-F"]
        holder["process"] = subprocess.Popen(command, cwd=stage.temp("process-0"), stderr=subprocess.DEVNULL)
        # Until exec it is a copy of this process.
        time.sleep(0.3)

    def take():
        holder["process"].kill()
        holder["process"].wait(10)

    return Seeded("engine left behind", put, take)


def dead_letter(stage):
    """A dead letter, added by the broker's own tool."""

    def put():
        rabbit(stage, """
            {ok, Q} = rabbit_amqqueue:lookup({resource, <<"/">>, queue, <<"xuanlan.personal.dead">>}),
            Exchange = {resource, <<"/">>, exchange, <<"">>},
            Content = rabbit_basic:build_content(rabbit_basic:properties([{delivery_mode, 2}]), <<"seeded">>),
            {ok, Message} = rabbit_basic:message(Exchange, <<"xuanlan.personal.dead">>, Content),
            rabbit_queue_type:deliver([Q], rabbit_basic:delivery(false, false, Message, undefined), stateless), ok.""")
        until = time.monotonic() + 30
        while not any(queue["name"] == "xuanlan.personal.dead" and queue["messages"] for queue in queues(stage.dir / "servers")):
            if time.monotonic() > until:
                raise TimeoutError("the broker does not count the message that was put into its dead letters")
            time.sleep(0.5)

    def take():
        rabbit_tool(stage, "purge_queue", "xuanlan.personal.dead")

    return Seeded("dead letters", put, take)


def rabbit(stage, program):
    rabbit_tool(stage, "eval", program)


def rabbit_tool(stage, *words):
    home = stage.dir / "servers/rabbit"
    environment = {**cluster.os.environ, "HOME": str(home), "ERL_EPMD_ADDRESS": "127.0.0.1"}
    node = f"xuanlan{stage.server_port('rabbit')}@localhost"
    subprocess.run(["/usr/lib/rabbitmq/bin/rabbitmqctl", "-q", "-n", node, *words], env=environment, check=True, cwd=home,
                   capture_output=True, text=True)


def seeded(stage):
    sql = lambda *of: by_sql(stage, *of)
    finished = "event_key = 'process.check.finished'"
    one = f"(SELECT MIN(id) FROM outbox WHERE {finished})"
    other = f"(SELECT MAX(id) FROM outbox WHERE {finished})"
    return [
        # Leased to a worker that is gone; no worker handles its kind of file any more, so it is not taken over in the meantime.
        sql("job whose worker is dead", "process",
            "INSERT INTO job SELECT 'seeded', 'seeded', owner, file_id, result_id, 'running', 9, 'dead', 1, created_at, updated_at"
            " FROM job LIMIT 1", "DELETE FROM job WHERE id = 'seeded'"),
        sql("more than one result of the same work", "process",
            f"INSERT INTO service_result (id, fingerprint, {RESULT_COLUMNS}) SELECT 'seeded', 'seeded', {RESULT_COLUMNS}"
            " FROM service_result WHERE status = 'done' LIMIT 1", "DELETE FROM service_result WHERE id = 'seeded'"),
        sql("event in Kafka differs from what was committed", "process",
            f"UPDATE outbox SET version = version + 1 WHERE id = {one}", f"UPDATE outbox SET version = version - 1 WHERE id = {one}"),
        sql("event in Kafka that was never committed", "process",
            f"UPDATE outbox SET id = 'x' || id WHERE id = {other}",
            f"UPDATE outbox SET id = substr(id, 2) WHERE id LIKE 'x%' AND {finished}"),
        sql("event not in Kafka", "process",
            "INSERT INTO outbox (id, event_key, aggregate, version, body, traceparent, created_at, sent_at, streamed_at)"
            " SELECT 'seeded', event_key, 'nobody', version, body, '', created_at, sent_at, streamed_at FROM outbox"
            f" WHERE {finished} LIMIT 1", "DELETE FROM outbox WHERE id = 'seeded'"),
        sql("handled what nobody told", "personal",
            "INSERT INTO inbox (consumer, message_id, received_at) VALUES ('personal', 'seeded', 1)",
            "DELETE FROM inbox WHERE message_id = 'seeded'"),
        # The inbox mark is there, the effect is missing.
        sql("counts differ from what is there", "personal",
            "UPDATE statistics SET total_uploads = total_uploads + 1 WHERE login_id = (SELECT MIN(login_id) FROM statistics)",
            "UPDATE statistics SET total_uploads = total_uploads - 1 WHERE login_id = (SELECT MIN(login_id) FROM statistics)"),
        sql("kept usage differs from what is there", "process",
            "UPDATE user_counter SET bytes = bytes + 1 WHERE owner = (SELECT MIN(owner) FROM user_counter)",
            "UPDATE user_counter SET bytes = bytes - 1 WHERE owner = (SELECT MIN(owner) FROM user_counter)"),
        dead_letter(stage),
        orphan(stage),
        held_lock(stage),
    ]


def play(stage, found):
    cluster.say("The auditor is shown faults that were put in")
    faults = seeded(stage)
    put = []
    try:
        # Stopped during the audit: workers would take over the dead one's job, and the relay would renew its lease.
        for process in stage.services:
            process.ask_to_end()
        for process in stage.services:
            process.wait_end()
        for fault in faults:
            put.append(fault)
            fault.put()
        told = {finding["rule"] for finding in storm.auditor(stage, 0)}
    finally:
        for fault in reversed(put):
            fault.take()
    found.seeded = [(fault.rule, fault.rule in told) for fault in faults]
    for rule, seen in found.seeded:
        found.check(f"the auditor names a seeded fault: {rule}", seen, "" if seen else f"it told of {sorted(told)}")
    for process in stage.services:
        process.start()
    for process in stage.services:
        process.wait_ready()
    told = storm.auditor(stage, 60)
    found.check("the auditor is content again without them", not told,
                "; ".join(f"{t['rule']}: {t['subject']} {t['detail']}" for t in told[:8]))
