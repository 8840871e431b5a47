"""Files, copied while their program works."""

import ctypes
import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from . import Trouble

PIECE = 1 << 20


def sums_of(path: Path, *further) -> dict:
    """Size and SHA-256 of a file. Its bytes go through the `further` digests too, so that they are read once."""
    own, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            size += len(piece)
            for digest in (own, *further):
                digest.update(piece)
    return {"bytes": size, "sha256": own.hexdigest()}


def walk(folder: Path, skip=()) -> Iterator[tuple[Path, list[str]]]:
    """Every folder with its files, by paths relative to the first; folders deleted meanwhile are passed over. Errors: a folder
    cannot be listed, or is a link, which would leave out what it leads to."""

    def failed(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError) or Path(error.filename) == folder:
            raise error

    for top, folders, files in os.walk(folder, onerror=failed):
        here = Path(top).relative_to(folder)
        folders[:] = [name for name in folders if str(here / name) not in skip]
        for link in (folder / here / name for name in folders):
            if link.is_symlink():
                raise Trouble(f"{link} is a link to a folder, which a backup does not follow: mount the folder there instead")
        yield here, [name for name in files if str(here / name) not in skip]


def files_below(folder: Path) -> list[str]:
    """Everything below a folder but folders, by its relative path."""
    return sorted(str(here / name) for here, names in walk(folder) for name in names)


def copy_tree(source: Path, target: Path, skip=(), unreadable: list[Path] | None = None) -> None:
    """Copies new files; those that disappear meanwhile are passed over. The store replaces files by renaming and never writes
    into existing ones, so hard links would do, but they cannot cross file systems."""
    for here, names in walk(source, skip):
        (target / here).mkdir(parents=True, exist_ok=True, mode=0o700)
        for name in names:
            copy_file(source / here / name, target / here / name, unreadable)


def copy_bytes(source: Path, target: Path) -> None:
    """Keeps the time, but not the permissions: a copy is accessible to its owner only."""
    # Before the bytes: a file that is replaced in between would lend them its time, and a second copy would pass it over.
    before = os.stat(source)
    shutil.copyfile(source, target)
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))


def copy_file(source: Path, target: Path, unreadable: list[Path] | None = None) -> None:
    """Copies a file, or what a link to one leads to. What the disk cannot read is left out and added to `unreadable`; without
    that list it is an error."""
    partial = target.with_name(f"{target.name}.partial")
    try:
        before = source.stat()
        # Pipes and sockets have no content.
        if not stat.S_ISREG(before.st_mode):
            return
        if target.exists() and (target.stat().st_size, target.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns):
            return
        copy_bytes(source, partial)
        partial.rename(target)
    except FileNotFoundError as error:
        if source.is_symlink():
            raise Trouble(f"{source} is a link that leads to nothing: remove it, or bring back its file") from error
        if not target.parent.is_dir():
            raise
        # Deleted since it was listed.
        partial.unlink(missing_ok=True)
    except OSError as error:
        partial.unlink(missing_ok=True)
        # Of two files the system does not say which one failed.
        if unreadable is None or error.errno != errno.EIO or _is_readable(source):
            raise
        unreadable.append(source)


def _is_readable(path: Path) -> bool:
    try:
        sums_of(path)
    except OSError:
        return False
    return True


def flush(folder: Path) -> None:
    """Makes everything on the folder's file system durable. Errors: the disk did not take all of it, of which `os.sync` says
    nothing."""
    held = os.open(folder, os.O_RDONLY)
    try:
        if ctypes.CDLL(None, use_errno=True).syncfs(held) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), str(folder))
    finally:
        os.close(held)
