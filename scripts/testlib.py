"""Runs the Rust tests that `cargo build --all-targets --message-format=json` has linked, one part of them after the other.

    python3 scripts/testlib.py MESSAGES compute|wait

`compute`: the crates below crates/, which keep the processors busy: two tests at a time. `wait`: services, gateway, chassis
and tests/, whose tests wait for servers, leases and time limits: several at a time. Every part is in exactly one of the two.
Output and closing lines are the test programs' own. Exits 1 when a program failed, after the others have run."""
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A crate whose tests speak to servers, although it lies below crates/.
WAITING = ("crates/chassis",)
THREADS = {"compute": "2", "wait": "6"}


def programs(messages):
    """(folder of the package, target, executable) of each test program, sorted."""
    found = set()
    for line in Path(messages).read_text().splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        if message.get("executable") and message.get("profile", {}).get("test"):
            folder = Path(message["manifest_path"]).parent.relative_to(ROOT)
            found.add((str(folder), message["target"]["name"], message["executable"]))
    return sorted(found)


def lane(folder):
    return "compute" if folder.startswith("crates/") and folder not in WAITING else "wait"


def main():
    messages, wanted = sys.argv[1:]
    chosen = [program for program in programs(messages) if lane(program[0]) == wanted]
    if not chosen:
        sys.exit(f"{messages} names no test program for {wanted}")
    failed = []
    for folder, target, executable in chosen:
        began = time.monotonic()
        environment = {**os.environ, "CARGO_MANIFEST_DIR": str(ROOT / folder)}
        command = [executable, "--quiet", "--test-threads", THREADS[wanted]]
        print(f"\n{folder} ({target})", flush=True)
        if subprocess.run(command, cwd=ROOT / folder, env=environment).returncode != 0:
            failed.append(f"{folder} ({target})")
        print(f"{time.monotonic() - began:.0f} s", flush=True)
    if failed:
        sys.exit("Failed: " + ", ".join(failed))


main()
