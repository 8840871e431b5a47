"""The files generated from the register, wholly or between two marks, and whether they are up to date."""

import re
from pathlib import Path

from . import Row, compose, kubernetes, rows as read

#: Start of a generated part of a file: from a line `# >>> NAME …` to the next `# <<<`.
OPEN = "# >>> {name} (scripts/register, from services.toml)"
CLOSE = "# <<<"
#: Scrape configurations of Prometheus, one file per service.
SCRAPED = "deploy/observability/scrape"


def quoted(rows: list[Row]) -> str:
    return ", ".join(f'"{row.name}"' for row in rows)


def synced(rows: list[Row]) -> str:
    return f"full_sync = [{quoted([row for row in rows if row.money or row.lasting])}]\n"


def parts(root: Path) -> dict[str, dict[str, str]]:
    """Generated parts by the path of their file."""
    every = read(root)
    services = [row for row in every if row.role == "service"]
    anchors = set(re.findall(r"&([\w-]+)", (root / "deploy/compose.yaml").read_text()))
    return {
        "crates/chassis/src/default.toml": {"money": synced(services)},
        "k8s/overlays/dev/kustomization.yaml": {"databases": kubernetes.database_secrets(services)},
        "deploy/compose.yaml": {
            "upstreams": compose.upstreams(services),
            "services": compose.services(services, anchors),
            "passwords": compose.passwords(services),
        },
    }


def whole(root: Path) -> dict[str, str]:
    """Wholly generated files by path."""
    every = read(root)
    services = [row for row in every if row.role == "service"]
    return {
        "k8s/base/register.yaml": kubernetes.base(services),
        "k8s/components/autoscaling/autoscaling.yaml": kubernetes.autoscaling(every),
        **{f"{SCRAPED}/{row.name}.yaml": compose.scraped(row) for row in services},
    }


def fill(text: str, name: str, part: str) -> str:
    """`text` with this part between its marks. Errors: the marks do not occur exactly once."""
    opening = re.escape(OPEN.format(name=name))
    pattern = re.compile(rf"(?m)^([ \t]*{opening}\n)(?:.*\n)*?([ \t]*{re.escape(CLOSE)}\n)")
    filled, count = pattern.subn(lambda found: found[1] + part + found[2], text)
    if count != 1:
        raise LookupError(f"the marks of `{name}` are there {count} times")
    return filled


def wanted(root: Path) -> dict[str, str]:
    """Expected content by path."""
    found = whole(root)
    for path, filling in parts(root).items():
        text = (root / path).read_text()
        for name, part in filling.items():
            text = fill(text, name, part)
        found[path] = text
    return found


def strays(root: Path) -> list[str]:
    """Files generated for a service that no longer has a row."""
    kept = wanted(root)
    made = [str(path.relative_to(root)) for path in (root / SCRAPED).glob("*.yaml")]
    return sorted(path for path in made if path not in kept)


def drift(root: Path) -> list[str]:
    """Files that differ from the register."""
    different = [path for path, text in wanted(root).items() if not (root / path).exists() or (root / path).read_text() != text]
    return sorted(different) + strays(root)


def write(root: Path) -> list[str]:
    """Generates every file; returns those that have changed."""
    changed = drift(root)
    for path, text in wanted(root).items():
        if path in changed:
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(text)
    for path in strays(root):
        (root / path).unlink()
    return changed
