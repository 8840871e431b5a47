"""SQLite databases, copied at one moment while their process is running."""

import contextlib
import datetime
import sqlite3
from pathlib import Path

#: As long as the services wait for a commit.
BUSY_S = 10
HIDDEN = "sqlite_%"


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=BUSY_S, isolation_level=None)


@contextlib.contextmanager
def _named(name: str):
    """Errors name the database: those of a damaged one do not."""
    try:
        yield
    except sqlite3.Error as error:
        raise sqlite3.DatabaseError(f"{name}.db: {error}") from error


def _tables(connection: sqlite3.Connection) -> list[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE ? ORDER BY name"
    return [name for (name,) in connection.execute(query, (HIDDEN,))]


def _described(connection: sqlite3.Connection) -> dict:
    count = lambda table: connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
    migrations = [name for (name,) in connection.execute("SELECT version FROM seaql_migrations ORDER BY version")]
    return {"migrations": migrations, "rows": {table: count(table) for table in _tables(connection)}}


def dump(databases: dict[str, Path], folder: Path) -> tuple[dict, dict]:
    """Copies databases to `folder/{name}.db`; returns their contents and the moment.

    The moment is the same for all: their write locks are held while each gets a reader, so nothing is committed between the first
    and the last. The readers then copy their snapshots while writers continue.
    """
    with contextlib.ExitStack() as stack:
        open_ = lambda path: stack.enter_context(contextlib.closing(_open(path)))
        locks = [open_(path) for path in databases.values()]
        readers = {name: open_(path) for name, path in databases.items()}
        for lock in locks:
            lock.execute("BEGIN IMMEDIATE")
        at = datetime.datetime.now(datetime.UTC)
        for reader in readers.values():
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
        for lock in locks:
            lock.execute("ROLLBACK")
        described = {}
        for name, reader in readers.items():
            target = folder / f"{name}.db"
            with _named(name), contextlib.closing(sqlite3.connect(target)) as copy:
                reader.backup(copy)
                # A single file: no -wal file has to be copied along.
                copy.execute("PRAGMA journal_mode = DELETE")
                described[name] = _described(copy)
            check(folder, name)
        return described, {"at": at.isoformat(timespec="milliseconds"), "exact": True}


def check(folder: Path, name: str) -> None:
    """Errors: the copy is not a database, or is damaged."""
    with _named(name), contextlib.closing(sqlite3.connect(f"file:{folder / name}.db?mode=ro&immutable=1", uri=True)) as copy:
        verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
