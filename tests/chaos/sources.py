"""Sources of the distributed auditor: each function queries one server or the machine, and none of our services."""
import datetime
import hashlib
import hmac
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree as xml
from pathlib import Path

KAFKA_WAIT_S = 20


class Away(Exception):
    """A server that must be read does not respond."""


def psql_program():
    found = shutil.which("psql") or next(map(str, Path("/usr/lib/postgresql").glob("*/bin/psql")), None)
    if not found:
        raise Away("psql is missing (Debian: postgresql-client)")
    return found


def psql(url, statement):
    asked = subprocess.run(
        [psql_program(), "-XAtq", "--set", "ON_ERROR_STOP=1", "-d", url, "-c", statement], check=True, capture_output=True, text=True
    )
    return asked.stdout


def postgres(url, tables):
    """Table → its rows, all from one snapshot. `tables`: name → {column: expression}."""
    parts = []
    for table, columns in tables.items():
        of = ", ".join(f"'{name}', {expression}" for name, expression in columns.items())
        parts.append(f"'{table}', (SELECT COALESCE(json_agg(json_build_object({of})), '[]') FROM {table})")
    return json.loads(psql(url, f"SELECT json_build_object({', '.join(parts)})"))


def held(url, service):
    """Held advisory locks, and idle transactions."""
    statement = """
        SELECT COALESCE(json_agg(json_build_object('service', service, 'detail', detail)), '[]') FROM (
            SELECT current_database() AS service, 'advisory lock ' || objid || ' of ' || pid AS detail FROM pg_locks
            WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            UNION ALL SELECT datname, state || ' for ' || (now() - state_change) || ': ' || left(query, 80) FROM pg_stat_activity
            WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND now() - state_change > interval '10 s'
            UNION ALL SELECT database, 'prepared transaction ' || gid FROM pg_prepared_xacts WHERE database = current_database()
        ) held"""
    return json.loads(psql(url, statement))


def kafka(brokers, topics):
    """Every message: its id, type, and content, as JSON text."""
    try:
        from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, TopicPartition
    except ImportError:
        sys.exit("confluent-kafka is missing: run with the Python of scripts/test-requirements.txt")
    consumer = Consumer({"bootstrap.servers": brokers, "group.id": "auditor", "enable.auto.commit": False,
                         "enable.partition.eof": False})
    try:
        known = consumer.list_topics(timeout=KAFKA_WAIT_S).topics
        partitions = [(t, p) for t in topics if t in known for p in known[t].partitions]
        ends = {at: consumer.get_watermark_offsets(TopicPartition(*at), timeout=KAFKA_WAIT_S)[1] for at in partitions}
        consumer.assign([TopicPartition(t, p, OFFSET_BEGINNING) for t, p in partitions])
        missing = {at for at, end in ends.items() if end > 0}
        rows, until = [], time.monotonic() + KAFKA_WAIT_S
        while missing:
            if time.monotonic() > until:
                raise Away("Kafka does not send all there is")
            message = consumer.poll(0.5)
            if message is None or message.error():
                continue
            at = (message.topic(), message.partition())
            if message.offset() + 1 >= ends[at]:
                missing.discard(at)
            headers = {name: value.decode() for name, value in message.headers() or []}
            told = {"headers": headers, "key": (message.key() or b"").decode(), "value": (message.value() or b"").decode()}
            rows.append({"id": headers.get("ce_id"), "event_key": headers.get("ce_type"), "told": json.dumps(told)})
        return rows
    except KafkaException as error:
        raise Away(f"Kafka: {error}") from error
    finally:
        consumer.close()


EVENT = re.compile(r"option \(xuanlan\.options\.v1\.event\) = \{(.*?)\};", re.S)
MESSAGE = re.compile(r"^message (\w+) \{(.*?)^\}", re.M | re.S)


class Messages:
    """Reads the fields of events from `proto/` and compares Kafka's messages with the bytes of the outbox."""

    FIELD = re.compile(r"^\s*(?:optional\s+)?(string|int32|int64|bool)\s+(\w+)\s*=\s*(\d+);", re.M)

    def __init__(self, folder):
        self.fields = {}
        for path in folder.glob("*/v1/events.proto"):
            for name, body in MESSAGE.findall(path.read_text(encoding="utf-8")):
                # A oneof contains a message of its own and is not compared.
                fields = {int(number): (kind, camel(field)) for kind, field, number in self.FIELD.findall(body)}
                self.fields[path.parent.parent.name, name] = fields

    def differ(self, message, key, aggregate, version, created_at, body, told):
        """The differing fields; empty if there are none."""
        told = json.loads(told)
        due = {"ce_type": key, "ce_subject": aggregate, "ce_version": str(version)}
        wrong = [name for name, value in due.items() if told["headers"].get(name) != value]
        if told["key"] != aggregate:
            wrong.append("key")
        if milliseconds(told["headers"].get("ce_time", "")) != created_at:
            wrong.append("ce_time")
        value, wire = json.loads(told["value"]), scalars(bytes.fromhex(body))
        for number, (kind, name) in self.fields[message].items():
            empty = "" if kind == "string" else 0
            raw = wire.get(number, empty)
            committed = raw.decode() if isinstance(raw, bytes) else raw
            # Large numbers are JSON strings elsewhere; here they are numbers.
            if value.get(name, empty) != committed:
                wrong.append(name)
        return ", ".join(wrong)


def routing(folder):
    """The options of events in `proto/`: consumer → keys, and key → (topic, package, message) of those sent to Kafka."""
    consumed, streamed = {}, {}
    for path in sorted(folder.glob("*/v1/events.proto")):
        text = path.read_text(encoding="utf-8")
        found = [(name, option[1]) for name, body in MESSAGE.findall(text) if (option := EVENT.search(body))]
        assert len(found) == text.count("options.v1.event)"), f"{path}: an option that is not understood"
        for name, option in found:
            key, = re.findall(r'key: "([^"]+)"', option)
            for topic in re.findall(r'topic: "([^"]+)"', option):
                streamed[key] = (topic, path.parent.parent.name, name)
            for consumers in re.findall(r"consumers: \[(.*?)\]", option):
                for consumer in re.findall(r'"([^"]+)"', consumers):
                    consumed.setdefault(consumer, []).append(key)
    return consumed, streamed


def milliseconds(text):
    """Unix time of an RFC 3339 timestamp with any number of fractional digits; None for anything else."""
    try:
        moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return round(moment.timestamp() * 1000)


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return (value - (1 << 64) if value >> 63 else value), at


def scalars(data):
    """Number → value of the top-level fields of an encoded message; texts and messages as bytes."""
    at, found = 0, {}
    while at < len(data):
        tag, at = varint(data, at)
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            found[number], at = varint(data, at)
        elif kind == 2:
            length, at = varint(data, at)
            found[number], at = data[at : at + length], at + length
        else:
            at += {1: 8, 5: 4}[kind]
    return found


def queues(servers):
    """Name, messages and consumers of every queue. The broker counts messages of quorum queues only every five seconds."""
    ports = dict(pair.split("=") for pair in (servers / "ports").read_text().split())
    home = servers / "rabbit"
    environment = {**os.environ, "HOME": str(home), "ERL_EPMD_ADDRESS": "127.0.0.1"}
    command = ["/usr/lib/rabbitmq/bin/rabbitmqctl", "-q", "-n", f"xuanlan{ports['rabbit']}@localhost", "--formatter", "json",
               "list_queues", "name", "messages", "consumers"]
    asked = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, cwd=home)
    rows = json.loads(asked.stdout or "[]")
    # Exclusive queues of listeners are named by the broker and disappear with their connection.
    return [row for row in rows if not row["name"].startswith("amq.gen")]


def objects(address, bucket, key):
    """Key and size of every object."""
    rows, more = [], None
    while True:
        query = {"list-type": "2", "max-keys": "1000", **({"continuation-token": more} if more else {})}
        page = xml.fromstring(signed_get(address, f"/{bucket}", query, key))
        space = page.tag.partition("}")[0] + "}" if page.tag.startswith("{") else ""
        for entry in page.iter(f"{space}Contents"):
            rows.append({"key": entry.findtext(f"{space}Key"), "size": int(entry.findtext(f"{space}Size"))})
        more = page.findtext(f"{space}NextContinuationToken")
        if page.findtext(f"{space}IsTruncated") != "true" or not more:
            return rows


def signed_get(address, path, query, key):
    """A GET with AWS signature 4."""
    access, secret = key
    host = urllib.parse.urlsplit(address).netloc
    stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    text = "&".join(f"{urllib.parse.quote(k, safe='-_.~')}={urllib.parse.quote(v, safe='-_.~')}" for k, v in sorted(query.items()))
    empty = hashlib.sha256(b"").hexdigest()
    canonical = f"GET\n{path}\n{text}\nhost:{host}\nx-amz-content-sha256:{empty}\nx-amz-date:{stamp}\n\nhost;x-amz-content-sha256;x-amz-date\n{empty}"
    scope = f"{stamp[:8]}/us-east-1/s3/aws4_request"
    due = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    made = f"AWS4{secret}".encode()
    for word in scope.split("/"):
        made = hmac.new(made, word.encode(), hashlib.sha256).digest()
    signature = hmac.new(made, due.encode(), hashlib.sha256).hexdigest()
    request = urllib.request.Request(f"{address}{path}?{text}", headers={
        "x-amz-date": stamp, "x-amz-content-sha256": empty,
        "authorization": f"AWS4-HMAC-SHA256 Credential={access}/{scope}, "
                         f"SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature={signature}",
    })
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read()


def processes(folder):
    """Engines, unknown processes, and missing processes. At rest there are none."""
    known = {}
    for kept in (folder / "run").glob("*.pid"):
        known[int(kept.read_text().split()[0])] = kept.stem
    rows, alive = [], set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            exe = Path(os.readlink(entry / "exe").removesuffix(" (deleted)")).name
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            inside = os.readlink(entry / "cwd").removesuffix(" (deleted)").startswith(f"{folder}/")
        except OSError:
            continue
        pid = int(entry.name)
        alive.add(pid)
        row = {"pid": pid, "detail": " ".join(words)[:120]}
        if exe.startswith("modelkit") or words[1:2] == ["modelkit"]:
            rows += [{**row, "kind": "engine"}] if inside else []
        elif exe == "xuanlan" and any(w.startswith(f"{folder}/") for w in words) and pid not in known:
            rows.append({**row, "kind": "stranger"})
    rows += [{"pid": pid, "kind": "gone", "detail": name} for pid, name in known.items() if pid not in alive]
    return rows


def job_folders(folder):
    return [{"path": str(path)} for path in folder.glob("data/*/tmp/xuanlan-job-*")]


def accepted(path):
    """Work accepted according to the clients; work done twice because the first response was lost counts once."""
    rows = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        subject = told.get({"upload": "fileId", "result": "resultId", "cancelled": "orderId", "paid": "orderId"}[told["what"]])
        rows[told["what"], subject] = {"what": told["what"], "owner": told["owner"], "id": subject}
    return list(rows.values())
