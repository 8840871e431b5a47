"""Alert rules, dashboards and the collector: expressions are PromQL, metrics exist, alerts are in the runbook."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import promql_parser
import yaml

from project import DEPLOY, ROOT

FOLDER = DEPLOY / "observability"
#: Metrics of other servers: Prometheus itself, and RabbitMQ's plugin.
FOREIGN = {"up", "rabbitmq_queue_messages", "rabbitmq_queue_messages_ready", "rabbitmq_queue_messages_unacked"}
#: Metrics of each process from the process-metrics library.
MACHINE = {"process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds", "process_threads"}


def selectors(expression) -> set[str]:
    """Names of all metrics in an expression."""
    if isinstance(expression, promql_parser.VectorSelector):
        return {expression.name}
    if isinstance(expression, promql_parser.MatrixSelector):
        return selectors(expression.vector_selector)
    found = set()
    for part in ("lhs", "rhs", "expr"):
        if hasattr(expression, part):
            found |= selectors(getattr(expression, part))
    for argument in getattr(expression, "args", []) or []:
        found |= selectors(argument)
    return found


def rules() -> list[dict]:
    groups = yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def dashboards() -> dict[str, dict]:
    return {path.name: json.loads(path.read_text()) for path in sorted((FOLDER / "grafana/dashboards").glob("*.json"))}


def existing() -> set[str]:
    """Metrics of our code, with the extra series of histograms."""
    found = FOREIGN | MACHINE
    for folder in ("crates", "gateway", "services"):
        for path in (ROOT / folder).rglob("*.rs"):
            for kind, name in re.findall(r'metrics::(counter|gauge|histogram)!\(\s*"(\w+)"', path.read_text()):
                found.add(name)
                if kind == "histogram":
                    found |= {f"{name}_sum", f"{name}_count", f"{name}_bucket"}
    return found


#: Metrics whose alerts have cases: money, events, disk, quotas.
WATCHED = re.compile(r"(payment|order|objectstore|data_disk)_|xuanlan_(outbox|stream|dead|removals)_?")


def evaluations(cases: dict[str, dict]) -> dict:
    """The cases as a file of `promtool test rules`: whether the alert fires for all its labels."""
    tests = []
    for alert, ways in cases.items():
        for fires in (True, False):
            for number, series in enumerate(ways["fires" if fires else "quiet"]):
                tests.append({
                    "name": f"{alert} {'fires' if fires else 'quiet'} {number}",
                    "interval": "1m",
                    "input_series": [{"series": name, "values": values} for name, values in series.items()],
                    "promql_expr_test": [{
                        "expr": f'count(ALERTS{{alertname="{alert}",alertstate="firing"}})',
                        "eval_time": ways["at"],
                        "exp_samples": [{"labels": "{}", "value": 1}] if fires else [],
                    }],
                })
    return {"rule_files": [str(FOLDER / "alerts.yaml")], "evaluation_interval": "1m", "tests": tests}


class Observability(unittest.TestCase):
    def expressions(self):
        for rule in rules():
            yield rule["alert"], rule["expr"]
        for file, dashboard in dashboards().items():
            for panel in dashboard["panels"]:
                for target in panel["targets"]:
                    yield f"{file}: {panel['title']}", target["expr"]

    def test_expressions_name_metrics_that_exist(self):
        known = existing()
        for where, expression in self.expressions():
            with self.subTest(where):
                names = selectors(promql_parser.parse(expression))
                self.assertTrue(names)
                self.assertLessEqual(names, known)

    def test_alerts_are_whole_and_have_a_page_of_the_runbook(self):
        runbook = (ROOT / "docs/operations.md").read_text()
        names = [rule["alert"] for rule in rules()]
        self.assertEqual(len(names), len(set(names)))
        for rule in rules():
            with self.subTest(rule["alert"]):
                self.assertIn(rule["labels"]["severity"], ("page", "ticket"))
                self.assertTrue(rule["annotations"]["summary"])
                self.assertEqual(rule["annotations"]["runbook"], f"docs/operations.md#{rule['alert'].lower()}")
                self.assertRegex(runbook, rf"(?m)^### {rule['alert']}$")
        for entry in re.findall(r"(?m)^### (Xuanlan\w+)$", runbook):
            self.assertIn(entry, names, "the runbook knows an alert that there is not")

    def test_dashboards_are_whole(self):
        self.assertEqual(set(dashboards()), {"gateway.json", "services.json", "work.json"})
        sources = yaml.safe_load((FOLDER / "grafana/datasources/datasources.yaml").read_text())["datasources"]
        known = {source["uid"] for source in sources}
        for name, dashboard in dashboards().items():
            ids = [panel["id"] for panel in dashboard["panels"]]
            self.assertEqual(len(ids), len(set(ids)), name)
            for panel in dashboard["panels"]:
                self.assertIn(panel["datasource"]["uid"], known)
                self.assertLessEqual(panel["gridPos"]["x"] + panel["gridPos"]["w"], 24)

    def test_the_collector_uses_what_it_defines(self):
        collector = yaml.safe_load((FOLDER / "collector.yaml").read_text())
        for name, pipeline in collector["service"]["pipelines"].items():
            for kind in ("receivers", "processors", "exporters"):
                for part in pipeline[kind]:
                    self.assertIn(part, collector[kind], name)
        used = {part for p in collector["service"]["pipelines"].values() for part in p["receivers"]}
        self.assertEqual(used, set(collector["receivers"]))

    def test_alerts_fire_when_they_should_and_only_then(self):
        cases = yaml.safe_load(Path(__file__).with_name("alert_cases.yaml").read_text())
        watched = {
            rule["alert"] for rule in rules()
            if any(map(WATCHED.match, selectors(promql_parser.parse(rule["expr"]))))
        }
        self.assertEqual(set(cases), watched)
        for alert, ways in cases.items():
            self.assertTrue(ways["fires"] and ways["quiet"], alert)
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump(evaluations(cases), file)
            file.flush()
            tool = os.environ["XUANLAN_PROMTOOL"]
            done = subprocess.run([tool, "test", "rules", file.name], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
