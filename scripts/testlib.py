"""The end of scripts/test: its stages, the closing lines of their test runners, and what they come to.

    python3 scripts/testlib.py STAGES

STAGES has a line for each stage: exit status (or `cached`: passed before, on the same inputs), seconds, the file with its output and
its name, between tabs. The last line printed is `N passed, N failed`: tests as their runners count them now, and one for a stage that
failed without a failed test. Exits 1 when something failed."""
import re
import sys
from pathlib import Path

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# A runner's closing line, and what in it counts as passed and as failed.
RUNNERS = (
    (r"\s*Summary \[.*tests? run:.*", r"(\d+) passed", r"(\d+) (?:failed|timed out|exec failed)"),  # nextest
    (r"\s*Tests  .*\(\d+\)", r"(\d+) passed", r"(\d+) failed"),  # vitest
    (r"\S+ (?:pass|fail) \d+", r"pass (\d+)", r"fail (\d+)"),  # Node's own
    (r"Ran \d+ tests? in .*", r"Ran (\d+)", r"(?!)"),  # unittest: how many, then how many of them failed
    (r"FAILED \((?:failures|errors)=.*\)", r"(?!)", r"(?:failures|errors)=(\d+)"),
)


def closing(text):
    """(line, passed, failed) of each closing line in what a stage printed."""
    for line in COLOURS.sub("", text).splitlines():
        for shape, passed, failed in RUNNERS:
            if re.fullmatch(shape, line):
                bad = sum(map(int, re.findall(failed, line)))
                # unittest counts the failed ones among those that ran.
                good = sum(map(int, re.findall(passed, line))) - (bad if line.startswith("FAILED (") else 0)
                yield line.strip(), good, bad


def main():
    passed = failed = 0
    for row in Path(sys.argv[1]).read_text().splitlines():
        status, seconds, log, name = row.split("\t")
        text = Path(log).read_text(errors="replace")
        if status == "cached":
            print(f"         cached  {name}", *text.splitlines(), sep="\n                 ")
            continue
        lines = list(closing(text))
        bad = sum(line[2] for line in lines)
        passed += sum(line[1] for line in lines)
        # A journey that failed and passed on a fresh site is no failure; run.mjs names it.
        failed += 0 if status == "0" else bad or 1
        print(f"{int(seconds):5d} s  {'passed' if status == '0' else 'FAILED'}  {name}")
        for line in lines:
            print(f"                 {line[0]}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
