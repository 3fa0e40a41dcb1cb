"""What the tests of the shell share: one real server, one engine, and a host that records."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from shells import Recorder, Shell

from harness.server.locate import find_mongod
from harness.server.target import OwnServer
from harness.settings import Settings
from harness.shell.dispatch import load_denied
from harness.shell.engine import Engine, Limits


@pytest.fixture(scope="session")
def engine() -> Engine:
    return Engine(Limits(seconds=30.0))


@pytest.fixture(scope="session")
def target() -> Iterator[OwnServer]:
    """The default server. Whoever sends it commands clears it: `shell` does."""
    settings = Settings(mongod=str(find_mongod(None, os.environ)))
    target = settings.open_target()
    assert isinstance(target, OwnServer)
    yield target
    target.end()


@pytest.fixture
def shell(target: OwnServer, engine: Engine) -> Iterator[Shell]:
    shell = Shell(target, engine, load_denied())
    yield shell
    shell.clear()


@pytest.fixture
def recorder(engine: Engine) -> Recorder:
    return Recorder(engine)
