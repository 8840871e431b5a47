"""Starts every container of ours as the overlay dev would: the rendered environment and arguments, its user, no capabilities,
a read-only root, folders in place of volumes. Only addresses change: to ports of this machine and to real servers. Each is
probed as the manifest says until it is ready, and must exit with 0 when asked to."""

import base64
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from project import ROOT, SERVICES, Case, Workload, objects, workloads

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
PROGRAMS = ("xuanlan", "modelkit-cad")
OVERLAY = "dev"
#: Third-party servers, which the tests already run: their addresses are replaced as a whole.
SERVERS = {"XUANLAN__BUS__URL": "XUANLAN_TEST_AMQP", "XUANLAN__CACHE__URL": "XUANLAN_TEST_REDIS"}
#: Nothing listens there: what a service sees while Kafka is away.
NOWHERE = "127.0.0.1:9"
#: The program's warning about a variable that names no setting.
UNKNOWN = "names no setting"


def free_port() -> int:
    """A port below the ephemeral range: no outgoing connection takes it before the program does."""
    while True:
        port = random.randrange(12000, 32768)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def rendered_environment(workload: Workload) -> dict[str, str]:
    """All variables of a container, as Kubernetes would resolve them."""
    found = {}
    for config_map in workload.config_maps:
        found |= objects(OVERLAY, "ConfigMap")[config_map]["data"]
    for secret, prefix in workload.whole_secrets:
        keys = objects(OVERLAY, "Secret")[secret]["data"]
        found |= {f"{prefix}{key}": base64.b64decode(encoded).decode() for key, encoded in keys.items()}
    for variable in workload.container.get("env", []):
        source = variable.get("valueFrom")
        if source is None:
            found[variable["name"]] = variable["value"]
        elif "secretKeyRef" in source:
            reference = source["secretKeyRef"]
            encoded = objects(OVERLAY, "Secret")[reference["name"]]["data"][reference["key"]]
            found[variable["name"]] = base64.b64decode(encoded).decode()
        else:
            reference = source["configMapKeyRef"]
            found[variable["name"]] = objects(OVERLAY, "ConfigMap")[reference["name"]]["data"][reference["key"]]
    return found


class Machine:
    """Maps the cluster's addresses to this machine."""

    def __init__(self):
        self.ports, self.ops = {}, {}
        # Of workloads with another listener for browsers: beacons, the console; and shared works.
        self.fronts, self.embeds = {}, {}
        for workload in workloads(OVERLAY):
            if workload.service and workload.kind != "Job":
                first, *others = workload.container["ports"]
                self.ports[workload.name] = (first["containerPort"], free_port())
                for other in others:
                    known = {"ops": self.ops, "front": self.fronts, "console": self.fronts, "embed": self.embeds}
                    known = known[other["name"]]
                    known[workload.name] = free_port()
        self.postgres = urlsplit(os.environ["XUANLAN_TEST_POSTGRES"])

    def port(self, workload: Workload) -> int:
        return self.ports[workload.name][1]

    def ops_port(self, workload: Workload) -> int:
        """The port of /metrics."""
        return self.ops.get(workload.name, self.port(workload))

    def translate(self, workload: Workload, name: str, value: str) -> str:
        if name in SERVERS:
            return os.environ[SERVERS[name]]
        if name == "XUANLAN__OPS__LISTEN":
            return f"127.0.0.1:{self.ops_port(workload)}"
        if name == "XUANLAN__GATEWAY__EMBED__LISTEN":
            return f"127.0.0.1:{self.embeds[workload.name]}"
        if name.endswith("__LISTEN") and name.count("__") > 2:
            return f"127.0.0.1:{self.fronts[workload.name]}"
        if name.endswith("__LISTEN"):
            return f"127.0.0.1:{self.port(workload)}"
        value = value.replace("xuanlan-postgres:5432", f"127.0.0.1:{self.postgres.port}")
        kafka = os.environ.get("XUANLAN_TEST_KAFKA", NOWHERE).removeprefix("kafka://")
        value = value.replace("xuanlan-kafka:9092", kafka)
        for host, (inside, outside) in self.ports.items():
            value = value.replace(f"{host}:{inside}", f"127.0.0.1:{outside}")
        return value

    def environment(self, workload: Workload) -> dict[str, str]:
        rendered = rendered_environment(workload)
        return {name: self.translate(workload, name, value) for name, value in rendered.items()}


class Pod:
    """A container's process in a sandbox equivalent to the container's."""

    def __init__(self, workload: Workload, environment: dict[str, str], folder: Path, program: list[str] | None = None):
        """Starts the workload's own program unless `program` is given."""
        self.workload = workload
        self.log = folder / f"{workload.name}.log"
        self.status = folder / f"{workload.name}.status"
        program = program or workload.command
        variables = [word for name, value in environment.items() for word in ("--setenv", name, value)]
        command = [*self._user(), *self._root(folder), *variables, "--", *program]
        with open(self.log, "wb") as log, open(self.status, "wb") as status:
            # The descriptor keeps the number that the command line names.
            duplicate = ["bash", "-c", f'exec "$@" 3>&{status.fileno()}', "pod", *command]
            self.process = subprocess.Popen(
                duplicate, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[status.fileno()], cwd="/"
            )

    def _user(self) -> list[str]:
        security = {**self.workload.pod["securityContext"], **self.workload.container["securityContext"]}
        assert security["readOnlyRootFilesystem"] and security["capabilities"] == {"drop": ["ALL"]}
        user, group = str(security["runAsUser"]), str(security["runAsGroup"])
        become = ["setpriv", "--reuid", user, "--regid", group, "--clear-groups", "--bounding-set=-all", "--inh-caps=-all"]
        sandbox = ["bwrap", "--unshare-user", "--uid", user, "--gid", group, "--unshare-pid", "--as-pid-1", "--new-session"]
        return [*become, *sandbox, "--die-with-parent", "--clearenv", "--json-status-fd", "3", "--cap-drop", "ALL"]

    def _root(self, folder: Path) -> list[str]:
        root = ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--proc", "/proc", "--dev", "/dev"]
        for link in ("bin", "lib", "lib64", "sbin"):
            root += ["--symlink", f"usr/{link}", f"/{link}"]
        root += ["--ro-bind", str(folder / "image"), "/opt/xuanlan"]
        for mount in workload_mounts(self.workload):
            root += ["--tmpfs", mount]
        return [*root, "--remount-ro", "/"]

    def text(self) -> str:
        return self.log.read_text(errors="replace")

    def inner(self) -> int | None:
        """Process id of the program itself, once bwrap has started it."""
        for line in self.status.read_text().splitlines():
            if "child-pid" in line:
                return json.loads(line)["child-pid"]
        return None

    def probe(self, kind: str, port: int) -> bool:
        probe = self.workload.container[kind]
        if "tcpSocket" in probe:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=3):
                return True
            return False
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{probe['httpGet']['path']}", timeout=3) as answer:
                return answer.status == 200
        except (OSError, urllib.error.HTTPError):
            return False

    def terminate(self) -> None:
        inner = self.inner()
        if inner and self.process.poll() is None:
            os.kill(inner, signal.SIGTERM)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def workload_mounts(workload: Workload) -> list[str]:
    return [mount["mountPath"] for mount in workload.container.get("volumeMounts", [])]


class Pods(Case):
    """Databases, and pods that end with the test."""

    @classmethod
    def setUpClass(cls):
        if "XUANLAN_TEST_POSTGRES" not in os.environ:
            raise unittest.SkipTest("no servers: XUANLAN_TEST_POSTGRES, _REDIS and _AMQP name them")
        missing = [program for program in PROGRAMS if not (TARGET / program).exists()]
        if missing:
            raise AssertionError(f"not built: {missing} (cargo build --workspace --bins)")
        cls.machine = Machine()
        folder = tempfile.TemporaryDirectory(prefix="xuanlan-pods-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        # Another user reads it, but may not list it.
        cls.folder.chmod(0o711)
        cls.make_image()
        cls.drop_databases()
        cls.addClassCleanup(cls.drop_databases)
        cls.make_databases()

    @classmethod
    def make_image(cls) -> None:
        """The content of /opt/xuanlan in the image, in a place that its user can reach."""
        image = cls.folder / "image"
        (image / "bin").mkdir(parents=True)
        for program in PROGRAMS:
            shutil.copy(TARGET / program, image / "bin")
        if (ROOT / "frontend/dist").exists():
            shutil.copytree(ROOT / "frontend/dist", image / "site")
        else:
            (image / "site").mkdir()

    @classmethod
    def psql(cls, *arguments: str) -> str:
        server = cls.machine.postgres
        address = ["-h", server.hostname, "-p", str(server.port), "-U", server.username or "postgres", "-d", "postgres"]
        command = ["/usr/lib/postgresql/15/bin/psql", "-q", *address, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    @classmethod
    def make_databases(cls) -> None:
        """Runs the script that the overlay's own PostgreSQL runs at its first start."""
        server = cls.machine.postgres
        postgres = next(w for w in workloads(OVERLAY) if w.name == "xuanlan-postgres")
        environment = {**os.environ, **rendered_environment(postgres)}
        environment |= {"PGHOST": server.hostname, "PGPORT": str(server.port), "PGDATABASE": "postgres"}
        environment["PATH"] = f"/usr/lib/postgresql/15/bin:{environment['PATH']}"
        script = ROOT / "k8s/components/postgres/init.sh"
        subprocess.run(["bash", str(script)], env=environment, check=True, capture_output=True)

    @classmethod
    def drop_databases(cls) -> None:
        for name in SERVICES:
            cls.psql("-c", f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        for name in SERVICES:
            cls.psql("-c", f'DROP ROLE IF EXISTS "{name}"')

    def pod(self, workload: Workload) -> Pod:
        return self.start(workload, self.machine.environment(workload))

    def start(self, workload: Workload, environment: dict[str, str]) -> Pod:
        pod = Pod(workload, environment, self.folder)
        self.addCleanup(pod.kill)
        return pod

    def migrate(self) -> None:
        jobs = [w for w in workloads(OVERLAY) if w.kind == "Job"]
        self.assertEqual(len(jobs), len(SERVICES))
        running = [self.pod(job) for job in jobs]
        for pod in running:
            self.at = pod.workload.name
            self.assertEqual(pod.process.wait(timeout=120), 0, pod.text())

    def wait_until_ready(self, pod: Pod) -> None:
        startup = pod.workload.container["startupProbe"]
        until = time.monotonic() + startup.get("periodSeconds", 10) * startup["failureThreshold"]
        port = self.machine.port(pod.workload)
        while not (pod.probe("startupProbe", port) and pod.probe("readinessProbe", port)):
            self.assertIsNone(pod.process.poll(), f"ended early: {pod.text()}")
            self.assertLess(time.monotonic(), until, f"not ready: {pod.text()}")
            time.sleep(0.25)


class Start(Pods):
    def test_everything_starts_is_ready_and_ends(self):
        self.migrate()
        pods = [self.pod(w) for w in workloads(OVERLAY) if w.service and w.kind != "Job"]
        for pod in pods:
            self.at = pod.workload.name
            self.wait_until_ready(pod)
        for pod in pods:
            self.at = pod.workload.name
            port = self.machine.port(pod.workload)
            self.assertTrue(pod.probe("livenessProbe", port), pod.text())
            self.assertNotIn(UNKNOWN, pod.text())
            self.check_confinement(pod)
        self.check_metrics(pods)
        self.check_query()
        for pod in pods:
            pod.terminate()
        for pod in pods:
            self.at = pod.workload.name
            grace = pod.workload.pod.get("terminationGracePeriodSeconds", 30)
            try:
                self.assertEqual(pod.process.wait(timeout=grace), 0, pod.text())
            except subprocess.TimeoutExpired:
                self.fail(f"did not end within {grace} s: {pod.text()}")

    def test_the_engine_works_in_the_pod_of_process(self):
        process = next(w for w in workloads(OVERLAY) if w.name == "xuanlan-process")
        environment = self.machine.environment(process)
        triangle = "printf 'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n' > a.obj"
        # The default of an empty process.engine.
        engine = f"{process.command[0]} modelkit check a.obj --json --sandbox --max-memory-mb 512"
        script = f"cd $(mktemp -d) && {triangle} && exec {engine}"
        pod = Pod(process, environment, self.folder, ["/bin/bash", "-ec", script])
        self.addCleanup(pod.kill)
        self.assertEqual(pod.process.wait(timeout=60), 0, pod.text())
        verdict = json.loads(pod.text().splitlines()[-1])
        self.assertEqual((verdict["format"], verdict["statistics"]["triangles"]), ("obj", 1))

    def check_confinement(self, pod: Pod) -> None:
        """The sandbox is what the manifest asks for, as the kernel reports it and not only as the command line says."""
        status = dict(line.split(":", 1) for line in Path(f"/proc/{pod.inner()}/status").read_text().splitlines())
        self.assertEqual(status["Uid"].split(), ["10001"] * 4)
        self.assertEqual(int(status["CapEff"], 16), 0)
        self.assertEqual(status["NoNewPrivs"].strip(), "1")
        mounts = Path(f"/proc/{pod.inner()}/mountinfo").read_text().splitlines()
        writable = {line.split()[4] for line in mounts if line.split()[5].split(",")[0] == "rw"}
        writable = {mount for mount in writable if not mount.startswith(("/dev", "/proc"))}
        self.assertEqual(writable, set(workload_mounts(pod.workload)))

    def check_query(self) -> None:
        """KEDA's query on the database of process works."""
        [trigger] = objects("prod-keda", "ScaledObject")["xuanlan-process"]["spec"]["triggers"]
        self.at = trigger["metadata"]["query"]
        self.assertRegex(self.psql("-d", "process", "-U", "process", "-tA", "-c", self.at), r"^\d+$")

    def check_metrics(self, pods: list[Pod]) -> None:
        for pod in pods:
            self.at = pod.workload.name
            address = f"http://127.0.0.1:{self.machine.ops_port(pod.workload)}/metrics"
            with urllib.request.urlopen(address, timeout=5) as answer:
                self.assertEqual(answer.status, 200)
                self.assertIn("text/plain", answer.headers["Content-Type"])
