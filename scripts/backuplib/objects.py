"""Objects in the folder of our store, compared with their records. Its format: crates/objectstore/src/disk/mod.rs.

Every record has had the SHA-256 of its whole content since the first version. That of an object uploaded in parts is computed
when the parts are joined, its ETag from the MD5 of each part as it arrived: both are compared. The headers that a record states,
such as the content type, have no checksum.
"""

import contextlib
import dataclasses
import hashlib
import json
import re
import shutil
from collections import defaultdict
from pathlib import Path

from . import Trouble
from .files import copy_tree, files_below, sums_of

RECORD = "object.json"
#: Below the store's folder: an object's folder, and a part of an unfinished upload.
OBJECT = re.compile(r"buckets/([^/]+)/objects/[0-9a-f]{2}/[0-9a-f]{64}")
PART = re.compile(r"buckets/([^/]+)/uploads/[^/]+/(\d{5})-([0-9a-f]{32})-(\d+)")
#: Where a backup has them.
HERE = "objects/"
#: Damaged objects in a message; the manifest has all.
SHOWN = 20


class Damaged(Trouble):
    """A backup is what the store had, but that was damaged."""

    status = 3


#: Errors of reading a damaged record.
WRONG = (ValueError, KeyError, TypeError, AttributeError)


@dataclasses.dataclass
class Record:
    """What is compared of an `object.json`."""

    key: str
    size: int
    etag: str
    sha256: str
    generation: str
    segments: list[int]

    @classmethod
    def read(cls, folder: Path) -> "Record":
        """Errors: one of WRONG, if it is damaged."""
        told = json.loads((folder / RECORD).read_bytes())
        record = cls(**{field.name: told[field.name] for field in dataclasses.fields(cls)})
        if hashlib.sha256(record.key.encode()).hexdigest() != folder.name:
            raise ValueError(f"it is that of {record.key}")
        return record

    def stated(self) -> dict:
        stated = {"bytes": self.size, "segments": list(self.segments), "sha256": self.sha256}
        return stated | {"etag": self.etag} if self.in_parts else stated

    @property
    def in_parts(self) -> bool:
        return "-" in self.etag


def check_place(folder: Path) -> None:
    """Errors: this is not the folder of a store."""
    if not (folder / "buckets").is_dir():
        raise Trouble(f"{folder} holds no object store, there is no buckets in it: is its disk mounted?")


def copy(source: Path, target: Path) -> list[Path]:
    """Copies new files of a store. Returns those that its disk cannot read."""
    unreadable = []
    copy_tree(source, target, skip={"tmp", "LOCK"}, unreadable=unreadable)
    return unreadable


def measure(backup: Path, store: Path | None = None) -> tuple[dict, list[dict]]:
    """Size and SHA-256 of every file of a backup, and its damaged objects. With the store that it is being made of, objects
    that were replaced or deleted while they were copied are brought to rest first."""
    folders = defaultdict(list)
    for name in files_below(backup):
        folder, _, file = name.rpartition("/")
        folders[folder].append(file)
    files, damaged = {}, []
    for folder, names in sorted(folders.items()):
        place = folder.removeprefix(HERE) if folder.startswith(HERE) else ""
        if found := OBJECT.fullmatch(place):
            sums, fault = _look(backup / folder, names)
            if store and (fault or RECORD not in sums):
                sums, fault = _settle(backup / folder, store / place, sums, fault)
            if fault:
                damaged.append({"bucket": found[1], "folder": folder} | fault)
        else:
            sums = {}
            for name in names:
                sums[name], fault = _look_at_file(backup / folder, name, place)
                if fault:
                    damaged.append(fault)
        files |= {f"{folder}/{name}" if folder else name: of for name, of in sums.items()}
    return dict(sorted(files.items())), damaged


def _look(folder: Path, names: list[str]) -> tuple[dict, dict | None]:
    """Sums of the files of an object, and what is wrong with it. Files of earlier contents may be among them."""
    try:
        record = Record.read(folder) if RECORD in names else None
        segments = [f"{record.generation}-{n}" for n in range(len(record.segments))] if record else []
    except WRONG as error:
        text = f"{type(error).__name__}: {error}"
        return {name: sums_of(folder / name) for name in names}, _without_record(folder, f"its record is damaged ({text})")
    whole, parts, sums = hashlib.sha256(), hashlib.md5(usedforsecurity=False), {}
    for name in segments:
        part = hashlib.md5(usedforsecurity=False)
        further = ([whole] if len(segments) > 1 else []) + ([part] if record.in_parts else [])
        if name in names:
            sums[name] = sums_of(folder / name, *further)
            parts.update(part.digest())
    sums |= {name: sums_of(folder / name) for name in names if name not in sums}
    if record is None:
        return sums, None
    sizes = [sums[name]["bytes"] if name in sums else None for name in segments]
    found = {"bytes": sum(size or 0 for size in sizes), "segments": sizes}
    found["sha256"] = sums[segments[0]]["sha256"] if len(segments) == 1 and sizes[0] is not None else whole.hexdigest()
    if record.in_parts:
        found["etag"] = f"{parts.hexdigest()}-{len(segments)}"
    expected = record.stated()
    if found == expected:
        return sums, None
    return sums, {"key": record.key, "fault": _said(expected, found), "expected": expected, "found": found}


def _without_record(folder: Path, fault: str) -> dict:
    return {"key": f"the object in {folder.name}", "fault": fault, "expected": None, "found": None}


def _said(expected: dict, found: dict) -> str:
    missing = found["segments"].count(None)
    if missing:
        return f"{missing} of its {len(found['segments'])} files cannot be read, or there is none"
    if found["bytes"] != expected["bytes"]:
        return f"{found['bytes']} bytes instead of {expected['bytes']}"
    if found["sha256"] != expected["sha256"]:
        return f"other bytes: SHA-256 {found['sha256']} instead of {expected['sha256']}"
    if found.get("etag") != expected.get("etag"):
        return f"other bytes than arrived: ETag {found['etag']} instead of {expected['etag']}"
    return f"files of {found['segments']} bytes instead of {expected['segments']}"


def _look_at_file(folder: Path, name: str, place: str) -> tuple[dict, dict | None]:
    """Sums of a file that is no object's. A part of an unfinished upload states its MD5 and size by its name."""
    stated = PART.fullmatch(f"{place}/{name}")
    if stated is None:
        return sums_of(folder / name), None
    md5 = hashlib.md5(usedforsecurity=False)
    sums = sums_of(folder / name, md5)
    expected = {"bytes": int(stated[4]), "md5": stated[3]}
    found = {"bytes": sums["bytes"], "md5": md5.hexdigest()}
    if found == expected:
        return sums, None
    key = f"part {int(stated[2])} of the unfinished upload {folder.name}"
    fault = {"bucket": stated[1], "folder": f"{HERE}{place}", "key": key, "fault": "other bytes than arrived"}
    return sums, fault | {"expected": expected, "found": found}


def _settle(copied: Path, source: Path, sums: dict, fault: dict | None) -> tuple[dict, dict | None]:
    """The same as `_look` for an object whose copy is not whole, after it was copied again: it may have been replaced or deleted
    while it was copied. What is not whole although the store has not changed it meanwhile is damaged there."""
    bytes_lost = fault is not None and fault["found"] is not None and None in fault["found"]["segments"]
    while (before := _state(source)) is not None:
        shutil.rmtree(copied)
        with contextlib.suppress(FileNotFoundError):
            copy_tree(source, copied, unreadable=[])
        copied.mkdir(exist_ok=True)
        sums, fault = _look(copied, files_below(copied))
        if RECORD not in sums:
            fault = _without_record(copied, "its record cannot be read")
        if not fault or _state(source) == before:
            return sums, fault
        bytes_lost = True
    # Deleted. A record whose bytes were deleted before they were copied would be an object that nobody can read. Wrong bytes
    # are no work of a deletion.
    if bytes_lost:
        shutil.rmtree(copied)
        return {}, None
    return sums, fault


def _state(folder: Path) -> bytes | None:
    """The record as it is, without any if the disk cannot read it; None if there is no such object."""
    try:
        return (folder / RECORD).read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        return b""


def left_out(unreadable: list[Path], store: Path) -> list[dict]:
    """Files that are no object's and cannot be read, as damaged ones. Objects are compared with their records."""
    left = [path.relative_to(store) for path in unreadable if path.exists()]
    fault = {"fault": "it cannot be read", "expected": None, "found": None}
    return [
        {"bucket": "no object", "folder": f"{HERE}{path.parent}", "key": str(path)} | fault
        for path in left
        if not OBJECT.fullmatch(str(path.parent))
    ]


def describe(damaged: list[dict]) -> str:
    """The damaged objects, one a line."""
    lines = [f"  {one['bucket']}: {one['key']}: {one['fault']}" for one in damaged[:SHOWN]]
    if len(damaged) > SHOWN:
        lines.append(f"  and {len(damaged) - SHOWN} more, which are in the manifest")
    return "\n".join(lines)
