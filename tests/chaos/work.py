"""The load program (`work.mjs`), and its output so far."""
import collections
import json
import re
import subprocess
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


class Work:
    def __init__(self, stage, model, people, first, **more):
        options = {
            "gateways": [stage.url(gateway) for gateway in stage.gateways], "sandbox": stage.url(stage.sandbox),
            "model": str(model), "people": people, "first": first, **more,
        }
        self.lines = []
        self.lock = threading.Lock()
        self.ledger = stage.dir / "accepted.jsonl"
        self.errors = open(stage.dir / "logs" / "work.log", "ab")
        self.process = subprocess.Popen(
            [ROOT / "scripts/with-node", "node", HERE / "work.mjs", json.dumps(options)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.errors, text=True,
        )
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        # Accepted work is written at once: the auditor reads it.
        kept = self.ledger.parent / "logs" / "work.jsonl"
        with open(self.ledger, "a", encoding="utf-8") as ledger, open(kept, "a", encoding="utf-8") as everything:
            for line in self.process.stdout:
                everything.write(line)
                told = json.loads(line) | {"heard": time.monotonic()}
                with self.lock:
                    self.lines.append(told)
                if told["kind"] == "accepted":
                    ledger.write(line)
                    ledger.flush()

    def said(self, since=0):
        with self.lock:
            return self.lines[since:]

    def count(self):
        with self.lock:
            return len(self.lines)

    def finish(self, patience):
        """Makes it start nothing new; whether it exited in time."""
        if self.process.poll() is None:
            try:
                self.process.stdin.write("end\n")
                self.process.stdin.flush()
            except OSError:
                pass
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(5)
        self.errors.close()
        return any(line["kind"] == "ended" for line in self.said())


def totals(lines):
    """(kind, what) → count."""
    return collections.Counter((line["kind"], line.get("what", line.get("call", ""))) for line in lines)


def refusals(lines):
    """Error → count, for refusals and broken responses."""
    told = collections.Counter()
    for line in lines:
        if line["kind"] in ("refused", "broken", "failed"):
            # Puzzles have unique names.
            message = re.sub(r"(puzzle) \S+", r"\1", line.get("message", ""))
            told[(line["kind"], line.get("status", 0), line.get("code") or "", message)] += 1
    return told


def wait_for(work, kind, what, count, patience):
    until = time.monotonic() + patience
    while time.monotonic() < until:
        if totals(work.said())[(kind, what)] >= count:
            return True
        if work.process.poll() is not None:
            return False
        time.sleep(0.2)
    return False
