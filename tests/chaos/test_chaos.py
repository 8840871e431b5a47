"""Unit tests of scripts/chaos: the proxy's faults, the coverage of a plan, the comparison of events."""
import importlib.machinery
import importlib.util
import json
import random
import re
import socket
import sys
import tempfile
import threading
import time
import tomllib
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import faults  # noqa: E402
import sources  # noqa: E402
import storm  # noqa: E402
from proxy import Proxy  # noqa: E402


class Echo:
    """Echoes its input, and sends "bye" at the end."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=[client], daemon=True).start()

    @staticmethod
    def answer(client):
        try:
            while data := client.recv(4096):
                client.sendall(data)
            client.sendall(b"bye")
        except OSError:
            pass
        client.close()


class ProxyTest(unittest.TestCase):
    def setUp(self):
        self.echo, self.proxy = Echo(), Proxy()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.proxy.add("echo", self.port, ("127.0.0.1", self.echo.port))
        self.client = socket.create_connection(("127.0.0.1", self.port), timeout=5)
        self.assertEqual(self.say(b"one"), b"one")

    def tearDown(self):
        self.client.close()
        self.proxy.stop()
        self.echo.listener.close()

    def say(self, data):
        self.client.sendall(data)
        return self.client.recv(4096)

    def test_a_stalled_link_carries_nothing_until_it_is_mended(self):
        self.proxy.tell("echo", "stall")
        self.client.settimeout(0.3)
        with self.assertRaises(TimeoutError):
            self.say(b"two")
        self.proxy.tell("echo", "mend")
        self.client.settimeout(5)
        self.assertEqual(self.client.recv(4096), b"two")

    def test_a_cut_link_breaks_what_stands_and_refuses_what_comes(self):
        self.proxy.tell("echo", "cut")
        with self.assertRaises(ConnectionError):
            if not self.client.recv(1):
                raise ConnectionError
        with self.assertRaises(ConnectionError), socket.create_connection(("127.0.0.1", self.port), timeout=5) as other:
            other.sendall(b"x")
            if not other.recv(1):
                raise ConnectionError
        self.proxy.tell("echo", "mend")
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as other:
            other.sendall(b"back")
            self.assertEqual(other.recv(4096), b"back")

    def test_a_half_closed_link_still_carries_the_other_way(self):
        self.proxy.tell("echo", "half_close")
        self.assertEqual(self.client.recv(4096), b"bye")

    def test_a_dead_link_is_silent_for_ever_and_a_new_connection_works(self):
        self.proxy.tell("echo", "die")
        self.client.settimeout(0.3)
        with self.assertRaises(TimeoutError):
            self.say(b"two")
        self.proxy.tell("echo", "mend")
        with self.assertRaises(TimeoutError):
            self.say(b"three")
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as other:
            other.sendall(b"new")
            self.assertEqual(other.recv(4096), b"new")

    def test_a_slow_link_is_late_and_loses_nothing(self):
        self.proxy.tell("echo", "slow", 0.2)
        began = time.monotonic()
        self.assertEqual(self.say(b"late"), b"late")
        self.assertGreater(time.monotonic() - began, 0.4)


class PlanTest(unittest.TestCase):
    def setUp(self):
        names = [(kind, f"{part}-{n}") for kind in ("kill -9", "SIGSTOP", "SIGTERM") for part in ("auth", "order") for n in (0, 1)]
        names += [("restart", "redis"), ("restart", "kafka"), ("cut link", "store"), ("full disk", "worker-0")]
        self.faults = [faults.Fault(kind, part, None) for kind, part in names]

    def test_the_same_seed_hurts_the_same(self):
        plans = [list(map(str, faults.plan(self.faults, 20, random.Random(seed)))) for seed in (5, 5, 6)]
        self.assertEqual(plans[0], plans[1])
        self.assertNotEqual(plans[0], plans[2])

    def test_everything_is_hurt_before_anything_is_again_and_a_short_plan_has_every_kind(self):
        whole = faults.plan(self.faults, len(self.faults), random.Random(1))
        self.assertEqual(sorted(map(str, whole)), sorted(map(str, self.faults)))
        short = faults.plan(self.faults, 6, random.Random(1))
        self.assertEqual({fault.kind for fault in short}, {fault.kind for fault in self.faults})


    def test_a_short_plan_has_the_dead_links_that_it_must_and_no_others(self):
        links = [faults.Fault("dead link", part, None, works=True) for part in ("postgres", "rabbit", "redis", "kafka", "store")]
        slow = [faults.Fault("frozen long", "order-1", None, works=True)]
        chosen = faults.plan(faults.short(self.faults + links + slow), 12, random.Random(1))
        self.assertEqual({str(fault) for fault in chosen if fault.works}, {"dead link postgres", "dead link rabbit"})
        self.assertEqual(len(chosen), 12)


class MeanwhileTest(unittest.TestCase):
    ROOT = Path(__file__).resolve().parent.parent.parent

    def setUp(self):
        self.frozen = faults.Fault("frozen long", "order-1", None, costs=lambda people: 2 * people)
        self.dead = faults.Fault("dead link", "redis", None, limit_s=10)
        self.paid = {"kind": "finished", "what": "pay", "heard": 109.0, "ms": 8000}

    @staticmethod
    def refused(*times):
        return [{"kind": "refused", "what": "order", "heard": time} for time in times]

    def test_the_bounds_are_made_of_the_settings_of_the_product(self):
        settings = {}
        for path in ("crates/chassis/src/default.toml", "gateway/src/default.toml"):
            settings |= tomllib.loads((self.ROOT / path).read_text())
        bus, database = settings["bus"], settings["database"]
        self.assertEqual(faults.CALL_S * 1000, settings["gateway"]["call_wait_ms"])
        self.assertEqual((faults.REPLY_S * 1000, faults.HEARTBEAT_S), (bus["reply_wait_ms"], bus["heartbeat_seconds"]))
        self.assertEqual(faults.LOCK_S, database["idle_transaction_seconds"])
        self.assertGreaterEqual(faults.CACHE_S * 1000, settings["cache"]["wait_ms"])
        commands = (self.ROOT / "crates/chassis/src/bus/amqp/commands.rs").read_text()
        self.assertEqual(str(faults.COMMANDS), re.search(r"const AT_A_TIME: u16 = (\d+);", commands)[1])
        self.assertGreater(faults.FROZEN_S, max(faults.LOCK_S + faults.CALL_S, 3 * faults.HEARTBEAT_S + faults.REPLY_S))

    def test_a_frozen_replica_may_cost_calls_but_not_the_work(self):
        fine = storm.cost(self.frozen, 3, [*self.refused(*range(101, 107)), self.paid], 100.0, {})
        self.assertEqual((fine["wrong"], fine["failed"], fine["last"]), ([], 6, 6.0))
        many = storm.cost(self.frozen, 3, [*self.refused(*range(101, 108)), self.paid], 100.0, {})
        self.assertEqual(len(many["wrong"]), 1)
        # Begun before.
        earlier = storm.cost(self.frozen, 3, [self.paid | {"ms": 9500}], 100.0, {})
        self.assertEqual(len(earlier["wrong"]), 1)
        self.assertEqual(len(storm.cost(self.frozen, 3, [self.paid], 100.0, {"order": 2})["wrong"]), 1)

    def test_a_dead_link_may_cost_calls_until_its_limit_and_none_after_it(self):
        fine = storm.lateness(self.dead, self.refused(101, 110, 111.5), 100.0, 2.0)
        self.assertEqual((fine["wrong"], fine["failed"], fine["last"]), ([], 3, 11.5))
        self.assertEqual(len(storm.lateness(self.dead, self.refused(101, 112.5), 100.0, 2.0)["wrong"]), 1)
        self.assertIsNone(storm.lateness(self.dead, [self.paid], 100.0, 2.0)["last"])

    def test_what_is_asked_before_a_fault_ends_is_asked_while_it_lasts(self):
        seen = []

        def act():
            seen.append("begins")
            try:
                yield
            finally:
                seen.append("ends")

        with faults.lasting(act()):
            seen.append("lasts")
        with faults.lasting(None):
            seen.append("has ended by itself")
        self.assertEqual(seen, ["begins", "lasts", "ends", "has ended by itself"])

        def skipped():
            raise faults.Skipped("not running")
            yield

        with self.assertRaises(faults.Skipped), faults.lasting(skipped()):
            self.fail("it was skipped")


class RoutingTest(unittest.TestCase):
    ROOT = Path(__file__).resolve().parent.parent.parent

    def setUp(self):
        self.consumed, self.streamed = sources.routing(self.ROOT / "proto/xuanlan")

    def test_the_options_of_events_are_read(self):
        self.assertLessEqual({"order.order.paid", "order.payment.refused"}, set(self.consumed["payment"]))
        self.assertNotIn("order.order.ended", self.consumed["payment"])
        self.assertEqual(self.streamed["payment.order.fulfilled"], ("payments", "payment", "OrderFulfilled"))
        self.assertNotIn("auth.session.revoked", self.streamed)

    def test_the_auditor_of_money_knows_who_consumes_what(self):
        """It shares no code with what it audits, so it has its own list."""
        loader = importlib.machinery.SourceFileLoader("auditor", str(self.ROOT / "scripts/auditor"))
        auditor = importlib.util.module_from_spec(importlib.util.spec_from_loader("auditor", loader))
        loader.exec_module(auditor)
        money = {"order", "payment", "personal"}
        due = {}
        for consumer, keys in self.consumed.items():
            for key in keys:
                if consumer in money and key.split(".")[0] in money:
                    due.setdefault((key.split(".")[0], key), []).append(consumer)
        known = {at: sorted(consumers) for at, consumers in auditor.CONSUMED.items()}
        self.assertEqual(known, {at: sorted(consumers) for at, consumers in due.items()})


class EventTest(unittest.TestCase):
    # OrderEnded: order_id "o1", owner "7", state "expired", ended_at_ms 1795312800123.
    BODY = "0a026f311201371a076578706972656420fbd4d2ffdf34"
    KEY = "order.order.ended"

    def told(self, **changed):
        value = {"orderId": "o1", "owner": "7", "state": "expired", "endedAtMs": self.ended(), **changed}
        headers = {"ce_type": self.KEY, "ce_subject": "o1", "ce_version": "3", "ce_time": "2023-11-14T22:13:20.12Z"}
        return json.dumps({"headers": headers, "key": "o1", "value": json.dumps(value)})

    def ended(self):
        return sources.scalars(bytes.fromhex(self.BODY))[4]

    def differ(self, told, version=3):
        messages = sources.Messages(Path(__file__).resolve().parent.parent.parent / "proto/xuanlan")
        return messages.differ(("order", "OrderEnded"), self.KEY, "o1", version, 1_700_000_000_120, self.BODY, told)

    def test_what_was_committed_and_what_kafka_has_are_compared_field_by_field(self):
        self.assertEqual(self.differ(self.told()), "")
        self.assertEqual(self.differ(self.told(state="cancelled")), "state")
        self.assertEqual(self.differ(self.told(endedAtMs=1)), "endedAtMs")
        self.assertEqual(self.differ(self.told(), version=4), "ce_version")


class LedgerTest(unittest.TestCase):
    def test_what_was_accepted_twice_counts_once(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            line = json.dumps({"what": "upload", "owner": "7", "fileId": "f1"})
            file.write(f"{line}\n{line}\n")
            file.flush()
            self.assertEqual(sources.accepted(Path(file.name)), [{"what": "upload", "owner": "7", "id": "f1"}])
