"""One connection to the server, taken from pymongo's pool: raw BSON in, raw BSON out.

Commands must arrive byte for byte as the script wrote them (undefined, deprecated types, keys of
any kind), and `Database.command` re-encodes, adds a session and costs as much again as the round
trip; so the framing is ours (a header of 21 bytes) and the transport is pymongo's.
"""

import struct
import time
from typing import Any
from urllib.parse import quote_plus

import bson
from bson.codec_options import CodecOptions, DatetimeConversion
from bson.raw_bson import RawBSONDocument
from pymongo import MongoClient
from pymongo.errors import NetworkTimeout, PyMongoError
from pymongo.server_selectors import any_server_selector
from pymongo.synchronous.pool import Connection as PooledConnection

OP_MSG = 2013
HEADER = struct.Struct("<iiiiIB")
LENGTH = struct.Struct("<i")
TOP_LEVEL: CodecOptions[RawBSONDocument] = CodecOptions(
    document_class=RawBSONDocument,
    unicode_decode_error_handler="replace",
    datetime_conversion=DatetimeConversion.DATETIME_MS,
)


class ConnectionLost(Exception):
    """The server closed the connection, or cannot be reached."""


class ReplyTimeout(ConnectionLost):
    """No reply within the connection's limit; the connection is gone too."""


def uri_of_socket(path: object) -> str:
    """The connection string of a server that listens on a Unix socket."""
    return f"mongodb://{quote_plus(str(path))}"


def with_database(body: bytes, database: str) -> bytes:
    """The command as it goes on the wire: `$db` appended to the encoded document."""
    name = database.encode()
    tail = b"\x02$db\x00" + LENGTH.pack(len(name) + 1) + name + b"\x00\x00"
    return LENGTH.pack(len(body) - 1 + len(tail)) + body[4:-1] + tail


class Connection:
    """A checked-out connection. Raises ConnectionLost where no server answers."""

    def __init__(self, uri: str, reply_seconds: float = 10.0, connect_seconds: float = 10.0):
        milliseconds = int(connect_seconds * 1000)
        try:
            self._client: MongoClient[dict[str, Any]] = MongoClient(
                uri,
                directConnection=True,
                serverSelectionTimeoutMS=milliseconds,
                connectTimeoutMS=milliseconds,
                heartbeatFrequencyMS=3_600_000,  # the monitor's own commands are noise for coverage
                serverMonitoringMode="poll",
                retryWrites=False,
            )
        except PyMongoError as error:  # options in the URI that do not go together
            raise ConnectionLost(str(error)) from error
        try:
            server = self._client._select_server(any_server_selector, None, "fuzz")
            self._checkout = server.pool.checkout()
            self._pooled: PooledConnection = self._checkout.__enter__()
            self._pooled.set_conn_timeout(reply_seconds)
            self.id = int(self.command("admin", {"hello": 1}).get("connectionId", 0))
        except PyMongoError as error:
            self._client.close()
            raise ConnectionLost(str(error)) from error

    def send(self, database: str, body: bytes) -> bytes:
        """Send one encoded command document to `database` and give the encoded reply."""
        payload = with_database(body, database)
        size = HEADER.size + len(payload)
        message = HEADER.pack(size, 1, 0, OP_MSG, 0, 0) + payload
        try:
            self._pooled.send_message(message, 0)
            reply = self._pooled.receive_message(1)
        except NetworkTimeout as error:
            raise ReplyTimeout(str(error)) from error
        except (PyMongoError, OSError) as error:
            raise ConnectionLost(str(error)) from error
        return bytes(reply.raw_command_response())

    def command(self, database: str, command: dict[str, Any]) -> dict[str, Any]:
        """The harness's own commands: decoded, unchecked (look at `ok`)."""
        return bson.decode(self.send(database, bson.encode(command)))

    def close(self) -> None:
        """Drop the connection and its client."""
        try:
            self._pooled.close_conn(None)
            self._checkout.__exit__(None, None, None)
        except PyMongoError:
            pass
        self._client.close()


def top_level(reply: bytes) -> RawBSONDocument:
    """A reply whose nested documents stay encoded; its own fields can be read cheaply."""
    return RawBSONDocument(reply, TOP_LEVEL)


def answers(uri: str, seconds: float) -> bool:
    """Whether the server greets a new connection within `seconds`: alive and not hung."""
    limit = time.monotonic() + seconds
    try:
        connection = Connection(uri, reply_seconds=seconds, connect_seconds=seconds)
    except ConnectionLost:
        return False
    try:
        return bool(connection.command("admin", {"ping": 1}).get("ok")) and (
            time.monotonic() <= limit + seconds
        )
    except ConnectionLost:
        return False
    finally:
        connection.close()
