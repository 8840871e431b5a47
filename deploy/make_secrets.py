#!/usr/bin/env python3
"""Random secrets for development: of deploy/compose.yaml, or of the Kubernetes overlay dev.

    deploy/make_secrets.py compose deploy/.env
    deploy/make_secrets.py kubernetes k8s/overlays/dev/secrets

Nothing that exists is overwritten: servers keep the password of their first start. Production takes its secrets from a
vault; docs/operations.md lists them.
"""

import os
import secrets
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))
import registerlib  # noqa: E402


def password() -> str:
    """40 characters that need no escaping in a URL and that TOML does not parse as a number."""
    return "x" + secrets.token_hex(20)[1:]


def signing_keys() -> tuple[str, str]:
    """Seed and public key of a new Ed25519 pair, 64 hex digits each."""

    def openssl(*arguments: str, data: bytes = b"") -> bytes:
        command = ["openssl", *arguments]
        return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout

    # Both encodings end with the 32 bytes of the key itself (RFC 8410).
    private = openssl("genpkey", "-algorithm", "ed25519", "-outform", "DER")
    public = openssl("pkey", "-inform", "DER", "-pubout", "-outform", "DER", data=private)
    return private[-32:].hex(), public[-32:].hex()


def make() -> dict[str, dict[str, str]]:
    """Every secret of an installation by name, each with its keys."""
    seed, public = signing_keys()
    databases = {service: password() for service in registerlib.names()}
    rabbit, redis = password(), password()
    made = {
        "gateway": {"principal-seed": seed, "client-secret": password()},
        "principal": {"public-keys": f'["{public}"]'},
        "bus": {"url": f"amqp://xuanlan:{rabbit}@xuanlan-rabbitmq:5672/%2f"},
        "cache": {"url": f"redis://:{redis}@xuanlan-redis:6379/0"},
        "certification": {"key": secrets.token_hex(32), "index-key": secrets.token_hex(32)},
        "cards": {"key": secrets.token_hex(32), "index-key": secrets.token_hex(32)},
        "objects": {"access-key": "xuanlan", "secret-key": password()},
        "postgres": {"superuser": password(), **databases},
        "rabbitmq": {"user": "xuanlan", "password": rabbit},
        "redis": {"password": redis},
        "grafana": {"password": password()},
    }
    for service, secret in databases.items():
        url = f"postgres://{service}:{secret}@xuanlan-postgres:5432/{service}"
        made[f"database-{service}"] = {"url": url}
    return made


def variable(name: str, key: str) -> str:
    """Name of a secret in compose: `objects`, `secret-key` → OBJECTS_SECRET_KEY."""
    return f"{name}_{key}".replace("-", "_").upper()


def write(path: Path, values: dict[str, str]) -> None:
    """Writes KEY=value lines that only their owner may read. Errors: the file exists."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.writelines(f"{key}={value}\n" for key, value in values.items())


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1] not in ("compose", "kubernetes"):
        print(__doc__, file=sys.stderr)
        return 2
    kind, target = sys.argv[1], Path(sys.argv[2])
    if target.exists():
        print(f"{target} exists and stays as it is; remove it, with the volumes made under it, to start anew")
        return 1
    if kind == "compose":
        flat = {variable(name, key): value for name, keys in make().items() for key, value in keys.items()}
        write(target, flat)
    else:
        target.mkdir(parents=True, mode=0o700)
        for name, keys in make().items():
            write(target / f"{name}.env", keys)
    print(f"secrets for development written to {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
