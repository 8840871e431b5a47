"""The image recipe: its linter, its stages, the files it copies, and the libraries its programs need."""

import functools
import http.server
import os
import re
import shutil
import subprocess
import tempfile
import threading
import tomllib
from pathlib import Path

import dockerfile_parse

from project import DEPLOY, ROOT, ROWS, Case

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
#: The one program, and the engine's helper for STEP and IGES.
PROGRAMS = ["xuanlan", "modelkit-cad"]


def stages() -> dict[str, list[tuple[str, str]]]:
    """Instructions (name, text) of each stage by its name."""
    parser = dockerfile_parse.DockerfileParser(path=str(DEPLOY / "Dockerfile"), fileobj=None)
    found, current = {}, None
    for instruction in parser.structure:
        name, value = instruction["instruction"], instruction["value"]
        if name == "FROM":
            current = found.setdefault(value.split()[-1], [("FROM", value.split()[0])])
        elif current is not None and name != "COMMENT":
            current.append((name, value))
    return found


def variables(instructions) -> dict[str, str]:
    found = {}
    for name, value in instructions:
        if name == "ENV":
            found |= dict(pair.split("=", 1) for pair in value.split())
    return found


class Images(Case):
    def test_linter(self):
        done = subprocess.run([os.environ["XUANLAN_HADOLINT"], str(DEPLOY / "Dockerfile")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_settings_of_the_image_are_known_to_every_part(self):
        settings = {name: text for name, text in variables(stages()["runtime"]).items() if name.startswith("XUANLAN__")}
        self.assertTrue(settings)
        for part in ROWS:
            self.known(part, settings)

    def test_the_last_stage_is_confined(self):
        last = dict(stages()["runtime"])
        self.assertEqual(last["USER"], "10001:10001")
        self.assertIn("HEALTHCHECK", last)
        self.assertTrue(last["ENTRYPOINT"].startswith("["), "signals reach the program, not a shell")
        self.assertEqual(list(stages())[-1], "runtime", "what is built is the last stage")
        base = last["FROM"]
        self.assertRegex(base, r"^debian:.*-slim$")

    def test_the_health_check_tells_ready_from_not(self):
        class Ready(http.server.BaseHTTPRequestHandler):
            status, wanted = 200, "/readyz"

            def do_GET(self):
                self.send_response(Ready.status if self.path == Ready.wanted else 404)
                self.end_headers()

            def log_message(self, *_):
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Ready) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            environment = {"PATH": os.environ["PATH"], "XUANLAN__AUTH__LISTEN": f"0.0.0.0:{server.server_port}"}
            for status, expected in ((200, True), (503, False)):
                Ready.status = status
                self.assertEqual(self.healthy(environment), expected)
            self.assertFalse(self.healthy({**environment, "HEALTH_PATH": "/elsewhere"}))
            # The object store has no /readyz on its own port.
            port = {"XUANLAN__OBJECTSTORE__LISTEN": f"0.0.0.0:{server.server_port}", "PATH": os.environ["PATH"]}
            Ready.status = 200
            self.assertFalse(self.healthy(port))
            Ready.wanted = "/healthz"
            self.assertTrue(self.healthy(port))
            server.shutdown()
        self.assertFalse(self.healthy(environment), "nobody listens any more")

    def healthy(self, environment: dict[str, str]) -> bool:
        return subprocess.run([str(DEPLOY / "healthcheck")], env=environment, capture_output=True).returncode == 0

    def test_every_program_is_built_and_copied(self):
        build = next(value for name, value in stages()["builder"] if name == "RUN" and "cargo build" in value)
        copied = [value for name, value in stages()["runtime"] if name == "COPY"]
        for program in PROGRAMS:
            self.assertRegex(build, rf"--bin {program}\s")
            self.assertTrue(any(f"/out/{program} " in value for value in copied), program)
        self.assertTrue(dict(stages()["runtime"])["ENTRYPOINT"].endswith('"/opt/xuanlan/bin/xuanlan"]'))

    def test_what_the_builder_gets_is_a_whole_workspace(self):
        """cargo resolves the workspace from what .dockerignore lets through, which contains all included files."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            for path in self.context():
                if path.name in ("Cargo.toml", "Cargo.lock") or path.suffix == ".rs":
                    target = copy / path.relative_to(ROOT)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, target)
            command = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1", "--no-deps"]
            done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        present = set(self.context())
        for path in present:
            if path.suffix == ".rs" and "tests" not in path.relative_to(ROOT).parts:
                for included in re.findall(r'include_(?:str|bytes)!\("([^"]+)"\)', path.read_text()):
                    wanted = (path.parent / included).resolve()
                    if wanted.exists():
                        self.assertIn(wanted, present, f"{path} includes it")

    def context(self) -> list[Path]:
        """Tracked files that .dockerignore lets through: those below a line `!path`, less the other lines."""
        lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
        self.assertEqual(lines[0], "*")
        kept = [line[1:] for line in lines if line.startswith("!")]
        listed = subprocess.run(["git", "ls-files", *kept], cwd=ROOT, capture_output=True, text=True, check=True)
        return [ROOT / name for name in listed.stdout.splitlines()]

    def test_members_of_the_workspace_are_let_through(self):
        kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
        for member in tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["members"]:
            self.assertTrue(any(member == k or member.startswith(f"{k}/") for k in kept), member)

    def test_libraries_of_the_programs_are_installed(self):
        """The libraries that `ldd` lists belong to packages of the image or of its base image."""
        built = [program for program in PROGRAMS if (TARGET / "debug" / program).exists()]
        if not built:
            self.skipTest("no program is built")
        libraries = {program: libraries_of(TARGET / "debug" / program) for program in built}
        owners = packages_of({library for found in libraries.values() for library in found})
        for program in built:
            self.at = program
            missing = {owners.get(library, library) for library in libraries[program]} - installed()
            self.assertEqual(missing, set(), "the image lacks packages")


def installed() -> set[str]:
    """Packages of the image and their dependencies, according to this Debian; libc is in every base image."""
    waiting, seen = ["libc6"], set()
    for name, value in stages()["runtime"]:
        if name == "RUN" and "apt-get install" in value:
            words = value.split("install", 1)[1].split("&&")[0].split()
            waiting += [word for word in words if word[0] not in "-\\"]
    while waiting:
        package = waiting.pop()
        if package not in seen:
            seen.add(package)
            waiting += dependencies().get(package, [])
    return seen


@functools.cache
def dependencies() -> dict[str, list[str]]:
    """Dependencies of each installed package; of alternatives the first."""
    listed = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\t${Depends}\n"], capture_output=True, text=True, check=True)
    found = {}
    for line in listed.stdout.splitlines():
        package, _, clauses = line.partition("\t")
        found[package] = [clause.split()[0].split(":")[0] for clause in clauses.split(",") if clause.strip()]
    return found


def libraries_of(program: Path) -> list[str]:
    listed = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True).stdout
    assert "not found" not in listed, listed
    return re.findall(r"=> (/\S+)", listed)


def packages_of(libraries: set[str]) -> dict[str, str]:
    """The package of each library. Packages list files with or without /usr, and by the target of a link."""
    asked = {}
    for library in libraries:
        real = os.path.realpath(library)
        asked |= {path: library for path in (library, real, real.removeprefix("/usr"), f"/usr{library}")}
    done = subprocess.run(["dpkg-query", "-S", *asked], capture_output=True, text=True)
    return {asked[path]: owner.split(":")[0] for owner, path in re.findall(r"(?m)^(\S+): (/\S+)$", done.stdout)}
