"""Rules for migrations while the previous version is running: only additions, and nothing that the previous version would
have to fill in. `schema.py DATABASE` prints the schema of an installation ({service} in the address) for schema.json, which
is that of the last released version."""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import registerlib  # noqa: E402

SERVICES = registerlib.names()
KEPT = Path(__file__).parent / "schema.json"

COLUMNS = """
SELECT table_name, column_name, data_type || coalesce('(' || character_maximum_length || ')', ''),
       is_nullable = 'NO', column_default IS NOT NULL
FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2
"""
#: Whatever can refuse a row: primary keys, unique indexes, checks, foreign keys.
RULES = """
SELECT c.relname, i.relname, pg_get_indexdef(x.indexrelid)
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND x.indisunique
UNION SELECT c.relname, k.conname, pg_get_constraintdef(k.oid)
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND k.contype IN ('c', 'f')
ORDER BY 1, 2
"""


def rows(url: str, query: str) -> list[list[str]]:
    command = ["/usr/lib/postgresql/15/bin/psql", "-XAtq", "-F", "\t", "-d", url, "-c", query]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def read(url: str) -> dict:
    """Tables of one database, with their columns and constraints."""
    tables: dict = {}
    for table, column, kind, required, default in rows(url, COLUMNS):
        found = {"type": kind, "required": required == "t", "default": default == "t"}
        tables.setdefault(table, {"columns": {}, "rules": {}})["columns"][column] = found
    for table, name, text in rows(url, RULES):
        tables[table]["rules"][name] = text
    return tables


def read_all(database: str) -> dict:
    return {service: read(database.replace("{service}", service)) for service in SERVICES}


def breaches(before: dict, after: dict) -> list[str]:
    """Why binaries for the tables `before` cannot work on `after`; empty if they can."""
    found = []
    for table, old in before.items():
        new = after.get(table)
        if new is None:
            found.append(f"{table} is gone")
            continue
        for name, column in old["columns"].items():
            now = new["columns"].get(name)
            if now is None:
                found.append(f"{table}.{name} is gone")
            elif now["type"] != column["type"]:
                found.append(f"{table}.{name} was {column['type']} and is {now['type']}")
            elif now["required"] and not column["required"]:
                found.append(f"{table}.{name} may not be empty any more")
            elif now["required"] and column["default"] and not now["default"]:
                found.append(f"{table}.{name} has lost its default")
        for name, column in new["columns"].items():
            if name not in old["columns"] and column["required"] and not column["default"]:
                found.append(f"{table}.{name} is new, and whoever does not know it cannot write")
        for name, rule in new["rules"].items():
            if old["rules"].get(name) != rule:
                found.append(f"{table}: {name} may refuse what was taken before: {rule}")
    return found


def all_breaches(before: dict, after: dict) -> list[str]:
    return [f"{name}: {text}" for name in before for text in breaches(before[name], after.get(name, {}))]


if __name__ == "__main__":
    print(json.dumps(read_all(sys.argv[1]), indent=1, sort_keys=True))
