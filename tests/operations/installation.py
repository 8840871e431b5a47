"""Installations for testing operations: the distributed one of scripts/cluster, and a standalone."""

import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import registerlib  # noqa: E402

from client import ROOT, Client, Refused, eventually, json_of

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
#: Offsets of the ports that scripts/cluster uses.
USED = [*range(8), *range(10, 10 + 2 * len(registerlib.names()))]


def free_ports() -> int:
    """A port below the ephemeral range that is free together with its neighbours."""
    while True:
        first = random.randrange(12000, 32700)
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            for offset in USED:
                probe = held.enter_context(socket.socket())
                probe.bind(("127.0.0.1", first + offset))
            return first


def script(name: str, *words: object, check: bool = True) -> str:
    """The output of one of our scripts. Written to a file: servers that it starts would keep a pipe open."""
    with tempfile.TemporaryFile("w+") as log:
        command = [ROOT / "scripts" / name, *map(str, words)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.seek(0)
        text = log.read()
    if check and done.returncode != 0:
        raise AssertionError(f"{name} {' '.join(map(str, words))} ended with {done.returncode}:\n{text[-4000:]}")
    return text


class Cluster:
    """The distributed shape in a folder of its own."""

    def __init__(self, folder: Path):
        self.folder, self.port = folder, free_ports()
        self.sites = [f"http://127.0.0.1:{self.port + n}" for n in range(2)]
        self.sandbox = f"http://127.0.0.1:{self.port + 3}"

    def run(self, command: str, *words: object) -> str:
        # Built already: another build, with other features, would replace the program of a running process.
        built = ["--built"] if command == "up" else []
        return script("cluster", command, *words, *built, "--debug", "--dir", self.folder, "--port", self.port)

    def rotate(self, what: str) -> str:
        return script("rotate", what, "--debug", "--dir", self.folder, "--port", self.port)

    def down(self) -> None:
        if self.folder.exists():
            script("cluster", "down", "--debug", "--dir", self.folder, "--port", self.port, check=False)

    def client(self) -> Client:
        return Client(self.sites, self.sandbox)

    def database(self) -> str:
        """The address of the databases, with {service}."""
        environment = (self.folder / "servers/environment").read_text()
        return re.search(r"XUANLAN_TEST_POSTGRES=(\S+)", environment)[1] + "/{service}"

    def program(self, service: str, *words: str) -> str:
        command = [TARGET / "xuanlan", service, "--config", self.folder / f"conf/{service}-0.toml", *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout


class Standalone:
    """Everything in one process on a data folder."""

    def __init__(self, folder: Path):
        self.folder, self.port = folder, free_ports()
        self.sites = [f"http://127.0.0.1:{self.port}"]
        self.sandbox = f"http://127.0.0.1:{self.port + 2}"
        self.process = None

    def start(self) -> None:
        words = ["--port", str(self.port), "--data", str(self.folder), "--frontend", str(ROOT / "frontend/dist"), "--no-demo"]
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [TARGET / "xuanlan", "run", *words], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log
        )

        def ready():
            if self.process.poll() is not None:
                self.log.seek(0)
                raise AssertionError(self.log.read()[-4000:])
            return json_of(f"{self.sites[0]}/config.json")

        eventually("the standalone starts", ready)

    def down(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=40)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def client(self) -> Client:
        return Client(self.sites, self.sandbox)

    def database(self) -> str:
        return f"sqlite:{self.folder}/{{service}}.db"


class Load:
    """Users who repeat their calls until stopped."""

    def __init__(self, works: dict[str, list]):
        """`works`: for each user, calls without arguments, made in turn."""
        self.done, self.failed = 0, []
        self.ending = threading.Event()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self._work, args=item, daemon=True) for item in works.items()]

    def _work(self, name: str, calls: list) -> None:
        while not self.ending.is_set():
            for call in calls:
                try:
                    call()
                    with self.lock:
                        self.done += 1
                except (Refused, AssertionError, OSError, ValueError, KeyError) as error:
                    with self.lock:
                        self.failed.append(f"{time.strftime('%H:%M:%S')} {name}: {type(error).__name__} {error}"[:600])
                time.sleep(0.02)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        for thread in self.threads:
            thread.join(timeout=60)
