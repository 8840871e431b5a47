"""Databases on PostgreSQL, dumped at one moment while the services work, and restored."""

import contextlib
import datetime
import os
import random
import shutil
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

#: Debian's, if they are not on PATH.
BIN = "/usr/lib/postgresql/15/bin"
#: Lock timeout. Shorter than PostgreSQL's deadlock timeout, so that a service's transaction is never
#: the one to be aborted.
LOCK_MS = 300
TRIES = 40
DONE = "--done--"


class Failed(Exception):
    """A program of PostgreSQL failed; the text is its output."""


def _program(name: str) -> str:
    return shutil.which(name) or f"{BIN}/{name}"


def _address(url: str) -> tuple[str, dict[str, str]]:
    """The URL without its password, and the environment with it: other users can read a command line."""
    parts = urlsplit(url)
    if parts.password is None:
        return url, dict(os.environ)
    host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
    bare = urlunsplit(parts._replace(netloc=f"{parts.username}@{host}"))
    from urllib.parse import unquote

    return bare, {**os.environ, "PGPASSWORD": unquote(parts.password)}


def _run(name: str, url: str, *words: str) -> str:
    address, environment = _address(url)
    command = [_program(name), *words, "-d", address]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{name}: {done.stderr.strip()}")
    return done.stdout


def query(url: str, statement: str) -> list[str]:
    return _run("psql", url, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement).splitlines()


def tables(url: str) -> list[str]:
    return query(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")


def make_database(url: str) -> None:
    """Creates the database that a URL names, through the server's own database."""
    parts = urlsplit(url)
    query(urlunsplit(parts._replace(path="/postgres")), f'CREATE DATABASE "{parts.path[1:]}"')


class Session:
    """A psql process that stays open, for a transaction."""

    def __init__(self, url: str):
        address, environment = _address(url)
        command = [_program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", address]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1)

    def ask(self, statement: str) -> list[str]:
        """Lines of the answer. Errors: the server refuses, and the session ends."""
        lines = []
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{statement};\n\\echo {DONE}\n")
            self.process.stdin.flush()
        for line in self.process.stdout:
            if line.strip() == DONE:
                return lines
            lines.append(line.rstrip("\n"))
        raise Failed(self.process.stderr.read().strip())

    def close(self) -> None:
        """Closes the session; an open transaction is rolled back."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def _quoted(names: list[str]) -> str:
    return ", ".join('"{}"'.format(name.replace('"', '""')) for name in names)


def _lock(urls: dict[str, str], stack: contextlib.ExitStack) -> None:
    """Blocks all writers of all databases until the stack ends. Errors: a writer did not finish in time."""
    found = {name: tables(url) for name, url in urls.items()}
    for name, url in urls.items():
        session = Session(url)
        stack.callback(session.close)
        session.ask(f"BEGIN; SET LOCAL lock_timeout = '{LOCK_MS}ms'; LOCK TABLE {_quoted(found[name])} IN SHARE MODE")


def _snapshots(urls: dict[str, str], stack: contextlib.ExitStack) -> dict[str, tuple[Session, str]]:
    pinned = {}
    for name, url in urls.items():
        session = Session(url)
        stack.callback(session.close)
        [snapshot] = session.ask("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT pg_export_snapshot()")
        pinned[name] = (session, snapshot)
    return pinned


def _pin(urls: dict[str, str], stack: contextlib.ExitStack, say) -> tuple[dict, dict]:
    """Snapshots of all databases, and their moment: a common one if writers can be blocked for an instant."""
    for _ in range(TRIES):
        with contextlib.ExitStack() as locks:
            try:
                _lock(urls, locks)
            except Failed as error:
                if "lock timeout" not in str(error):
                    raise
            else:
                at = datetime.datetime.now(datetime.UTC)
                return _snapshots(urls, stack), {"at": at.isoformat(timespec="milliseconds"), "exact": True}
        time.sleep(random.uniform(0.05, 0.25))
    say("Writers could not be held back: the databases are some milliseconds apart")
    at = datetime.datetime.now(datetime.UTC)
    return _snapshots(urls, stack), {"at": at.isoformat(timespec="milliseconds"), "exact": False}


def _described(session: Session) -> dict:
    names = session.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
    count = lambda table: int(session.ask(f"SELECT count(*) FROM {_quoted([table])}")[0])
    migrations = session.ask("SELECT version FROM seaql_migrations ORDER BY version")
    return {"migrations": migrations, "rows": {table: count(table) for table in names}}


def dump(urls: dict[str, str], folder: Path, say) -> tuple[dict, dict]:
    """Dumps databases to `folder/{name}.dump`; returns their contents and the moment."""
    with contextlib.ExitStack() as stack:
        pinned, moment = _pin(urls, stack, say)
        described = {}
        for name, (session, snapshot) in pinned.items():
            described[name] = _described(session)
            words = ["-Fc", "--no-owner", "--no-acl", f"--snapshot={snapshot}", "-f", str(folder / f"{name}.dump")]
            _run("pg_dump", urls[name], *words)
        return described, moment


def check(folder: Path, name: str) -> None:
    """Errors: the dump cannot be read completely."""
    command = [_program("pg_restore"), "-f", "/dev/null", str(folder / f"{name}.dump")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{name}.dump: {done.stderr.strip()}")


def restore(urls: dict[str, str], folder: Path, manifest: dict, say) -> None:
    """Restores empty databases from dumps, all or none; every event is sent again, which consumers handle idempotently."""
    filled = []
    try:
        for name, url in urls.items():
            say(f"Database {name}")
            filled.append(url)
            words = ["--no-owner", "--no-acl", "--single-transaction", "--exit-on-error", str(folder / f"{name}.dump")]
            _run("pg_restore", url, *words)
            expected = manifest["databases"][name]["rows"]
            for table in tables(url):
                [found] = query(url, f"SELECT count(*) FROM {_quoted([table])}")
                if int(found) != expected.get(table):
                    raise Failed(f"{name}: {table} has {found} rows instead of {expected.get(table)}")
        for url in urls.values():
            query(url, "UPDATE outbox SET sent_at = NULL")
    except BaseException:
        for url in filled:
            with contextlib.suppress(Failed):
                query(url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        raise
