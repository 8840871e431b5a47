"""A copy of the tree in which a test adds something as a document describes, and removes it again."""

import os
import subprocess
import tempfile
from pathlib import Path

from project import ROOT, Case


class Tree(Case):
    """`parts`: folders and files at the top that the copy has."""

    parts: set[str]

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="xuanlan-tree-")
        cls.addClassCleanup(folder.cleanup)
        cls.tree = Path(folder.name)
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
        for name in listed.stdout.splitlines():
            source, target = ROOT / name, cls.tree / name
            # Files removed but not yet committed are listed too.
            if source.is_file() and name.split("/")[0] in cls.parts:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
                target.chmod(source.stat().st_mode)

    def run_in_tree(self, *command: object, folder: str = ".") -> str:
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "CARGO_TARGET_DIR": str(ROOT / "target")}
        words = [str(word) for word in command]
        done = subprocess.run(words, cwd=self.tree / folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.tree.rglob("*") if path.is_file() and "node_modules" not in path.parts)
        return {str(path.relative_to(self.tree)): path.read_bytes() for path in found}
