"""The cluster under test: `scripts/cluster` with a fault proxy between services and servers, small disks, and settings
that let one machine act as many users."""
import argparse
import importlib.machinery
import importlib.util
import os
import random
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from proxy import Proxy

ROOT = Path(__file__).resolve().parent.parent.parent
loader = importlib.machinery.SourceFileLoader("cluster", str(ROOT / "scripts/cluster"))
cluster = importlib.util.module_from_spec(importlib.util.spec_from_loader("cluster", loader))
loader.exec_module(cluster)

LINKS = ["postgres", "rabbit", "redis", "store", "kafka"]
# Offsets in a block of ports: first those of the cluster's processes, then the proxy's.
PROXY_AT = 40
BLOCK = 50
WORK_DISK_MB, STORE_DISK_MB = 48, 384
# Shorter than a worker is stopped: leases are lost during the run.
LEASE_S = 6
PEOPLE_OF_ONE_ADDRESS = 1_000_000


def free_block(seed):
    """The first of a block of free ports, below the ephemeral range."""
    dice = random.Random(seed)
    while True:
        base = dice.randrange(12000, 32700 - BLOCK)
        held = []
        try:
            for port in range(base, base + BLOCK):
                held.append(socket.socket())
                held[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                held[-1].bind(("127.0.0.1", port))
            return base
        except OSError:
            continue
        finally:
            for each in held:
                each.close()


class Stage(cluster.Cluster):
    def __init__(self, folder, debug, built, seed):
        self.base = free_block(seed)
        through = [f"{name}=127.0.0.1:{self.base + PROXY_AT + i}" for i, name in enumerate(LINKS)]
        super().__init__(argparse.Namespace(dir=folder, port=self.base, debug=debug, built=built, through=through))
        self.proxy = Proxy()
        self.mounts = []
        self.disks = {"worker-0": self.temp("process-0"), "worker-1": self.temp("process-1"),
                      "store": self.dir / "data/objects"}

    def temp(self, name):
        return self.dir / "data" / name / "tmp"

    # ---- settings

    def configure_auth(self, process):
        sections = super().configure_auth(process)
        sections["auth.sms"] |= {"resend_seconds": 0, "per_address_hour": PEOPLE_OF_ONE_ADDRESS,
                                 "per_address_day": PEOPLE_OF_ONE_ADDRESS, "per_number_hour": 1000, "per_number_day": 1000}
        sections["auth.slider"]["passes_per_address_hour"] = PEOPLE_OF_ONE_ADDRESS
        return sections

    def configure_process(self, process):
        sections = super().configure_process(process)
        sections["process"] |= {"temp_dir": str(self.temp(process.name)), "lease_seconds": LEASE_S, "turntable_frames": 3}
        return sections

    def configure_order(self, process):
        return {"order": {"listen": f"127.0.0.1:{process.port}", "pending_limit": 100_000}}

    def configure_gateway(self, process):
        sections = super().configure_gateway(process)
        # As in production: time for load balancers to notice the shutdown.
        sections["gateway"]["drain_wait_ms"] = 1500
        for rate in ["normal", "sign_in", "sms", "heavy"]:
            sections[f"gateway.rate.{rate}"] = {"address": PEOPLE_OF_ONE_ADDRESS, "user": PEOPLE_OF_ONE_ADDRESS}
        return sections

    # ---- up and down

    def prepare(self):
        super().prepare()
        for name, folder in self.disks.items():
            folder.mkdir(parents=True, exist_ok=True)
            size = STORE_DISK_MB if name == "store" else WORK_DISK_MB
            if os.geteuid() == 0 and not subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={size}m", "xuanlan-chaos", folder], capture_output=True
            ).returncode:
                self.mounts.append(folder)

    def start_servers(self):
        super().start_servers()
        for i, name in enumerate(LINKS):
            # Kafka's clients reconnect to its advertised address, so it has a separate port for those of the proxy.
            port = self.store.port if name == "store" else self.server_port({"kafka": "through"}.get(name, name))
            target = ("127.0.0.1", port)
            self.proxy.add(name, self.base + PROXY_AT + i, target)

    def server_settings(self):
        return super().server_settings() | {"KAFKA_THROUGH": str(self.base + PROXY_AT + LINKS.index("kafka"))}

    def server_port(self, name):
        ports = dict(pair.split("=") for pair in (self.dir / "servers/ports").read_text().split())
        return int(ports[name])

    def server_pid(self, name):
        kept = {"postgres": "postgres/db/postmaster.pid"}.get(name, f"{name}/pid")
        return int((self.dir / "servers" / kept).read_text().split()[0])

    def down(self):
        for link in self.proxy.links:
            self.proxy.tell(link, "mend")
        for process in self.processes:
            if pid := process.pid():
                os.kill(pid, signal.SIGCONT)
        try:
            super().down()
        finally:
            self.proxy.stop()
            self.unmount()

    def unmount(self):
        for folder in reversed(self.mounts):
            # Busy until its last user has ended.
            for _ in range(20):
                if not subprocess.run(["umount", folder], capture_output=True).returncode:
                    break
                time.sleep(0.25)

    def remove(self):
        shutil.rmtree(self.dir, ignore_errors=True)

    # ---- inspection

    def model(self):
        path = self.dir / "chaos.glb"
        command = [self.bin / "modelkit", "sample", "gears", path, "--triangles", "1200"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return path

    def engines(self):
        """Ids of the engines that run under a worker of this cluster."""
        workers = {p.pid() for p in self.services if p.name.startswith("process-")}
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if parent in workers and words[1:2] == [b"modelkit"]:
                found.append(int(entry.name))
        return found

    def memory(self):
        """Resident MB of every process, by its name."""
        sizes = {}
        for process in self.processes:
            try:
                lines = Path(f"/proc/{process.pid()}/status").read_text().splitlines()
            except OSError:
                continue
            sizes[process.name] = next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)
        return sizes

    def readiness(self):
        """Readiness of each service and gateway: name → HTTP status (0: no response) and the JSON text."""
        asked = [*self.services, *self.gateways]
        return {process.name: cluster.get(f"{self.url(process)}/readyz") for process in asked}

    def unready(self):
        return [process.name for process in self.processes if not process.pid() or not process.ready()]
