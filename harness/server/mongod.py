"""A mongod of our own: a fresh directory, a Unix socket, test commands on, periodic noise off."""

import fcntl
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.exits import ExitStatus, Problem
from harness.server.locate import ServerBinary

PREFIX = "mongo-astfuzz-"
SHARED_MEMORY = Path("/dev/shm")
ROOM = 1 << 30  # a server of ours with its cache stays well below this
START_SECONDS = 120.0  # a sanitizer build on a busy machine needs most of a minute
REMOVE_SECONDS = 5.0
YOUNG_SECONDS = 2.0  # a lock file this young may be about to be locked
KEEPER = Path(__file__).with_name("keeper.py")

# Name and value of every parameter that a server of ours starts with.
PARAMETERS = {
    "enableTestCommands": "1",
    "diagnosticDataCollectionEnabled": "false",
    "ttlMonitorEnabled": "false",
    "disableLogicalSessionCacheRefresh": "true",
}


@dataclass(frozen=True)
class ServerOptions:
    """How a server is started. `arguments` go to mongod as they are; `environment` is added."""

    binary: ServerBinary
    storage_engine: str = "wiredTiger"
    cache_mb: int = 256
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def command_line(self, directory: Path) -> list[str]:
        """The server's argv, all its files below `directory`."""
        line = [str(self.binary.path), "--dbpath", str(directory / "db")]
        line += ["--bind_ip", str(socket_path(directory)), "--unixSocketPrefix", str(directory)]
        line += ["--storageEngine", self.storage_engine, "--quiet", "--slowms", "100000"]
        if self.storage_engine == "wiredTiger":
            line += ["--wiredTigerCacheSizeGB", f"{self.cache_mb / 1024:.3f}"]
        for name, value in PARAMETERS.items():
            line += ["--setParameter", f"{name}={value}"]
        return [*line, *self.arguments]


def socket_path(directory: Path) -> Path:
    """Where the server in `directory` listens."""
    return directory / "m.sock"


class Server:
    """A running mongod and its keeper. Made by `start`; ended by `end`, or by our own death."""

    def __init__(self, directory: Path, keeper: "subprocess.Popen[bytes]") -> None:
        self.directory = directory
        self.socket = socket_path(directory)
        self.output = directory / "server.log"
        self.pid = 0
        self._keeper = keeper
        self._lines = b""
        self._exit: int | None = None

    def exit_status(self, wait: float = 0.0) -> int | None:
        """The server's exit status (-N: signal N), or None while it lives after `wait` seconds."""
        limit = time.monotonic() + wait
        while self._exit is None:
            assert self._keeper.stdout is not None
            left = max(0.0, limit - time.monotonic())
            if not select.select([self._keeper.stdout], [], [], left)[0]:
                break
            block = os.read(self._keeper.stdout.fileno(), 4096)
            if not block:  # the keeper was killed, and its server with it
                self._exit = -9
            self._lines += block
            *lines, self._lines = self._lines.split(b"\n")
            for line in lines:
                word, _, value = line.partition(b" ")
                if word == b"pid":
                    self.pid = int(value)
                elif word == b"exit":
                    self._exit = int(value)
        return self._exit

    def log_tail(self, size: int = 1 << 20) -> bytes:
        """The last `size` bytes that the server wrote."""
        with self.output.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - size))
            return log.read()

    def end(self, *, cleanly: bool = False) -> int | None:
        """Kill the server (or shut it down cleanly) and remove its directory.

        Returns the exit status of a clean shutdown, for those who check it.
        """
        assert self._keeper.stdin is not None and self._keeper.stdout is not None
        status = None
        try:
            if cleanly and self._exit is None:
                self._keeper.stdin.write(b"stop\n")
                self._keeper.stdin.flush()
                status = self.exit_status(wait=60.0)
            self._keeper.stdin.close()
        except BrokenPipeError:  # the keeper was killed
            pass
        if self._keeper.wait() != 0:
            _remove(self.directory)
        self._keeper.stdout.close()
        return status


def start(options: ServerOptions) -> Server:
    """Start a server and wait until it listens.

    Raises Problem (NO_SERVER) with the server's own last words when it does not come up.
    """
    directory = make_directory()
    (directory / "db").mkdir()
    request = {
        "argv": options.command_line(directory),
        "directory": str(directory),
        "output": str(directory / "server.log"),
        "environment": {**os.environ, **options.environment},
    }
    keeper = subprocess.Popen(
        [sys.executable, "-I", "-S", str(KEEPER), json.dumps(request)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # a Ctrl-C in the terminal is the harness's affair
    )
    server = Server(directory, keeper)
    limit = time.monotonic() + START_SECONDS
    while not _listens(server.socket):
        if server.exit_status(wait=0.01) is None and time.monotonic() < limit:
            continue
        reason = _last_words(server)
        server.end()
        raise Problem(f"{options.binary.path} did not start: {reason}", ExitStatus.NO_SERVER)
    return server


def _remove(directory: Path) -> None:
    """For a keeper that was killed; its server is being killed and may still write."""
    limit = time.monotonic() + REMOVE_SECONDS
    while directory.exists() and time.monotonic() < limit:
        shutil.rmtree(directory, ignore_errors=True)
        time.sleep(0.01)


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def _last_words(server: Server) -> str:
    try:
        lines = server.log_tail(1 << 16).decode(errors="replace").strip().splitlines()
    except OSError:
        return "it could not be executed."
    errors = [line for line in lines if '"s":"E"' in line or '"s":"F"' in line]
    lines = [line for line in lines if not line.startswith("try '")]  # how to get help
    if errors:
        return errors[0][:500]  # the cause; what follows are its consequences
    return (lines or [f"exit status {server.exit_status()}"])[-1][:500]


def make_directory() -> Path:
    """A fresh directory for a server, in shared memory when there is room."""
    for base in (SHARED_MEMORY, Path(tempfile.gettempdir())):
        try:
            if base is not SHARED_MEMORY or shutil.disk_usage(base).free >= ROOM:
                return Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
        except OSError:
            continue
    raise Problem("No directory for a server's files can be made.", ExitStatus.NO_SERVER)


def sweep() -> int:
    """Remove directories of servers whose keeper was killed; returns how many.

    A living keeper holds the lock in its directory; a directory without a lock file is
    somebody's about to be started, unless it is old.
    """
    removed = 0
    for base in (SHARED_MEMORY, Path(tempfile.gettempdir())):
        for directory in sorted(base.glob(PREFIX + "*")):
            if _abandoned(directory):
                shutil.rmtree(directory, ignore_errors=True)
                removed += 1
    return removed


def _abandoned(directory: Path) -> bool:
    try:
        if directory.stat().st_uid != os.getuid():
            return False
        if time.time() - (directory / "lock").stat().st_mtime < YOUNG_SECONDS:
            return False
        lock = os.open(directory / "lock", os.O_RDWR)
    except FileNotFoundError:
        try:
            return time.time() - directory.stat().st_mtime > 600
        except OSError:
            return False
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True
