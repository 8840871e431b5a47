"""A standalone is backed up while it runs, and restored elsewhere; damaged backups and overwriting are refused, and what was
damaged in the store before is named."""

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import stat
import tempfile
import unittest
import uuid
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from unittest import mock

from client import ROOT
from installation import Load, Standalone, script
from work import Person

from backuplib import files, objects


def refused(case: unittest.TestCase, *words: object) -> str:
    with case.assertRaises(AssertionError) as caught:
        script("backup", *words)
    text = str(caught.exception)
    case.assertNotIn("Traceback", text)
    return text


def loaded() -> ModuleType:
    """The script as a module, to act between two of its steps."""
    loader = SourceFileLoader("backup", str(ROOT / "scripts/backup"))
    module = module_from_spec(spec_from_loader("backup", loader))
    loader.exec_module(module)
    return module


def check_modes(case: unittest.TestCase, backup: Path) -> None:
    for path in [backup, *backup.rglob("*")]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        case.assertEqual(mode & 0o077, 0, f"{path} can be read by others: {mode:o}")


def flip(path: Path) -> None:
    """One bit, as a disk may do it: the file keeps its size and its time."""
    whole, times = bytearray(path.read_bytes()), path.stat()
    whole[len(whole) // 2] ^= 1
    path.write_bytes(whole)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def digest(data: bytes, how: str = "sha256") -> str:
    return hashlib.new(how, data).hexdigest()


class Store:
    """The folder of an object store, written as crates/objectstore/src/disk does it."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name in ["objects", "uploads"]:
            (folder / "buckets/private" / name).mkdir(parents=True)

    def of(self, key: str) -> Path:
        name = digest(key.encode())
        return self.folder / "buckets/private/objects" / name[:2] / name

    def put(self, key: str, *parts: bytes) -> list[Path]:
        """Stores or replaces an object; one of several parts was uploaded in these. Returns its files."""
        folder, whole, generation = self.of(key), b"".join(parts), uuid.uuid4().hex
        folder.mkdir(parents=True, exist_ok=True)
        before = self.files(key)
        paths = [folder / f"{generation}-{n}" for n in range(len(parts))]
        for path, part in zip(paths, parts):
            path.write_bytes(part)
        sums = b"".join(bytes.fromhex(digest(part, "md5")) for part in parts)
        etag = digest(whole, "md5") if len(parts) == 1 else f"{digest(sums, 'md5')}-{len(parts)}"
        record = {"key": key, "size": len(whole), "etag": etag, "sha256": digest(whole), "modified": 0}
        record |= {"generation": generation, "segments": [len(part) for part in parts]}
        (folder / "object.new").write_text(json.dumps(record))
        (folder / "object.new").rename(folder / "object.json")
        for path in before:
            path.unlink()
        return paths

    def files(self, key: str) -> list[Path]:
        return [path for path in self.of(key).glob("*-*")]

    def delete(self, key: str) -> None:
        (self.of(key) / "object.json").unlink()
        for path in self.files(key):
            path.unlink()
        self.of(key).rmdir()


class StandaloneBackup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="xuanlan-backup-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def small(self) -> Store:
        """A data folder with one database, and its store."""
        data = self.folder / "data"
        store = Store(data / "objects")
        with contextlib.closing(sqlite3.connect(data / "auth.db")) as connection:
            connection.execute("CREATE TABLE seaql_migrations (version TEXT, applied_at INTEGER)")
        return store

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
        self.assertEqual(json.loads((backup / "manifest.json").read_text())["damaged"], [])
        first.down()
        self.check_damaged_source(first)
        shutil.rmtree(first.folder)

        script("backup", "restore", backup, "--data", self.folder / "second")
        second = self.started("second")
        person.find_again(second)
        self.assertIn("sound", script("auditor", "--database", second.database(), "--books", second.sandbox, "--wait", 30))
        self.check_damage(backup)

    def check_damaged_source(self, first: Standalone) -> None:
        """The store has written this one itself."""
        backup = self.folder / "unsound"
        model = max((first.folder / "objects/buckets").rglob("*-0"), key=lambda path: path.stat().st_size)
        key = json.loads((model.parent / "object.json").read_text())["key"]
        flip(model)
        self.assertIn(f"{key}: other bytes", refused(self, "create", backup, "--data", first.folder))
        self.assertEqual([one["key"] for one in json.loads((backup / "manifest.json").read_text())["damaged"]], [key])

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
            Store(data / "objects")
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
        self.small()
        script("backup", "create", backup, "--data", data)
        place = self.folder / "file/place"
        (self.folder / "file").write_text("no folder")
        refused(self, "restore", backup, "--data", place)
        self.assertEqual(sorted(os.listdir(self.folder)), ["backup", "data", "file"])
        # Of the other kind.
        self.assertIn("standalone", refused(self, "restore", backup, "--cluster", self.folder / "cluster"))
        self.assertFalse((self.folder / "cluster").exists())

    def test_what_was_damaged_in_the_store_is_named(self):
        store, data, backup, place = self.small(), self.folder / "data", self.folder / "backup", self.folder / "place"
        store.put("u/1/sound.glb", b"sound" * 1000)
        flip(store.put("u/1/flipped.glb", b"model" * 1000)[0])
        flip(store.put("u/1/parts.glb", b"one" * 1000, b"two" * 1000)[1])
        [cut] = store.put("u/1/cut.glb", b"model" * 1000)
        os.truncate(cut, 4999)
        store.put("u/1/lost.glb", b"model" * 1000, b"more")[1].unlink()
        # Reading it is an I/O error, like a sector that the disk has lost.
        [unreadable] = store.put("u/1/unreadable.glb", b"model" * 1000)
        unreadable.unlink()
        unreadable.symlink_to("/proc/self/mem")
        # The sum of the whole was computed when the parts were joined, of bytes that were damaged since they had arrived.
        flip(store.put("u/1/early.glb", b"one" * 1000, b"two" * 1000)[0])
        record = json.loads((store.of("u/1/early.glb") / "object.json").read_text())
        whole = b"".join((store.of("u/1/early.glb") / f"{record['generation']}-{n}").read_bytes() for n in range(2))
        (store.of("u/1/early.glb") / "object.json").write_text(json.dumps(record | {"sha256": digest(whole)}))
        store.put("u/1/record.glb", b"model")
        (store.of("u/1/record.glb") / "object.json").write_bytes(b"")
        upload = store.folder / "buckets/private/uploads/up"
        upload.mkdir()
        (upload / f"00001-{digest(b'part', 'md5')}-4").write_bytes(b"part")
        (upload / f"00002-{digest(b'part', 'md5')}-4").write_bytes(b"Part")
        (upload / "upload.json").symlink_to("/proc/self/mem")

        faults = {
            "u/1/flipped.glb": "other bytes: SHA-256",
            "u/1/parts.glb": "other bytes: SHA-256",
            "u/1/cut.glb": "4999 bytes instead of 5000",
            "u/1/lost.glb": "1 of its 2 files cannot be read",
            "u/1/unreadable.glb": "1 of its 1 files cannot be read",
            "u/1/early.glb": "other bytes than arrived: ETag",
            f"the object in {store.of('u/1/record.glb').name}": "its record is damaged",
            "part 2 of the unfinished upload up": "other bytes than arrived",
            "buckets/private/uploads/up/upload.json": "it cannot be read",
        }

        def is_told(text: str) -> None:
            self.assertIn("ended with 3", text)
            for key, fault in faults.items():
                self.assertIn(f"{key}: {fault}", text)
            self.assertNotIn("sound.glb", text)

        is_told(refused(self, "create", backup, "--data", data))
        damaged = {one["key"]: one for one in json.loads((backup / "manifest.json").read_text())["damaged"]}
        self.assertEqual(damaged.keys(), faults.keys())
        flipped = damaged["u/1/flipped.glb"]
        self.assertEqual(flipped["expected"], {"bytes": 5000, "segments": [5000], "sha256": digest(b"model" * 1000)})
        [copy] = [path.relative_to(data) for path in store.files("u/1/flipped.glb")]
        self.assertEqual(flipped["folder"], str(copy.parent))
        self.assertEqual(flipped["found"]["sha256"], digest((backup / copy).read_bytes()))
        text = refused(self, "verify", backup)
        is_told(text)
        self.assertIn("not sound at its source", text)
        text = refused(self, "restore", backup, "--data", place)
        is_told(text)
        self.assertIn("--with-damaged", text)
        self.assertEqual(sorted(os.listdir(self.folder)), ["backup", "data"])
        self.assertIn("flipped.glb", script("backup", "restore", backup, "--data", place, "--with-damaged"))
        self.assertTrue((place / "auth.db").exists())
        # What is damaged in the backup itself is still no backup.
        flip(next((backup / store.of("u/1/sound.glb").relative_to(data)).glob("*-0")))
        self.assertIn("ended with 1", refused(self, "verify", backup))

        # One from before objects were compared: `damaged` was not in its manifest.
        manifest = json.loads((backup / "manifest.json").read_text())
        flip(next((backup / store.of("u/1/sound.glb").relative_to(data)).glob("*-0")))
        del manifest["damaged"]
        (backup / "manifest.json").write_text(json.dumps(manifest))
        (backup / "manifest.json.sha256").write_text(digest((backup / "manifest.json").read_bytes()))
        self.assertIn("u/1/flipped.glb: other bytes", refused(self, "verify", backup))

    def test_a_store_that_changes_is_not_damaged(self):
        """Each of these objects is changed when the first of its files has been copied; two of them only come between the copies."""
        store, backup = self.small(), self.folder / "backup"
        program = loaded()
        place = program.Standalone(self.folder / "data")
        changes, copy_bytes, dump = {}, files.copy_bytes, place.dump

        def put(key: str, change: Callable[[str], object]) -> None:
            store.put(key, key.encode() * 1000, b"more")
            changes[store.of(key)] = lambda: change(key)

        def replace(key: str) -> None:
            store.put(key, b"new")

        def copy_and_change(source: Path, target: Path) -> None:
            copy_bytes(source, target)
            if change := changes.pop(source.parent, None):
                change()

        def dump_and_change(folder: Path) -> tuple:
            put("late deleted", store.delete)
            put("late replaced", replace)
            return dump(folder)

        put("deleted", store.delete)
        put("replaced", replace)
        place.dump = dump_and_change
        self.addCleanup(os.umask, os.umask(0o077))
        with mock.patch.object(files, "copy_bytes", copy_and_change):
            program.create(backup, place)
        self.assertEqual(changes, {})
        script("backup", "verify", backup)
        for key in ["replaced", "late replaced"]:
            [now] = store.files(key)
            self.assertEqual((backup / now.relative_to(place.folder)).read_bytes(), b"new")
        self.assertFalse((backup / store.of("late deleted").relative_to(place.folder) / "object.json").exists())

    def test_what_was_copied_by_halves_is_brought_to_rest(self):
        """Copies as they are left by a change of the store between two files of an object."""
        store, backup = Store(self.folder / "store"), self.folder / "backup"
        keys = ["deleted", "replaced", "lost", "wrong"]
        for key in keys:
            store.put(key, key.encode() * 1000, b"more")
        objects.copy(store.folder, backup / "objects")
        copies = {key: backup / "objects" / store.of(key).relative_to(store.folder) for key in keys}
        for key in ["deleted", "replaced", "lost"]:
            next(copies[key].glob("*-1")).unlink()
        store.delete("deleted")
        [now] = store.put("replaced", b"new")
        store.files("lost")[0].unlink()
        # A deletion leaves no wrong bytes.
        flip(next(copies["wrong"].glob("*-0")))
        store.delete("wrong")
        sums, damaged = objects.measure(backup, store.folder)
        self.assertEqual(sorted(one["key"] for one in damaged), ["lost", "wrong"])
        self.assertFalse(copies["deleted"].exists())
        self.assertEqual((copies["replaced"] / now.name).read_bytes(), b"new")
        self.assertEqual(sums, objects.measure(backup)[0])
        self.assertIn(f"{copies['replaced'].relative_to(backup)}/{now.name}", sums)

    def test_what_would_be_left_out_silently_is_refused(self):
        store, data, backup = self.small(), self.folder / "data", self.folder / "backup"
        elsewhere, bucket = self.folder / "elsewhere", store.folder / "buckets/private"
        bucket.rename(elsewhere)
        bucket.symlink_to(elsewhere)
        self.assertIn("is a link to a folder", refused(self, "create", backup, "--data", data))
        bucket.unlink()
        elsewhere.rename(bucket)
        (data / "key").symlink_to(self.folder / "nothing")
        self.assertIn("leads to nothing", refused(self, "create", backup, "--data", data))
        (self.folder / "nothing").write_text("a key")
        script("backup", "create", backup, "--data", data)
        self.assertEqual((backup / "keys/key").read_text(), "a key")
        (backup / "keys/other").symlink_to(backup / "keys/key")
        self.assertIn("does not belong to it", refused(self, "verify", backup))
        shutil.rmtree(backup)

        with contextlib.closing(sqlite3.connect(data / "auth.db")) as connection:
            connection.executemany("INSERT INTO seaql_migrations VALUES (?, 1)", [(f"{n:0100}",) for n in range(1000)])
            connection.commit()
        with (data / "auth.db").open("r+b") as file:
            file.seek(5 * 4096)
            file.write(bytes(4096))
        self.assertIn("auth.db: ", refused(self, "create", backup, "--data", data))
        # Its disk is not there.
        shutil.rmtree(store.folder / "buckets")
        self.assertIn("is its disk mounted", refused(self, "create", backup, "--data", data))
        self.assertFalse(backup.exists())
