"""docs/security.md lists every requirement once, and each test named there exists."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
STANDINGS = {"holds", "by design", "does not apply", "not held"}
#: Requirements of levels 1 and 2 in ASVS 5.0.0.
REQUIREMENTS = 253
RUST_TEST = re.compile(r"#\[(?:tokio::|actix_web::)?test(?:\([^)]*\))?\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn (\w+)\(")
#: A test that the crate's main.rs runs on each set of backends; an unused one is dead code, which clippy rejects.
SHAPED_TEST = re.compile(r"^async fn (\w+)\(shape: Shape\)", re.MULTILINE)
PYTHON_TEST = re.compile(r"^    def (test_\w+)\(", re.MULTILINE)


def tests() -> set[str]:
    found = set()
    for folder in ("services", "gateway", "crates", "proto", "tests", "deploy"):
        for suffix, pattern in ((".rs", RUST_TEST), (".rs", SHAPED_TEST), (".py", PYTHON_TEST)):
            for file in (ROOT / folder).rglob(f"*{suffix}"):
                if "node_modules" not in file.parts and "target" not in file.parts:
                    found |= set(pattern.findall(file.read_text()))
    return found


class SecurityDocument(unittest.TestCase):
    def test_every_requirement_stands_there_with_tests_that_exist(self):
        rows = ROW.findall((ROOT / "docs/security.md").read_text())
        ids = [row[0] for row in rows]
        self.assertEqual((len(ids), len(set(ids))), (REQUIREMENTS, REQUIREMENTS))
        self.assertEqual({row[3] for row in rows} - STANDINGS, set())
        named = {row[0]: set(re.findall(r"`([a-z0-9]+(?:_[a-z0-9]+){2,})`", row[4])) for row in rows}
        without = [row[0] for row in rows if row[3] == "holds" and not named[row[0]]]
        self.assertEqual(without, [], "holds, and names no test")
        missing = set().union(*named.values()) - tests()
        self.assertEqual(missing, set(), "tests that there are not")
