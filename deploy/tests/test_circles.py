"""scripts/lint-circles finds files that use each other, and nothing else."""

import subprocess
import tempfile
from pathlib import Path

from project import ROOT, Case


class Circles(Case):
    def found(self, **files: str) -> str:
        """What it says of a crate of these files; `shop__price` is src/shop/price.rs."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, "src", *name.split("__")).with_suffix(".rs")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([ROOT / "scripts/lint-circles", folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1 if done.stdout else 0, done.stderr)
            return done.stdout

    def test_two_files_that_use_each_other(self):
        text = self.found(lib="mod a; mod b;", a="use crate::b::B;\npub struct A(B);", b="pub struct B;\nfn of(a: &crate::a::A) {}")
        self.assertIn("2 files use each other\n  a -> b\n  b -> a", text)

    def test_a_circle_of_three_through_what_a_module_reexports(self):
        files = {
            "lib": "mod shop; mod order; mod money;",
            "shop__mod": "mod price;\npub use price::{Price, self as p};",
            "shop__price": "use crate::money::Money;\npub struct Price(Money);",
            "money": "use crate::order::Order;\npub struct Money(Order);",
            "order": "use super::shop::{\n    Price,\n};\npub struct Order(Price);",
        }
        text = self.found(**files)
        self.assertIn("3 files use each other", text)
        self.assertIn("order -> shop::price", text)

    def test_one_way_submodules_tests_and_comments_are_no_circle(self):
        files = {
            "lib": "mod a; mod b; mod c;",
            "a": "// crate::b::B\npub struct A;\n\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n",
            "b": "use crate::a::A;\npub struct B(A);",
            "c__mod": "mod part;\nuse part::Part;\npub struct C(Part);",
            "c__part": "use super::C;\npub struct Part(Box<C>);",
        }
        self.assertEqual(self.found(**files), "")
