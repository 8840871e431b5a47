"""`upgrade.py BINARIES`: upgrades an installation of other binaries to these, process by process under load, and back.
Started by scripts/upgrade-test."""

import importlib.util
import subprocess
import sys
import tempfile
from argparse import Namespace
from importlib.machinery import SourceFileLoader
from pathlib import Path

import schema
from client import ROOT, Client
from installation import TARGET, Load, free_ports
from work import PASSWORD, calls_of_every_service, fetch, order_coins, pay_by_wechat


def load_script(name: str):
    loader = SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Upgrade:
    def __init__(self, folder: Path, old: Path):
        script = load_script("cluster")
        self.say, self.instances = script.say, script.INSTANCES
        self.cluster = script.Cluster(Namespace(dir=str(folder), port=free_ports(), debug=True, through=[], built=True))
        self.old = old
        self.cluster.program = self.program
        self.take(old)

    def take(self, binaries: Path) -> None:
        """Processes started from now on use these binaries."""
        self.cluster.bin = binaries

    def program(self, part: str) -> list[Path | str]:
        return self.old_program(part) if self.cluster.bin == self.old else [TARGET / "xuanlan", part]

    def old_program(self, part: str) -> list[Path | str]:
        """Earlier commits have a separate program for each part."""
        alone = self.old / f"xuanlan-{part}"
        return [alone] if alone.exists() else [self.old / "xuanlan", part]

    def start(self) -> None:
        cluster = self.cluster
        for folder in ["run", "logs", "conf", "servers", "data"]:
            (cluster.dir / folder).mkdir(parents=True, exist_ok=True)
        cluster.start_servers()
        cluster.make_keys()
        cluster.configure()
        for process in cluster.processes:
            process.start()
        for process in cluster.processes:
            process.wait_ready()
        sites = [cluster.url(gateway) for gateway in cluster.gateways]
        self.people = [Client(sites, cluster.url(cluster.sandbox)).register(f"1390000030{n}", PASSWORD) for n in range(4)]

    def roll(self, groups: list) -> None:
        """The first replica of each, then the second."""
        for processes in groups:
            for replica in range(self.instances):
                self.cluster.renew([process for process in processes if process.name.endswith(f"-{replica}")])

    def under_load(self, what: str, work) -> bool:
        *readers, payer = self.people
        pay = lambda: pay_by_wechat(payer, order_coins(payer, 1000))
        with Load({person.login_id: calls_of_every_service(person) for person in readers} | {"payer": [pay]}) as load:
            work()
        self.say(f"{what}: {load.done} calls, {len(load.failed)} failed")
        for line in load.failed[:20]:
            print(line)
        return not load.failed

    def migrations(self) -> dict[str, set[str]]:
        address = f"{self.cluster.servers['postgres']}/{{service}}"
        names = lambda service: schema.rows(address.replace("{service}", service), "SELECT version FROM seaql_migrations")
        return {service: {row[0] for row in names(service)} for service in schema.SERVICES}

    def sound(self) -> bool:
        database = f"{self.cluster.servers['postgres']}/{{service}}"
        books = self.cluster.url(self.cluster.sandbox)
        words = [ROOT / "scripts/auditor", "--database", database, "--books", books, "--wait", "30"]
        done = subprocess.run(words, capture_output=True, text=True)
        self.say(f"auditor: {done.stdout.strip()[-500:]}{done.stderr.strip()[-500:]}")
        return done.returncode == 0

    def run(self) -> bool:
        cluster = self.cluster
        fetch(f"{cluster.url(cluster.gateways[0])}/config.json")
        before = self.migrations()
        address = f"{cluster.servers['postgres']}/{{service}}"
        tables = schema.read_all(address)

        # The newer gateways run with both: their handling of stopping replicas works for either version's.
        def forward():
            self.take(TARGET)
            self.roll([cluster.gateways, cluster.services])

        def back():
            self.take(self.old)
            self.roll([cluster.services, cluster.gateways])

        good = self.under_load("Upgrade", forward)
        breaches = schema.all_breaches(tables, schema.read_all(address))
        for breach in breaches:
            print(breach)
        later = {service: sorted(names - before[service]) for service, names in self.migrations().items()}
        self.say(f"Migrations that came: {', '.join(name for names in later.values() for name in names) or 'none'}")
        good &= not breaches and self.sound()
        if not self.lives_with_later():
            self.say("The earlier binaries refuse migrations they do not know: their names are taken off the list")
            for service, names in later.items():
                for name in names:
                    schema.rows(address.replace("{service}", service), f"DELETE FROM seaql_migrations WHERE version = '{name}'")
        good &= self.under_load("Back", back)
        return good and self.sound()

    def lives_with_later(self) -> bool:
        """Whether `migrate` of the earlier binaries, which changes nothing, is accepted."""
        for service in schema.SERVICES:
            config = self.cluster.dir / f"conf/{service}-0.toml"
            command = [*self.old_program(service), "--config", config, "migrate"]
            if subprocess.run(command, capture_output=True, cwd=self.cluster.dir).returncode != 0:
                return False
        return True


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="xuanlan-upgrade-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        upgrade = Upgrade(folder, Path(sys.argv[1]).resolve())
        try:
            upgrade.start()
            good = upgrade.run()
        finally:
            upgrade.cluster.down()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
