"""The Node.js of the scripts (scripts/lib.sh): the machine's if it is new enough, else one of the project's own; and which npm
packages they install. Versions and npm are faked: the tests check which one is used, when it is downloaded, and what is
left after a failure."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
OWN = re.search(r"^node_version=(\S+)$", (SCRIPTS / "lib.sh").read_text(), re.MULTILINE)[1]

#: A Node.js that reports another version.
NODE = """#!/bin/sh
[ "$1" = --version ] && {{ echo v{version}; exit; }}
exec "{real}" --require "{pretence}" "$@"
"""
PRETENCE = 'Object.defineProperty(process, "versions", {{ value: {{ node: "{version}" }} }});\n'

#: A fake npm: installs the registry's content after a delay, or fails as without a network.
NPM = """#!/bin/sh
echo "$*" >>"{log}"
{fails}
sleep 0.2
for package in "$@"; do
    case $package in
    node-*@*) name=${{package%@*}}; mkdir -p "node_modules/$name/bin"; cp "{fetched}" "node_modules/$name/bin/node" ;;
    npm@*) mkdir -p node_modules/npm/bin
        printf '#!/usr/bin/env node\\nconsole.log("own npm")\\n' | tee node_modules/npm/bin/npm-cli.js >node_modules/npm/bin/npx-cli.js
        chmod +x node_modules/npm/bin/*.js ;;
    esac
done
"""


class Node(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.tree = self.folder / "tree"
        (self.tree / "scripts").mkdir(parents=True)
        for name in ["lib.sh", "with-node"]:
            shutil.copy(SCRIPTS / name, self.tree / "scripts" / name)
        self.cache = self.folder / "cache/xuanlan"
        self.machine = self.folder / "machine"
        self.machine.mkdir()
        self.log = self.folder / "log"

    def program(self, path, text):
        path.write_text(text)
        path.chmod(0o755)

    def node(self, path, version):
        pretence = path.with_suffix(f".{version}.cjs")
        pretence.write_text(PRETENCE.format(version=version))
        self.program(path, NODE.format(version=version, real=shutil.which("node"), pretence=pretence))

    def has(self, version, offline=False):
        """A machine with this Node.js and its npm."""
        self.node(self.machine / "node", version)
        self.node(self.folder / "fetched", OWN)
        fails = "echo no network >&2; exit 1" if offline else ""
        self.program(self.machine / "npm", NPM.format(log=self.log, fails=fails, fetched=self.folder / "fetched"))

    def start(self, *command, path=None):
        environment = {**os.environ, "PATH": path or f"{self.machine}:/usr/bin:/bin", "XDG_CACHE_HOME": str(self.cache.parent)}
        command = [self.tree / "scripts/with-node", *command]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_with(self, *command, path=None):
        process = self.start(*command, path=path)
        out, told = process.communicate(timeout=60)
        return process.returncode, out.strip(), told

    def fetches(self):
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0

    def test_a_machine_that_is_new_enough_is_taken_as_it_is(self):
        for version in ["22.22.2", "22.23.0", "24.15.0", "24.21.0", "26.0.0", "28.1.0"]:
            self.has(version)
            self.assertEqual(self.run_with("node", "--version")[:2], (0, f"v{version}"))
        self.assertEqual(self.fetches(), 0)
        self.assertFalse(self.cache.exists())

    def test_an_older_one_is_replaced_once_and_left_alone(self):
        for version in ["18.20.4", "20.20.2", "22.22.1", "23.11.0", "24.14.9", "25.9.0"]:
            shutil.rmtree(self.cache, ignore_errors=True)
            self.log.unlink(missing_ok=True)
            self.has(version)
            # Only the command's own output on stdout.
            self.assertEqual(self.run_with("node", "--version")[:2], (0, f"v{OWN}"), version)
            self.assertEqual(self.run_with("npm", "--version")[:2], (0, "own npm"))
            self.assertEqual(self.fetches(), 1)
        # From here on without a network.
        self.has("20.20.2", offline=True)
        self.assertEqual(self.run_with("node", "--version")[:2], (0, f"v{OWN}"))
        self.assertEqual((self.machine / "node").read_text().count("v20.20.2"), 1)

    def test_scripts_at_the_same_time_fetch_it_once(self):
        self.has("20.20.2")
        started = [self.start("node", "--version") for _ in range(4)]
        self.assertEqual([each.communicate(timeout=60)[0].strip() for each in started], [f"v{OWN}"] * 4)
        self.assertEqual(self.fetches(), 1)

    def test_a_failure_says_what_to_do_and_leaves_nothing_half(self):
        self.has("20.20.2", offline=True)
        status, out, told = self.run_with("node", "--version")
        self.assertEqual((status, out), (1, ""))
        self.assertIn(f"Node.js {OWN} could not be fetched", told)
        self.assertIn("Install Node.js 22.22.2 or newer", told)
        self.assertEqual([path.name for path in self.cache.iterdir()], ["node.lock"])
        self.has("20.20.2")
        self.assertEqual(self.run_with("node", "--version")[:2], (0, f"v{OWN}"))

    def test_a_binary_that_does_not_run_here_is_not_kept(self):
        self.has("20.20.2")
        self.program(self.folder / "fetched", "#!/bin/sh\nexit 1\n")
        status, _, told = self.run_with("node", "--version")
        self.assertEqual(status, 1)
        self.assertIn("does not run on this machine", told)
        self.assertEqual([path.name for path in self.cache.iterdir()], ["node.lock"])

    def test_without_any_the_machine_is_told_what_to_install(self):
        for name in ["bash", "dirname", "env", "flock"]:
            (self.machine / name).symlink_to(shutil.which(name))
        status, _, told = self.run_with("node", "--version", path=str(self.machine))
        self.assertEqual(status, 1)
        self.assertIn("Node.js is missing", told)
        self.assertIn("https://nodejs.org", told)

    def test_packages_of_tests_are_installed_for_tests_alone(self):
        self.has("24.21.0")
        folder = self.tree / "frontend"
        (folder / "node_modules").mkdir(parents=True)

        def install(lock, *only):
            """npm's arguments for this lock file; empty: everything is installed."""
            self.log.unlink(missing_ok=True)
            (folder / "package-lock.json").write_text(lock)
            script = f'source "{self.tree}/scripts/lib.sh"; npm_packages "{folder}" {" ".join(only)}'
            status, _, told = self.run_with("bash", "-euo", "pipefail", "-c", script)
            self.assertEqual(status, 0, told)
            return self.log.read_text() if self.log.exists() else ""

        self.assertIn("--omit=dev", install("one", "build"))
        self.assertEqual(install("one", "build"), "")
        self.assertIn("--omit=dev", install("two", "build"))
        everything = install("two")
        self.assertIn("install", everything)
        self.assertNotIn("--omit", everything)
        self.assertEqual(install("two"), "")
        # A build does not remove packages of the tests.
        self.assertEqual(install("two", "build"), "")
        kept = install("three", "build")
        self.assertIn("install", kept)
        self.assertNotIn("--omit", kept)
        self.assertEqual(install("three"), "")
