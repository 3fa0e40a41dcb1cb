"""Between runs: whatever the run before left on the server is gone.

Databases are dropped always; the rest is looked at only when a command was sent that could have
changed it, by the table LASTING.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import bson

from harness.server.connection import Connection, top_level
from harness.shell.dispatch import Sent

SYSTEM = ("admin", "config", "local")
EMPTIED = {"system.users", "system.roles"}  # not to be dropped; LASTING empties them
NAMESPACE_NOT_FOUND = 26
WRITES = frozenset({"insert", "update", "delete", "findAndModify", "findandmodify", "collMod"})
READS = frozenset(
    (
        "find",
        "aggregate",
        "count",
        "distinct",
        "getMore",
        "listCollections",
        "listIndexes",
        "listDatabases",
        "ping",
        "hello",
        "isMaster",
        "buildInfo",
        "getParameter",
        "serverStatus",
        "currentOp",
        "explain",
        "collStats",
        "dbStats",
        "hostInfo",
        "usersInfo",
        "rolesInfo",
        "listCommands",
        "validate",
        "killCursors",
        "endSessions",
        "connectionStatus",
    )
)


class NotCleared(Exception):
    """The server cannot be brought back to empty; it must be started anew."""


class Clearing:
    """Knows what the server was like before the first run, and brings it back to that."""

    def __init__(self, connection: Connection) -> None:
        self._parameters = _ok(connection.command("admin", {"getParameter": "*"}))
        self._collections = {name: _collections(connection, name) for name in SYSTEM}

    def clear(self, connection: Connection, sent: Iterable[Sent]) -> None:
        """Undo what the commands in `sent` did. Raises NotCleared, or ConnectionLost."""
        names = set()
        touched = set()
        lasting = []
        for each in sent:
            names.add(each.name)
            if each.database in SYSTEM and each.name not in READS:
                touched.add(each.database)
                self._check_system(each)
            if each.name in LASTING and each.code == 0:
                lasting.append(each)
        for each in lasting:
            LASTING[each.name](self, connection, each)
        if names <= READS and "aggregate" not in names:
            return
        listed = _ok(connection.command("admin", {"listDatabases": 1, "nameOnly": True}))
        for database in listed["databases"]:
            if database["name"] not in SYSTEM:
                _ok(connection.command(database["name"], {"dropDatabase": 1}))
        for name in SYSTEM:
            if name in touched:
                extra = _collections(connection, name) - self._collections[name]
                for collection in sorted(extra):
                    reply = connection.command(name, {"drop": collection})
                    if reply.get("code") != NAMESPACE_NOT_FOUND:  # gone with its view or buckets
                        _ok(reply)

    def _check_system(self, sent: Sent) -> None:
        """What the server itself keeps in its system collections cannot be put back."""
        if sent.name in WRITES and sent.code == 0:
            collection = top_level(sent.body)[sent.name]
            if collection in self._collections[sent.database] | EMPTIED:
                raise NotCleared(f"{sent.name} changed {sent.database}.{collection}")

    def _parameter(self, connection: Connection, sent: Sent) -> None:
        document = bson.decode(sent.body)
        for name in document:
            if name in self._parameters and name != "setParameter":
                value = self._parameters[name]
                _ok(connection.command("admin", {"setParameter": 1, name: value}))

    def _compatibility(self, connection: Connection, _: Sent) -> None:
        version = self._parameters["featureCompatibilityVersion"]["version"]
        _ok(connection.command("admin", {"setFeatureCompatibilityVersion": version}))

    def _profile(self, connection: Connection, sent: Sent) -> None:
        reset = {"profile": 0, "slowms": 100_000, "sampleRate": 1.0, "filter": "unset"}
        _ok(connection.command(sent.database, reset))

    def _users(self, connection: Connection, sent: Sent) -> None:
        _ok(connection.command(sent.database, {"dropAllUsersFromDatabase": 1}))

    def _roles(self, connection: Connection, sent: Sent) -> None:
        _ok(connection.command(sent.database, {"dropAllRolesFromDatabase": 1}))

    def _restart(self, _: Connection, sent: Sent) -> None:
        raise NotCleared(f"{sent.name} cannot be undone")

    def _failpoint(self, connection: Connection, sent: Sent) -> None:
        name = top_level(sent.body)["configureFailPoint"]
        _ok(connection.command("admin", {"configureFailPoint": name, "mode": "off"}))


# Commands whose effect outlives the databases: what undoes each.
LASTING: Mapping[str, Callable[[Clearing, Connection, Sent], None]] = {
    "setParameter": Clearing._parameter,
    "setFeatureCompatibilityVersion": Clearing._compatibility,
    "profile": Clearing._profile,
    "createUser": Clearing._users,
    "createRole": Clearing._roles,
    "configureFailPoint": Clearing._failpoint,
    "setClusterParameter": Clearing._restart,
    "setDefaultRWConcern": Clearing._restart,
    "setIndexCommitQuorum": Clearing._restart,
    "setAuditConfig": Clearing._restart,
    "applyOps": Clearing._restart,
    "_mergeAuthzCollections": Clearing._restart,
    "rotateCertificates": Clearing._restart,
}


def _collections(connection: Connection, database: str) -> set[str]:
    reply = _ok(connection.command(database, {"listCollections": 1, "nameOnly": True}))
    names = {each["name"] for each in reply["cursor"]["firstBatch"]}
    return names - EMPTIED


def _ok(reply: dict[str, Any]) -> dict[str, Any]:
    if not reply.get("ok"):
        raise NotCleared(str(reply.get("errmsg", reply)))
    return reply
