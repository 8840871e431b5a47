"""The summary of scripts/test: its stages, the closing lines of their test runners, their cost, and the result.

    python3 scripts/testlib.py probe               CPU seconds that a fixed piece of work takes here
    python3 scripts/testlib.py end FOLDER [PROBE]  FOLDER is that of a run, PROBE the gate's initial probe

FOLDER/stages has a line per stage: exit status (or `cached`: passed before, on the same inputs), seconds, the file with its output
and its name, separated by tabs; beside the output, FILE.cpu has its CPU seconds, user and system; FOLDER/cpu has a
file per Rust test, with its crate and its seconds. Those of the gate are compared with tests/budget.tsv: exceeding a budget by
half, at this machine's speed, is a failure, so that a slower gate is noticed with the change that causes it.

The last line printed is `N passed, N failed`: tests as counted by their runners, and one for a stage that failed without a failed
test, or exceeded its budget. Exits with 1 when something failed."""
import re
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# A runner's closing line, and the counts of passed and failed tests in it.
RUNNERS = (
    (r"\s*Summary \[.*tests? run:.*", r"(\d+) passed", r"(\d+) (?:failed|timed out|exec failed)"),  # nextest
    (r"\s*Tests  .*\(\d+\)", r"(\d+) passed", r"(\d+) failed"),  # vitest
    (r"\S+ (?:pass|fail) \d+", r"pass (\d+)", r"fail (\d+)"),  # Node's own
    (r"=+ .*\b(?:passed|failed|errors?|skipped)\b.* in [\d.]+s.* =+", r"(\d+) passed", r"(\d+) (?:failed|errors?)"),  # pytest
)
# Seconds of the probe on the reference machine of tests/budget.tsv.
PROBE_THERE = 1.0
OVER = 1.5


def closing(text):
    """(line, passed, failed) of each closing line in a stage's output."""
    for line in COLOURS.sub("", text).splitlines():
        for shape, passed, failed in RUNNERS:
            if re.fullmatch(shape, line):
                yield line.strip(), *(sum(map(int, re.findall(what, line))) for what in (passed, failed))


def probe():
    began, total = time.process_time(), 0
    for number in range(24_000_000):
        total ^= number * number
    return time.process_time() - began


def cpu_of_stage(log):
    """None if there is no record: the stage did not start, or was aborted."""
    try:
        return sum(map(float, Path(f"{log}.cpu").read_text().split()))
    except (FileNotFoundError, ValueError):
        return None


def cpu_of_crates(folder):
    """`tests of CRATE` -> seconds of its Rust tests."""
    seconds = Counter()
    for file in folder.glob("*"):
        crate, *lines = file.read_text().splitlines()
        # The output of bash's `times`: of the shell, and of its children; user and system.
        for minutes, rest in re.findall(r"(\d+)m([\d.]+)s", " ".join(lines)):
            seconds[f"tests of {crate}"] += 60 * int(minutes) + float(rest)
    return seconds


def over_budget(spent, probed):
    """Lines about exceeded budgets."""
    rows = [line.split("\t") for line in (ROOT / "tests/budget.tsv").read_text().splitlines()[1:]]
    budget = {name: float(seconds) for name, seconds in rows}
    slower = max(1.0, probed / PROBE_THERE)
    for name, seconds in sorted(spent.items()):
        may = budget.get(name, budget["anything else"]) * slower
        if seconds > OVER * may:
            yield f"{name}: {seconds:.0f} s of the processor, may take {may:.0f} (tests/budget.tsv)"


def end(folder, probed):
    passed = failed = 0
    spent = cpu_of_crates(folder / "cpu")
    crates = ", ".join(f"{name[9:]} {seconds:.0f}" for name, seconds in spent.most_common())
    for row in (folder / "stages").read_text().splitlines():
        status, seconds, log, name = row.split("\t")
        text = Path(log).read_text(errors="replace")
        if status == "cached":
            print(f"                   cached  {name}", *text.splitlines(), sep="\n                           ")
            continue
        cpu = cpu_of_stage(log)
        if cpu is not None:
            spent[name] = cpu
        lines = list(closing(text))
        bad = sum(line[2] for line in lines)
        passed += sum(line[1] for line in lines)
        # A journey that failed but passed on a fresh site is no failure; run.mjs reports it.
        failed += 0 if status == "0" else bad or 1
        state = "passed" if status == "0" else "FAILED"
        print(f"{int(seconds):5d} s  {cpu or 0:5.0f} cpu  {state}  {name}")
        for line in lines:
            print(f"                           {line[0]}")
    if probed:
        print(f"Rust tests, in seconds of the processor: {crates}. The probe took {probed:.2f} s, {PROBE_THERE:.2f} where budgets are from.")
        for line in over_budget(spent, probed):
            print(f"Over its budget: {line}")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["probe"]:
            print(probe())
        case ["end", folder, *probed]:
            end(Path(folder), float(probed[0]) if probed else 0)
        case _:
            sys.exit(__doc__)
