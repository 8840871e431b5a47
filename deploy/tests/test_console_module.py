"""Adds an area to the operators' console as docs/console.md describes, in a copy of the tree: its call and its page work, no
file of the frontend is edited, and without it everything is as before."""

import json
import os
import re
import unittest
from pathlib import Path

from project import ROOT
from tree import Tree

#: What the area consists of, at its places in the tree.
AREA = Path(__file__).parent / "console_module"
CATALOGUE = "proto/catalogue-console.tsv"
CONTRACT = "proto/openapi-console.json"
SERVICE = "services/content/src/lib.rs"
#: Existing files that are touched by hand.
BY_HAND = {CATALOGUE, SERVICE}
PATH = "/api-console/content/plums/list"
MODULE = "src/console/modules/plums"
LIST = "frontend/src/console/generated/modules.ts"


class ConsoleModule(Tree):
    parts = {"Cargo.toml", "Cargo.lock", "crates", "docs", "frontend", "gateway", "proto", "services", "services.toml", "tests"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.tree / "frontend/node_modules").symlink_to(ROOT / "frontend/node_modules")

    def edit(self, path: str, change) -> None:
        file = self.tree / path
        file.write_text(change(file.read_text()))

    def add(self) -> None:
        for source in AREA.rglob("*"):
            target = self.tree / source.relative_to(AREA)
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
        self.edit(CATALOGUE, lambda text: f"{text}K990\t{PATH}\toperator\tplum.read\n")
        self.edit(SERVICE, self.with_calls)

    def with_calls(self, text: str) -> str:
        for before, after in (
            ("mod page;\n", "mod page;\nmod plums;\n"),
            ("ContentInternalCallsServer,\n", "ContentInternalCallsServer, PlumConsoleCallsServer,\n"),
            ("        .finish()\n", "        .calls(PlumConsoleCallsServer(library.clone()))\n        .finish()\n"),
        ):
            self.assertEqual(text.count(before), 1, f"{before!r} of {SERVICE}")
            text = text.replace(before, after)
        return text

    def remove(self, before: dict[str, bytes]) -> None:
        for path, content in self.files().items():
            if path not in before:
                (self.tree / path).unlink()
            elif content != before[path]:
                (self.tree / path).write_bytes(before[path])
        (self.tree / "frontend" / MODULE).rmdir()

    def areas(self) -> list[str]:
        self.run_in_tree("node", "scripts/generate-modules.mjs", folder="frontend")
        return re.findall(r'"\.\./modules/(\w+)"', (self.tree / LIST).read_text())

    def test_an_area_comes_and_goes(self):
        known = self.areas()
        before = self.files()
        self.add()
        self.assertEqual(self.areas(), sorted([*known, "plums"]))
        after = self.files()
        touched = {path for path in before if before[path] != after[path]}
        self.assertEqual(touched, {*BY_HAND, LIST})
        page = (self.tree / "docs/console.md").read_text()
        self.assertIn(CATALOGUE, page, "the page names what is touched by hand")
        self.remove(before)
        self.assertEqual(self.areas(), known)
        self.assertEqual(self.files(), before)

    @unittest.skipIf("XUANLAN_NO_SERVERS" in os.environ, "compiles a service anew")
    def test_the_new_area_works(self):
        contract = (self.tree / CONTRACT).read_text()
        self.assertEqual(self.contract(), contract)
        before = self.files()
        self.add()
        added = self.contract()
        (self.tree / CONTRACT).write_text(added)
        known, now = (json.loads(text)["paths"] for text in (contract, added))
        self.assertEqual(set(now) - set(known), {PATH})
        self.assertEqual({path: now[path] for path in known}, known, "no other call changes")
        self.assertEqual(now[PATH]["post"]["x-permission"], "plum.read")
        # The page and its test, types and rules about imports with them.
        self.run_in_tree("npm", "run", "--silent", "api", folder="frontend")
        self.run_in_tree("npx", "tsc", "--noEmit", folder="frontend")
        self.run_in_tree("npx", "depcruise", MODULE, folder="frontend")
        self.run_in_tree("npx", "biome", "check", MODULE, folder="frontend")
        self.run_in_tree("npx", "vitest", "run", MODULE, folder="frontend")
        # Anonymous, as a user, without the permission: the service refuses the new call like all others.
        locked = "console::the_console_is_locked"
        self.assertIn("1 passed", self.run_in_tree("cargo", "test", "-q", "-p", "xuanlan-content", "--test", "content", locked))
        self.remove(before)
        self.assertEqual(self.contract(), contract)

    def contract(self) -> str:
        return self.run_in_tree("cargo", "run", "-q", "-p", "xuanlan-proto", "--bin", "xuanlan-openapi", "--", "console")
