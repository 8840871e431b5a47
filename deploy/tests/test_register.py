"""The register of services: generated files are up to date, and everything else agrees with it."""

import importlib.util
import tempfile
import tomllib
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

from project import ROOT, ROWS, SERVICES, Case, default_port, registerlib
from registerlib import files


def script(name: str):
    """One of our scripts as a module."""
    loader = SourceFileLoader(name.replace("-", "_"), str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Register(Case):
    def test_what_is_made_of_it_is_up_to_date(self):
        self.assertEqual(files.drift(ROOT), [], "run scripts/register write")

    def test_a_service_listens_where_its_row_says(self):
        for name, row in ROWS.items():
            self.at = name
            self.assertEqual(default_port(name), row.port)

    def test_every_service_is_a_package_of_the_program(self):
        program = tomllib.loads((ROOT / "services/xuanlan/Cargo.toml").read_text())["dependencies"]
        for name in SERVICES:
            self.assertTrue((ROOT / "services" / name / "Cargo.toml").exists(), name)
            self.assertIn(f"xuanlan-{name}", program)

    def test_the_auditors_read_every_service_they_have_to(self):
        money = {name for name in SERVICES if ROWS[name].money}
        self.assertEqual(set(script("auditor").TABLES), money)
        chaos = script("chaos-auditor")
        self.assertEqual(set(chaos.TABLES), set(SERVICES))
        self.assertEqual(sorted(chaos.COPIED), sorted(SERVICES))
        self.assertEqual(set(chaos.STREAMING), {name for name in SERVICES if "stream" in ROWS[name].uses})


class Wrong(unittest.TestCase):
    """Rejected registers."""

    def refused(self, text: str, reason: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / registerlib.FILE).write_text(text)
            with self.assertRaisesRegex(registerlib.Wrong, reason):
                registerlib.rows(Path(folder))

    def test_rows_that_are_refused(self):
        self.refused("[a]\nport = 1\n[b]\nport = 1\n", "have the port 1")
        self.refused("[a]\nport = 1\nops = 2\n[b]\nport = 2\n", "have the port 2")
        self.refused("[a]\nprot = 1\n", "knows no prot")
        self.refused("[a]\nuses = []\n", "has no port")
        self.refused("[a]\nport = 1\nuses = ['disk']\n", "uses one of")
        self.refused("[a-b]\nport = 1\n", "lower-case letters")

    def test_marks_have_to_be_there_once(self):
        marks = f"{files.OPEN.format(name='a')}\nold\n{files.CLOSE}\n"
        self.assertEqual(files.fill(marks, "a", "new\n"), marks.replace("old", "new"))
        for text in ("", marks + marks, marks.replace(files.CLOSE, "")):
            with self.assertRaises(LookupError):
                files.fill(text, "a", "new\n")
