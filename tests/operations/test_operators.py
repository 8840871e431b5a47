"""Operator commands, run beside the standalone on whose data they work."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from installation import TARGET, Standalone


class BesideAStandalone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="xuanlan-operators-")
        self.addCleanup(folder.cleanup)
        self.installation = Standalone(Path(folder.name) / "data")
        self.addCleanup(self.installation.down)
        self.installation.start()

    def said(self, *words: str) -> str:
        environment = os.environ | {"XUANLAN__DATA__DIR": str(self.installation.folder)}
        done = subprocess.run([TARGET / "xuanlan", *words], capture_output=True, text=True, env=environment, timeout=60)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    def test_every_kind_of_command_runs_beside_it(self):
        person = self.installation.client().register("13900000003", "beifen-2026")
        owner = person.login_id
        self.assertIn("sound", self.said("payment", "audit"))
        self.said("payment", "attempts", "--json")
        gift = ["--owner", owner, "--cents", "500", "--key", "k1"]
        self.assertIn("given", self.said("payment", "grant", *gift))
        self.assertIn("given before", self.said("payment", "grant", *gift))
        self.said("auth", "account", "set-email", "--phone", "13900000003", "--email", "a@example.com")
        counts = json.loads(self.said("order", "dead", "list", "--json"))
        self.assertEqual(set(counts.values()), {0})
        self.assertIn("payment", counts)
        self.assertIn("0 delivered again", self.said("order", "dead", "replay", "payment"))
        self.said("process", "migrate")
