"""The rules for migrations, and that each of them detects its violation."""

import copy
import unittest

from schema import breaches

BEFORE = {
    "file": {
        "columns": {
            "id": {"type": "character varying(64)", "required": True, "default": False},
            "size": {"type": "bigint", "required": True, "default": True},
            "name": {"type": "text", "required": False, "default": False},
        },
        "rules": {"file_pkey": "CREATE UNIQUE INDEX file_pkey ON public.file USING btree (id)"},
    }
}


class Rules(unittest.TestCase):
    def found(self, change) -> list[str]:
        after = copy.deepcopy(BEFORE)
        change(after, after["file"]["columns"])
        return breaches(BEFORE, after)

    def test_what_only_adds_is_let_through(self):
        def more(tables, columns):
            columns["note"] = {"type": "text", "required": False, "default": False}
            columns["count"] = {"type": "bigint", "required": True, "default": True}
            columns["id"]["default"] = True
            columns["size"]["required"] = False
            tables["other"] = {"columns": {"id": {"type": "text", "required": True, "default": False}}, "rules": {}}
            tables["file"]["rules"] = {}

        self.assertEqual(self.found(more), [])

    def test_each_breach_is_found(self):
        def rule(tables, columns):
            tables["file"]["rules"]["file_name"] = "CREATE UNIQUE INDEX file_name ON public.file USING btree (name)"

        for why, change in {
            "file is gone": lambda tables, columns: tables.pop("file"),
            "file.name is gone": lambda tables, columns: columns.pop("name"),
            "was bigint and is integer": lambda tables, columns: columns["size"].update(type="integer"),
            "file.name may not be empty": lambda tables, columns: columns["name"].update(required=True),
            "lost its default": lambda tables, columns: columns["size"].update(default=False),
            "cannot write": lambda tables, columns: columns.update(note={"type": "text", "required": True, "default": False}),
            "may refuse": rule,
        }.items():
            with self.subTest(why):
                [found] = self.found(change)
                self.assertIn(why, found)
