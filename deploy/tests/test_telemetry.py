"""The telemetry of all processes while a user registers, uploads, orders and pays: one trace from the call to the push, the
metrics that the dashboards query, a log of JSON lines; and that none of them contains a secret, at the log level debug."""

import contextlib
import json
import os
import re
import subprocess
import time
import tomllib
import urllib.request
from urllib.parse import urlsplit

import promql_parser

from otlp import Collector, Span
from project import DEFAULTS, ROOT, workloads
from test_observability import FOREIGN, dashboards, rules, selectors
from test_start import OVERLAY, TARGET, Pod, Pods

PHONE, PASSWORD = "13700000002", "Kaeufer7Geheim"
#: Longest delay before spans are exported, in milliseconds.
DELAY = "200"
#: A name of a metric in Prometheus' text format.
NAME = re.compile(r"(?m)^([a-zA-Z_:][a-zA-Z0-9_:]*)[{ ]")


class Telemetry(Pods):
    def test_a_journey_is_seen_whole_and_no_secret_with_it(self):
        collector = Collector()
        self.addCleanup(collector.stop)
        self.migrate()
        self.channels = self.make_channels()
        self.buyer()
        pods = {w.service: self.traced(w, collector) for w in workloads(OVERLAY) if w.service and w.kind != "Job"}
        for pod in pods.values():
            self.at = pod.workload.name
            self.wait_until_ready(pod)
        seen = self.journey(pods)
        figures = {name: self.figures(pod) for name, pod in pods.items()}
        for pod in pods.values():
            pod.terminate()
        for pod in pods.values():
            self.at = pod.workload.name
            self.assertEqual(pod.process.wait(timeout=60), 0, pod.text())
        # All have exited: their telemetry is complete.
        logs = {name: pod.text() for name, pod in pods.items()}
        self.check_traces(collector, seen["traces"])
        self.check_logs(logs, seen["traces"])
        self.check_figures(figures)
        self.check_secrets(pods, seen["secrets"], {"traces": collector.text, **logs, **figures})

    def test_servers_that_refuse_a_password_do_not_bring_it_into_the_log(self):
        auth = next(w for w in workloads(OVERLAY) if w.service == "auth" and w.kind != "Job")
        environment = self.machine.environment(auth)
        # The tests' Redis and RabbitMQ do not know these passwords.
        rabbit = urlsplit(environment["XUANLAN__BUS__URL"])
        redis = urlsplit(environment["XUANLAN__CACHE__URL"])
        environment |= {
            "XUANLAN__BUS__URL": f"amqp://xuanlan:Hase7Geheim@{rabbit.hostname}:{rabbit.port}/%2f",
            "XUANLAN__CACHE__URL": f"redis://:Redis7Geheim@{redis.hostname}:{redis.port}/0",
            "XUANLAN__TELEMETRY__FORMAT": "json",
            "XUANLAN__TELEMETRY__LOG": "debug",
        }
        pod = self.start(auth, environment)
        until = time.monotonic() + 30
        while "bus is away" not in pod.text() and time.monotonic() < until:
            time.sleep(0.2)
        self.assertIn("bus is away", pod.text())
        ready = f"http://127.0.0.1:{self.machine.port(auth)}/readyz"
        while time.monotonic() < until:
            with contextlib.suppress(OSError), urllib.request.urlopen(ready, timeout=5) as answer:
                state = json.loads(answer.read())
                break
            time.sleep(0.2)
        self.assertEqual((state["bus"], state["cache"]), (False, False))
        pod.terminate()
        pod.process.wait(timeout=60)
        self.assertNotRegex(pod.text(), "7Geheim")

    # ---- the journey

    def traced(self, workload, collector: Collector) -> Pod:
        """As rendered, with all telemetry on."""
        environment = self.machine.environment(workload)
        for name, value in environment.items():
            if name.endswith("__PUBLIC_ADDRESS"):
                # Addresses sent to browsers: the forwarded ports.
                for inside, outside in self.machine.ports.values():
                    value = value.replace(f"http://127.0.0.1:{inside}", f"http://127.0.0.1:{outside}")
                environment[name] = value
        environment |= {
            "XUANLAN__TELEMETRY__OTLP": collector.endpoint,
            "XUANLAN__TELEMETRY__FORMAT": "json",
            "XUANLAN__TELEMETRY__LOG": "debug",
            "OTEL_BSP_SCHEDULE_DELAY": DELAY,
        }
        if workload.service == "payment":
            environment |= self.channels
        return self.start(workload, environment)

    def make_channels(self) -> dict[str, str]:
        """Keys of both payment providers; the sandbox does not know them, so WeChat Pay refuses what they sign."""
        sandbox = next(w for w in workloads(OVERLAY) if w.service == "sandbox")
        address = f"http://127.0.0.1:{self.machine.port(sandbox)}"
        folder = self.folder / "desk"
        command = [TARGET / "xuanlan", "sandbox", "keys", "--address", address]
        settings = {"XUANLAN__SITE__PUBLIC_ADDRESS": address, "XUANLAN__SANDBOX__ENABLED": "true"}
        settings["XUANLAN__SANDBOX__PAY__FOLDER"] = str(folder)
        told = subprocess.run(command, env=settings, check=True, capture_output=True, text=True).stdout
        found = {}
        for channel, values in tomllib.loads(told)["payment"].items():
            found |= {f"XUANLAN__PAYMENT__{channel.upper()}__{key.upper()}": str(value) for key, value in values.items()}
        gateway = next(w for w in workloads(OVERLAY) if w.service == "gateway")
        site = f"http://127.0.0.1:{self.machine.port(gateway)}"
        found["XUANLAN__PAYMENT__SITE_ORIGINS"] = json.dumps([site])
        found["XUANLAN__PAYMENT__NOTIFY_ADDRESS"] = site
        return found

    def buyer(self) -> None:
        """Creates a user with coins by the operators' commands."""

        def run(service: str, *words: str) -> str:
            workload = next(w for w in workloads(OVERLAY) if w.name == f"xuanlan-{service}")
            environment = {**self.machine.environment(workload), "XUANLAN_PASSWORD": PASSWORD}
            environment["XUANLAN__DATA__DIR"] = str(self.folder / "commands")
            command = [TARGET / "xuanlan", service, *words]
            return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

        login = run("auth", "account", "add", "--phone", PHONE).split()[0]
        run("payment", "grant", "--owner", login, "--cents", "9999999", "--key", f"telemetry:{login}")

    def journey(self, pods: dict[str, Pod]) -> dict:
        url = {name: f"http://127.0.0.1:{self.machine.port(pod.workload)}" for name, pod in pods.items()}
        environment = {
            **os.environ, "XUANLAN_SITE": url["gateway"], "XUANLAN_SANDBOX": url["sandbox"],
            "XUANLAN_PHONE": PHONE, "XUANLAN_PASSWORD": PASSWORD,
        }
        command = ["node", ROOT / "frontend/e2e/telemetry.mjs"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=180)
        bad = [line for pod in pods.values() for line in pod.text().splitlines() if re.search(r'"level":"(WARN|ERROR)"', line)]
        self.assertEqual(done.returncode, 0, "\n".join([*bad[-20:], done.stderr]))
        # Wait for the next round of periodic metrics.
        time.sleep(6)
        return json.loads(done.stdout)

    def figures(self, pod: Pod) -> str:
        port = self.machine.ops_port(pod.workload)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            return answer.read().decode()

    # ---- the telemetry

    def one(self, spans: list[Span], service: str, name: str) -> Span:
        found = [span for span in spans if span.service == service and span.name == name]
        self.assertTrue(found, f"{service} has no span {name!r} among {[(s.service, s.name) for s in spans]}")
        return found[0]

    def check_traces(self, collector: Collector, told: dict) -> None:
        self.at = "traces"
        self.assertEqual({span.service for span in collector.spans}, set(DEFAULTS), "each service has spans")
        check = told["check"]
        spans = collector.of(check["trace"])
        # From the browser's call to the push into its socket, each the child of its cause.
        call = self.one(spans, "gateway", "POST /api-process/laozi/v3/upload_model_file/model_checking")
        self.assertEqual(call.parent, check["parent"])
        self.assertEqual(call.attributes["request"], check["request"])
        rpc = self.one(spans, "process", "process/ModelChecking")
        self.assertEqual((rpc.parent, rpc.attributes["request"]), (call.id, check["request"]))
        job = self.one(spans, "process", "job check")
        self.assertEqual((job.parent, job.attributes["result"]), (rpc.id, "done"))
        self.assertEqual(self.one(spans, "process", "engine check").parent, job.id)
        counted = self.one(spans, "personal", "personal consumes process.statistics.changed")
        self.assertEqual(counted.parent, rpc.id)
        objects = {s.parent for s in spans if s.service == "objectstore"}
        self.assertIn(job.id, objects)
        self.assertLessEqual(objects, {s.id for s in spans if s.service == "process"})
        pushes = {s.id: s for s in spans if s.service == "gateway" and s.name == "push"}
        self.assertLessEqual({push.parent for push in pushes.values()}, {rpc.id, job.id})
        _, trace, span, _ = check["pushed"].split("-")
        self.assertEqual(trace, check["trace"])
        self.assertEqual(pushes[span].parent, job.id, "the frame in the socket names its way here")
        # A call without a trace gets one with the request's number, across three services and their calls.
        pay = told["pay"]
        self.assertEqual(pay["trace"], pay["request"])
        spans = collector.of(pay["trace"])
        call = self.one(spans, "gateway", "POST /api-payment/laozi/V3/cloudCoin/cloudCoinPay")
        self.assertEqual(call.parent, "")
        rpc = self.one(spans, "payment", "payment/CloudCoinPay")
        self.assertEqual(rpc.parent, call.id)
        self.assertEqual(self.one(spans, "order", "command Begin").parent, rpc.id)
        took = self.one(spans, "order", "order consumes payment.attempt.succeeded")
        self.assertEqual(took.parent, rpc.id)
        bought = self.one(spans, "personal", "personal consumes order.order.paid")
        self.assertEqual(bought.parent, took.id, "an event that an event caused")
        registered = collector.of(told["register"]["trace"])
        account = self.one(registered, "personal", "personal consumes auth.account.registered")
        self.assertEqual(account.parent, self.one(registered, "auth", "auth/RegisterPhone").id)
        self.check_stream(check["trace"], job)

    def check_stream(self, trace: str, job: Span) -> None:
        """Kafka messages name their trace."""
        self.at = "Kafka"
        broker, python = (os.environ.get(f"XUANLAN_TEST_{name}") for name in ("KAFKA", "PYTHON"))
        if not (broker and python):
            return
        script = ROOT / "crates/chassis/tests/python/read_topic.py"
        command = [python, script, broker.removeprefix("kafka://"), "xuanlan.checks"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        traces = [json.loads(line)["headers"].get("traceparent", "") for line in lines]
        self.assertIn(f"00-{trace}-{job.id}-01", traces)

    def check_logs(self, logs: dict[str, str], told: dict) -> None:
        lines = {}
        for name, text in logs.items():
            self.at = f"log of {name}"
            lines[name] = [json.loads(line) for line in text.splitlines()]
            self.assertTrue(lines[name])
            for line in lines[name]:
                self.assertEqual(line["service"], name)
                self.assertLessEqual({"timestamp", "level", "target"}, set(line))
        check = told["check"]
        for name, where in (
            ("gateway", {"target": "access", "request": check["request"]}),
            ("process", {"request": check["request"], "rpc": "ModelChecking"}),
            ("process", {"message": "job ended", "kind": "check"}),
        ):
            self.at = f"log of {name}: {where}"
            of_call = [line for line in lines[name] if where.items() <= line.items()]
            self.assertIn(check["trace"], [line.get("trace") for line in of_call])

    def check_figures(self, figures: dict[str, str]) -> None:
        for name, text in figures.items():
            self.at = f"metrics of {name}"
            self.assertIn("process_resident_memory_bytes", NAME.findall(text))
        emitted = {name for text in figures.values() for name in NAME.findall(text)}
        asked = [rule["expr"] for rule in rules()]
        asked += [t["expr"] for d in dashboards().values() for panel in d["panels"] for t in panel["targets"]]
        wanted = set().union(*(selectors(promql_parser.parse(expression)) for expression in asked))
        self.at = "metrics that dashboards and alerts name"
        self.assertEqual(sorted(wanted - emitted - FOREIGN), [], "nobody tells them")

    def check_secrets(self, pods: dict[str, Pod], wire: dict[str, str], told: dict[str, str]) -> None:
        secrets = dict(wire)
        for name, value in self.channels.items():
            if value and re.search(r"KEY$", name) and "ALIPAY_KEY" not in name and "PLATFORM" not in name:
                # A private key may be written on one line or on many: search for its longest line.
                secrets[name] = max(re.sub(r"-----[^-]+-----", "", value).split(), key=len)
        for pod in pods.values():
            for name, value in self.machine.environment(pod.workload).items():
                if name.endswith("__URL") and "@" in value:
                    password = re.search(r":([^:@/]+)@", value)
                    if password and len(password[1]) > 8:
                        secrets[f"{pod.workload.name} {name}"] = password[1]
                elif re.search(r"(SECRET|SECRET_KEY|SEED|ROOT_SECRET)$", name):
                    secrets[f"{pod.workload.name} {name}"] = value
        self.assertGreater(len(secrets), 15)
        for where, text in told.items():
            for name, secret in secrets.items():
                self.at = f"{name} in {where}"
                self.assertGreaterEqual(len(secret), 8)
                at = text.find(secret)
                self.assertEqual(at, -1, text[max(at - 300, 0) : at].rpartition("\n")[2])
