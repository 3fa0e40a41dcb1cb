"""Tables of the shell's methods: the roles of their arguments and which ones are related."""

from __future__ import annotations

# Role of each argument by position; a further argument has the last one's role.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "adminCommand": ("command",),
    "aggregate": ("pipeline", "aggregate options"),
    "arrayFilters": ("query",),
    "batchSize": ("count",),
    "bulkWrite": ("operations", "options"),
    "collation": ("collation",),
    "count": ("query", "options"),
    "countDocuments": ("query", "options"),
    "createCollection": ("collection", "collection options"),
    "createIndex": ("keys", "index options"),
    "createIndexes": ("keys list", "index options"),
    "createView": ("collection", "collection", "pipeline", "options"),
    "deleteMany": ("query", "delete options"),
    "deleteOne": ("query", "delete options"),
    "distinct": ("path", "query", "options"),
    "dropIndex": ("keys",),
    "ensureIndex": ("keys", "index options"),
    "estimatedDocumentCount": ("options",),
    "find": ("query", "projection"),
    "findAndModify": ("options",),
    "findOne": ("query", "projection"),
    "findOneAndDelete": ("query", "delete options"),
    "findOneAndReplace": ("query", "document", "update options"),
    "findOneAndUpdate": ("query", "update", "update options"),
    "getCollection": ("collection",),
    "hint": ("keys",),
    "insert": ("document", "options"),
    "insertMany": ("document", "options"),
    "insertOne": ("document", "options"),
    "limit": ("count",),
    "mapReduce": ("function", "function", "options"),
    "max": ("bounds",),
    "maxTimeMS": ("fixed",),
    "min": ("bounds",),
    "project": ("projection",),
    "projection": ("projection",),
    "remove": ("query", "delete options"),
    "renameCollection": ("collection", "fixed"),
    "replaceOne": ("query", "document", "update options"),
    "runCommand": ("command",),
    "save": ("document", "options"),
    "skip": ("count",),
    "sort": ("sort",),
    "update": ("query", "update", "update options"),
    "updateMany": ("query", "update", "update options"),
    "updateOne": ("query", "update", "update options"),
    "upsert": ("options",),
    # A huge argument of these costs memory or time of the client and tests nothing.
    "Array": ("fixed",),
    "alloc": ("fixed",),
    "fill": ("value", "fixed"),
    "padEnd": ("fixed",),
    "padStart": ("fixed",),
    "repeat": ("fixed",),
    "sleep": ("fixed",),
}

# Methods that take the same arguments well enough: one may stand for another.
COLLECTION_FAMILIES: tuple[tuple[str, ...], ...] = (
    ("find", "findOne", "count", "countDocuments", "remove", "deleteOne", "deleteMany"),
    ("insert", "insertOne", "insertMany", "save"),
    ("update", "updateOne", "updateMany", "replaceOne", "findOneAndUpdate", "findOneAndReplace"),
    ("remove", "deleteOne", "deleteMany", "findOneAndDelete"),
    ("createIndex", "ensureIndex", "dropIndex"),
    ("runCommand", "adminCommand"),
)
CURSOR_FAMILIES: tuple[tuple[str, ...], ...] = (
    ("sort", "hint", "min", "max"),
    ("limit", "skip", "batchSize"),
    ("toArray", "itcount", "count", "explain", "next", "hasNext"),
)

# Modifiers of a cursor with the role of their argument, and a weight.
CURSOR_MODIFIERS: tuple[tuple[tuple[str, str], int], ...] = (
    (("sort", "sort"), 4),
    (("limit", "count"), 3),
    (("skip", "count"), 3),
    (("hint", "keys"), 3),
    (("batchSize", "count"), 1),
    (("collation", "collation"), 2),
    (("min", "bounds"), 1),
    (("max", "bounds"), 1),
)

# What gives a cursor, or leaves it one: a statement that ends so has sent nothing yet.
CURSOR_METHODS = frozenset({"find", "aggregate", "addOption", "comment", "pretty", "tailable"}) | {
    name for (name, _), _ in CURSOR_MODIFIERS
}

# Constructors of BSON values.
BSON_CONSTRUCTORS = frozenset(
    {
        "BinData",
        "Code",
        "DBRef",
        "Date",
        "HexData",
        "ISODate",
        "MD5",
        "MaxKey",
        "MinKey",
        "NumberDecimal",
        "NumberInt",
        "NumberLong",
        "ObjectId",
        "Symbol",
        "Timestamp",
        "UUID",
    }
)

# The methods above by which a statement is known to talk to the server.
SERVER_METHODS = frozenset(ARGUMENTS) - {
    "Array",
    "alloc",
    "fill",
    "padEnd",
    "padStart",
    "repeat",
    "sleep",
}

# Methods of `db` itself: what follows any other name after `db.` is a collection's.
DATABASE_METHODS = frozenset(
    {
        "adminCommand",
        "aggregate",
        "createCollection",
        "createView",
        "dropDatabase",
        "getCollection",
        "getCollectionInfos",
        "getCollectionNames",
        "getMongo",
        "getName",
        "getSiblingDB",
        "getSisterDB",
        "getLastError",
        "getLastErrorObj",
        "hello",
        "isMaster",
        "runCommand",
        "serverStatus",
        "stats",
        "version",
    }
)
