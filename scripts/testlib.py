"""Runs the Rust tests that `cargo build --all-targets --message-format=json` has linked, one part of them after the other.

    python3 scripts/testlib.py MESSAGES compute|wait

`compute`: the crates below crates/, which keep the processors busy: two tests at a time. `wait`: services, gateway, chassis
and tests/, whose tests wait for servers, leases and time limits: several at a time. Every part is in exactly one of the two.
Output and closing lines are the test programs' own. What failed is run once more, by itself: what passes then depends on how busy
the machine is, and is named at the end. Exits 1 when a test failed twice, after the others have run."""
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A crate whose tests speak to servers, although it lies below crates/.
WAITING = ("crates/chassis",)
THREADS = {"compute": "2", "wait": "6"}
# Each of these tests is three services and an auditor: they compute more than they wait, and six at a time take longer for a call
# than its time limit on a busy machine.
THREADS_OF = {"tests/money": "3"}


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


def run(command, folder):
    """What `command` returned and the names of the tests that it lists as failed; prints its output as it comes."""
    environment = {**os.environ, "CARGO_MANIFEST_DIR": str(folder)}
    failed = []
    with subprocess.Popen(command, cwd=folder, env=environment, text=True, errors="replace", stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            if line == "failures:\n":
                failed = []
            elif name := re.fullmatch(r"    ([\w:]+)\n", line):
                failed.append(name[1])
    return process.returncode, failed


# More than this many failures in one program are no matter of load.
FEW = 3


def passes_again(executable, folder, failed):
    """Whether each of a few failed tests passes by itself."""
    if not 0 < len(failed) <= FEW:
        return False
    print(f"\nOnce more, one by one: {', '.join(failed)}", flush=True)
    return run([executable, "--quiet", "--test-threads", "1", "--exact", *failed], folder)[0] == 0


def main():
    messages, wanted = sys.argv[1:]
    chosen = [program for program in programs(messages) if lane(program[0]) == wanted]
    if not chosen:
        sys.exit(f"{messages} names no test program for {wanted}")
    failures, unsteady = [], []
    for folder, target, executable in chosen:
        began = time.monotonic()
        print(f"\n{folder} ({target})", flush=True)
        threads = THREADS_OF.get(folder, THREADS[wanted])
        returned, failed = run([executable, "--quiet", "--test-threads", threads], ROOT / folder)
        if returned != 0:
            if passes_again(executable, ROOT / folder, failed):
                unsteady += [f"{folder} {name}" for name in failed]
            else:
                failures.append(f"{folder} ({target})")
        print(f"{time.monotonic() - began:.0f} s", flush=True)
    if unsteady:
        print("Passed only when run again: " + ", ".join(unsteady))
    if failures:
        sys.exit("Failed: " + ", ".join(failures))


main()
