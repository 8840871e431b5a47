"""A standalone is backed up while it runs, and restored elsewhere; damaged backups and overwriting are refused."""

import contextlib
import json
import os
import shutil
import sqlite3
import stat
import tempfile
import unittest
from pathlib import Path

from installation import Load, Standalone, script
from work import Person


def refused(case: unittest.TestCase, *words: object) -> str:
    with case.assertRaises(AssertionError) as caught:
        script("backup", *words)
    text = str(caught.exception)
    case.assertNotIn("Traceback", text)
    return text


def check_modes(case: unittest.TestCase, backup: Path) -> None:
    for path in [backup, *backup.rglob("*")]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        case.assertEqual(mode & 0o077, 0, f"{path} can be read by others: {mode:o}")


class StandaloneBackup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="xuanlan-backup-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def started(self, name: str) -> Standalone:
        installation = Standalone(self.folder / name)
        self.addCleanup(installation.down)
        installation.start()
        return installation

    def test_a_backup_made_at_work_is_all_there_elsewhere(self):
        first = self.started("first")
        person = Person(first, "13900000001")
        other = first.client().register("13900000002", "beifen-2026")
        backup = self.folder / "backup"
        with Load({"other": [lambda: other.call("P15", amount=1000, orderType=0, rechargePackageType="load")]}) as load:
            script("backup", "create", backup, "--data", first.folder)
        self.assertEqual(load.failed, [])
        self.assertGreater(load.done, 0)
        script("backup", "verify", backup)
        check_modes(self, backup)
        refused(self, "create", backup, "--data", first.folder)
        self.assertIn("is not empty", refused(self, "restore", backup, "--data", first.folder))
        first.down()
        shutil.rmtree(first.folder)

        script("backup", "restore", backup, "--data", self.folder / "second")
        second = self.started("second")
        person.find_again(second)
        self.assertIn("sound", script("auditor", "--database", second.database(), "--books", second.sandbox, "--wait", 30))
        self.check_damage(backup)

    def check_damage(self, backup: Path) -> None:
        manifest = json.loads((backup / "manifest.json").read_text())
        database = backup / "databases/auth.db"
        biggest = backup / max(manifest["files"], key=lambda name: manifest["files"][name]["bytes"])
        target = self.folder / "third"

        def is_refused(why: str) -> None:
            self.assertIn(why, refused(self, "restore", backup, "--data", target))
            self.assertFalse(target.exists())

        for path in [database, biggest, backup / "manifest.json"]:
            whole = path.read_bytes()
            path.write_bytes(whole[: len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 1]) + whole[len(whole) // 2 + 1 :])
            is_refused("is not what was written")
            path.write_bytes(whole[:-1])
            is_refused("is not what was written")
            path.unlink()
            is_refused("missing" if path.name != "manifest.json" else "no whole backup")
            path.write_bytes(whole)
        (backup / "objects/more").write_bytes(b"")
        is_refused("does not belong to it")
        (backup / "objects/more").unlink()
        script("backup", "verify", backup)

    def test_the_databases_are_of_one_moment(self):
        """Two databases in which every change is made first here and then there: a copy has none there that is missing here."""
        data = self.folder / "data"
        data.mkdir()
        with contextlib.ExitStack() as stack:
            databases = {}
            for name in ["order", "payment", "auth"]:
                connection = sqlite3.connect(data / f"{name}.db", timeout=10, isolation_level=None, check_same_thread=False)
                databases[name] = stack.enter_context(contextlib.closing(connection))
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("CREATE TABLE seaql_migrations (version TEXT, applied_at INTEGER)")
                connection.execute("CREATE TABLE step (number INTEGER)")
            (data / "objects").mkdir()
            steps = iter(range(10**9))

            def change() -> None:
                number = next(steps)
                for name in ["order", "payment"]:
                    databases[name].execute("INSERT INTO step VALUES (?)", (number,))

            with Load({"writer": [change]}) as load:
                for attempt in range(5):
                    script("backup", "create", self.folder / f"b{attempt}", "--data", data)
            self.assertEqual(load.failed, [])
            for attempt in range(5):
                rows = json.loads((self.folder / f"b{attempt}/manifest.json").read_text())["databases"]
                here, there = rows["order"]["rows"]["step"], rows["payment"]["rows"]["step"]
                self.assertIn(here - there, (0, 1))

    def test_a_restore_that_cannot_end_leaves_nothing(self):
        backup, data = self.folder / "backup", self.folder / "data"
        (data / "objects").mkdir(parents=True)
        with contextlib.closing(sqlite3.connect(data / "auth.db")) as connection:
            connection.execute("CREATE TABLE seaql_migrations (version TEXT, applied_at INTEGER)")
        script("backup", "create", backup, "--data", data)
        place = self.folder / "file/place"
        (self.folder / "file").write_text("no folder")
        refused(self, "restore", backup, "--data", place)
        self.assertEqual(sorted(os.listdir(self.folder)), ["backup", "data", "file"])
        # Of the other kind.
        self.assertIn("standalone", refused(self, "restore", backup, "--cluster", self.folder / "cluster"))
        self.assertFalse((self.folder / "cluster").exists())
