"""The keeper: a small process between the harness and its mongod, so that neither outlives us.

It is the parent of the server, and it alone removes the server's directory. It learns that the
harness has gone, however it went, from the end of file on its standard input; should the keeper
itself be killed, the kernel kills the server (parent-death signal). It runs as a script with
`python -I -S`, imports nothing of this project, and speaks lines:

    harness -> keeper   "end" (or end of file): kill the server, remove the directory, leave
                        "stop": ask the server to shut down cleanly (SIGTERM), then as above
    keeper -> harness   "pid N", then "exit STATUS" when the server has ended by itself
                        (STATUS as in subprocess: -N for signal N)
"""

import ctypes
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1
STOP_SECONDS = 30.0
NOT_EXECUTED = 127  # as shells have it


def main() -> None:
    """argv[1] is JSON: argv (list), directory, output (file), environment (dict)."""
    request = json.loads(sys.argv[1])
    directory = Path(request["directory"])
    lock = os.open(directory / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
    fcntl.flock(lock, fcntl.LOCK_EX)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    libc = ctypes.CDLL(None)

    def tie_to_keeper() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)

    server = None
    try:
        with Path(request["output"]).open("ab") as output:
            try:
                server = subprocess.Popen(
                    request["argv"],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd=directory,
                    env=request["environment"],
                    preexec_fn=tie_to_keeper,  # noqa: PLW1509 -- this process has one thread
                )
            except OSError as error:
                output.write(f"{error}\n".encode())
        if server is not None:
            attend(server)
        else:
            say(f"exit {NOT_EXECUTED}")
            os.read(0, 64)  # the harness reads the output first
    finally:
        if server is not None and server.poll() is None:
            server.kill()
            server.wait()
        shutil.rmtree(directory, ignore_errors=True)


def attend(server: "subprocess.Popen[bytes]") -> None:
    """Until the harness asks for the end or is gone."""
    say(f"pid {server.pid}")
    ended = os.pidfd_open(server.pid)
    watched = [0, ended]
    while True:
        ready, _, _ = select.select(watched, [], [])
        if ended in ready:
            say(f"exit {server.wait()}")
            watched.remove(ended)
        if 0 in ready:
            word = os.read(0, 64)
            if word.startswith(b"stop"):
                server.terminate()
                try:
                    server.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    server.kill()
                say(f"exit {server.wait()}")
                watched = [0]
                continue
            return


def say(line: str) -> None:
    """One line to the harness, which may have gone."""
    try:
        os.write(1, line.encode() + b"\n")
    except OSError:
        pass


if __name__ == "__main__":
    main()
