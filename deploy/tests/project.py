"""Paths, the settings that exist, and the rendered overlays."""

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
OVERLAYS = ["dev", "prod", "prod-keda"]
sys.path[:0] = [str(DEPLOY), str(ROOT / "scripts")]
import make_secrets  # noqa: E402
import registerlib  # noqa: E402

#: Services that the program can run, by their row of the register.
ROWS = {row.name: row for row in registerlib.rows()}
#: The gRPC services among them.
SERVICES = registerlib.names()
#: The file of defaults that each reads besides the shared ones.
DEFAULTS = {
    name: {"gateway": "gateway/src/default.toml", "store": None}.get(row.role, f"services/{name}/src/default.toml")
    for name, row in ROWS.items()
}
SHARED_DEFAULTS = "crates/chassis/src/default.toml"
#: The section [uploads], of the two services that state and check limits.
UPLOADS = {service: "crates/facts/src/uploads.toml" for service in ("personal", "process")}
PREFIX = "XUANLAN__"


def _keys(table: dict, before: str = PREFIX) -> dict[str, object]:
    found = {}
    for key, value in table.items():
        name = f"{before}{key.upper()}"
        found[name] = value
        if isinstance(value, dict):
            found |= _keys(value, f"{name}__")
    return found


@functools.cache
def known_settings(service: str) -> dict[str, object]:
    """Variables that change a setting of a service, with their defaults."""
    found = {}
    for file in filter(None, [SHARED_DEFAULTS, DEFAULTS[service], UPLOADS.get(service)]):
        found |= _keys(tomllib.loads((ROOT / file).read_text()))
    if service == "gateway":
        # An empty table in the defaults: it takes a key per service.
        found |= {f"XUANLAN__GATEWAY__UPSTREAMS__{name.upper()}": "" for name in SERVICES}
    return found


def value_of(text: str, default: object) -> object:
    """A variable as the program reads it: a text where the default is a text, else TOML if it parses."""
    if isinstance(default, str):
        return text
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        return text


def default_port(service: str) -> int:
    """The port on which a service listens by default."""
    file = DEFAULTS[service] or SHARED_DEFAULTS
    return int(tomllib.loads((ROOT / file).read_text())[service]["listen"].rsplit(":")[-1])


@functools.cache
def _tree() -> Path:
    """A copy of k8s with generated secrets for the overlay dev."""
    folder = tempfile.TemporaryDirectory(prefix="xuanlan-k8s-")
    # Kept until the process ends.
    _tree.keep = folder
    copy = Path(folder.name) / "k8s"
    shutil.copytree(ROOT / "k8s", copy, ignore=shutil.ignore_patterns("secrets"))
    secrets = copy / "overlays" / "dev" / "secrets"
    secrets.mkdir()
    for name, values in make_secrets.make().items():
        make_secrets.write(secrets / f"{name}.env", values)
    return copy


@functools.cache
def render(path: str) -> list[dict]:
    """All objects of a kustomization below k8s, for example overlays/prod. Errors: kustomize fails."""
    command = [os.environ["XUANLAN_KUSTOMIZE"], "build", str(_tree() / path)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{path}: {done.stderr}")
    return [document for document in yaml.safe_load_all(done.stdout) if document]


@dataclass
class Workload:
    """An object that creates pods."""

    object: dict

    @property
    def name(self) -> str:
        return self.object["metadata"]["name"]

    @property
    def kind(self) -> str:
        return self.object["kind"]

    @property
    def template(self) -> dict:
        return self.object["spec"]["template"]

    @property
    def pod(self) -> dict:
        return self.template["spec"]

    @property
    def labels(self) -> dict:
        return self.template["metadata"]["labels"]

    @property
    def container(self) -> dict:
        containers = self.pod["containers"]
        assert len(containers) == 1, f"{self.name} has one container"
        return containers[0]

    @property
    def config_maps(self) -> list[str]:
        sources = self.container.get("envFrom", [])
        return [source["configMapRef"]["name"] for source in sources if "configMapRef" in source]

    @property
    def whole_secrets(self) -> list[tuple[str, str]]:
        """Secrets of which every key becomes a variable, each with the prefix of its variables."""
        sources = self.container.get("envFrom", [])
        return [(source["secretRef"]["name"], source.get("prefix", "")) for source in sources if "secretRef" in source]

    def upstreams(self, overlay: str) -> dict[str, str]:
        """Upstream addresses of the gateway, by the service's variable."""
        found = {}
        for name in self.config_maps:
            found.update(objects(overlay, "ConfigMap")[name]["data"])
        return {name: value for name, value in found.items() if "__UPSTREAMS__" in name}

    @property
    def service(self) -> str | None:
        """The service that runs in it, `auth`; None for third-party images."""
        image = re.split(r"[:@]", self.container["image"].rsplit("/", 1)[-1])[0]
        return self.container["args"][0] if image == "xuanlan" else None

    @property
    def command(self) -> list[str]:
        """The program in the image with its arguments."""
        return ["/opt/xuanlan/bin/xuanlan", *self.container["args"]]


def workloads(overlay: str) -> list[Workload]:
    kinds = ("Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob")
    return [Workload(o) for o in render(f"overlays/{overlay}") if o["kind"] in kinds]


def objects(overlay: str, kind: str) -> dict[str, dict]:
    return {o["metadata"]["name"]: o for o in render(f"overlays/{overlay}") if o["kind"] == kind}


class Case(unittest.TestCase):
    """A test over many subjects; its failure message names the current one."""

    #: The current subject.
    at = ""

    def _formatMessage(self, message, standard):
        return f"{self.at}: {super()._formatMessage(message, standard)}"

    def known(self, service: str, variables: dict[str, str | None]) -> None:
        """Fails when a variable names no setting of the service, or sets one to a value of another type (None: unknown)."""
        settings = known_settings(service)
        self.assertEqual(sorted(set(variables) - set(settings)), [], f"{service} knows no such setting")
        for name, text in variables.items():
            if text is not None:
                self.assertIs(type(value_of(text, settings[name])), type(settings[name]), f"{name}={text!r} is read as another type")
