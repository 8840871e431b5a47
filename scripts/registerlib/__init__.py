"""The register of services, services.toml, as scripts and tests read it."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE = "services.toml"
USES = ("cache", "objects", "stream")


class Wrong(Exception):
    """The register is invalid."""


@dataclass
class Row:
    """One row of the register."""

    name: str
    port: int
    role: str = "service"
    uses: list[str] = field(default_factory=list)
    money: bool = False
    lasting: bool = False
    replicas: list[int] = field(default_factory=lambda: [1, 1])
    cpu: str = "50m"
    memory: str = "48Mi"
    limit: str = "256Mi"
    ops: int | None = None
    front: int | None = None

    @property
    def metrics_port(self) -> int:
        return self.ops or self.port


def check_name(name: str) -> None:
    """Errors: the name cannot be used as a package, a database and a variable."""
    if not (name.isascii() and name.isalpha() and name.islower()):
        raise Wrong(f"{name}: a service is named by lower-case letters alone")


def rows(root: Path = ROOT) -> list[Row]:
    """All rows in order. Errors: an unknown key or use, an invalid name, or a duplicate port."""
    found, ports = [], {}
    for name, table in tomllib.loads((root / FILE).read_text()).items():
        unknown = set(table) - set(Row.__dataclass_fields__) | ({"name"} & set(table))
        if unknown or "port" not in table:
            raise Wrong(f"[{name}] {'knows no ' + ', '.join(sorted(unknown)) if unknown else 'has no port'}")
        row = Row(name, **table)
        check_name(name)
        if set(row.uses) - set(USES):
            raise Wrong(f"[{name}] uses one of {', '.join(USES)}")
        for port in filter(None, [row.port, row.ops, row.front]):
            other = ports.setdefault(port, name)
            if other != name:
                raise Wrong(f"[{name}] and [{other}] have the port {port}")
        found.append(row)
    return found


def services(root: Path = ROOT) -> list[Row]:
    """The gRPC services: each with a database, a queue, and an upstream of the gateway."""
    return [row for row in rows(root) if row.role == "service"]


def names(root: Path = ROOT) -> list[str]:
    return [row.name for row in services(root)]
