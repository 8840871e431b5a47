"""The distributed shape under load: every key is rotated without a failed call, and a backup is restored elsewhere."""

import json
import tempfile
import unittest
from pathlib import Path

import schema
from client import Refused, eventually
from installation import Cluster, Load, script
from test_backup import check_modes, refused
from work import (
    PASSWORD,
    Person,
    calls_of_every_service,
    order_coins,
    paid,
    pay_by_alipay,
    pay_by_wechat,
    scan,
    wechat_code,
)


class Distributed(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="xuanlan-operations-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        # PostgreSQL runs as a user of its own, which needs access to its folder.
        cls.folder.chmod(0o755)
        cls.first = Cluster(cls.folder / "first")
        cls.addClassCleanup(cls.first.down)
        cls.first.run("up")
        cls.people = [cls.first.client().register(f"1390000010{n}", PASSWORD) for n in range(3)]

    def check(self, load: Load, least: int) -> None:
        self.assertEqual(load.failed, [], f"{len(load.failed)} of {load.done + len(load.failed)} calls failed")
        self.assertGreater(load.done, least)

    def test_migrations_only_add(self):
        """Binaries of the previous version work on the tables of this one."""
        before = json.loads(schema.KEPT.read_text())
        self.assertEqual(schema.all_breaches(before, schema.read_all(self.first.database())), [])

    def test_the_client_key_changes(self):
        old, fresh, other = self.people
        before = old.config["kid"]
        # One page stays open with the old key; the others are reopened repeatedly.
        with Load({"old": calls_of_every_service(old), "fresh": [fresh.reload, *calls_of_every_service(fresh)]}) as load:
            self.first.rotate("client-key")
        self.check(load, 40)
        self.assertEqual(old.config["kid"], before)
        fresh.reload()
        self.assertNotEqual(fresh.config["kid"], before)
        forged = {**fresh.config, "clientSecret": "0" * 64}
        other.config = forged
        with self.assertRaises(Refused):
            other.call("P01")
        for person in self.people:
            person.reload()
            person.call("P01")

    def test_the_principal_key_changes(self):
        keys = lambda: json.loads((self.first.folder / "conf/keys.json").read_text())
        before = keys()
        with Load({person.login_id: calls_of_every_service(person) for person in self.people}) as load:
            self.first.rotate("principal-key")
        self.check(load, 40)
        after = keys()
        self.assertNotEqual(after["seed"], before["seed"])
        self.assertEqual(after["trusted"], [after["public"]])

    def test_the_keys_of_the_channels_change(self):
        by_wechat, by_alipay, other = self.people
        wechat = lambda: pay_by_wechat(by_wechat, order_coins(by_wechat, 1000))
        alipay = lambda: pay_by_alipay(by_alipay, order_coins(by_alipay, 1000))
        # Opened before the change, paid after it: the notification is signed with a new key.
        early = order_coins(other, 1000)
        code = wechat_code(other, early)
        with Load({"wechat": [wechat], "alipay": [alipay], "calls": calls_of_every_service(other)}) as load:
            self.first.rotate("channel-keys")
        self.check(load, 20)
        scan(other, code)
        eventually("the early one is paid", lambda: paid(other, early))
        script("auditor", "--database", self.first.database(), "--books", self.first.sandbox, "--wait", 30)

    def test_z_a_backup_made_at_work_is_all_there_elsewhere(self):
        person = Person(self.first, "13900000200")
        backup = self.folder / "backup"
        with Load({other.login_id: calls_of_every_service(other) for other in self.people}) as load:
            script("backup", "create", backup, "--cluster", self.first.folder)
        self.check(load, 0)
        self.assertTrue(json.loads((backup / "manifest.json").read_text())["moment"]["exact"])
        script("backup", "verify", backup)
        check_modes(self, backup)
        self.assertIn("is not empty", refused(self, "restore", backup, "--cluster", self.first.folder))
        self.first.down()

        second = Cluster(self.folder / "second")
        self.addCleanup(second.down)
        script("backup", "restore", backup, "--cluster", second.folder)
        second.run("up")
        person.find_again(second)
        self.assertIn("sound", second.program("payment", "audit"))
        script("auditor", "--database", second.database(), "--books", second.sandbox, "--wait", 60)
