"""Writes and reads of the shell on the real server: what is sent, what comes back."""

from __future__ import annotations

from bson import Int64
from shells import Shell, commands, names

# Writes


def test_results_of_inserts(shell: Shell) -> None:
    run = shell.passes("""
        var one = db.c.insertOne({a: 1});
        assert(one.acknowledged);
        assert.eq(one.insertedId, db.c.findOne()._id);
        assert.eq(db.c.insertMany([{_id: 1}, {_id: 2}]).insertedIds, [1, 2]);
        assert.eq(db.c.insert({_id: 3}).nInserted, 1);
        var twice = db.c.insert([{_id: 3}, {_id: 4}]);
        assert(twice.hasWriteError());
        assert.eq([twice.nInserted, twice.getWriteErrorAt(0).code], [0, 11000]);
        var unordered = db.c.insert([{_id: 3}, {_id: 4}, {_id: 4}], {ordered: false});
        assert.eq([unordered.nInserted, unordered.getWriteErrorCount()], [1, 2]);
        var thrown = assert.throws(() => db.c.insertOne({_id: 4}));
        assert.eq(thrown.code, 11000);
        assert.throwsWithCode(() => db.c.insertMany([{_id: 9}, {_id: 9}]), 11000);
        assert.throws(() => db.c.insertMany({_id: 1}));
        assert.eq(db.c.count(), 6);
    """)
    first = commands(run)[0]
    assert list(first) == ["insert", "documents", "ordered"]
    assert list(first["documents"][0]) == ["_id", "a"]


def test_inserts_are_sent_a_thousand_at_a_time(shell: Shell) -> None:
    run = shell.passes("""
        var result = db.c.insertMany(Array.from({length: 2500}, (_, i) => ({_id: i})));
        assert.eq([result.insertedCount, result.insertedIds.length], [2500, 2500]);
        var late = db.d.insert(Array.from({length: 1500}, (_, i) => ({_id: i % 1200})));
        assert.eq([late.nInserted, late.getWriteErrorCount()], [1200, 1]);
        var early = db.e.insert(Array.from({length: 1500}, (_, i) => ({_id: i % 10})));
        assert.eq([early.nInserted, early.getWriteErrorCount()], [10, 1]);
    """)
    sizes = [len(each["documents"]) for each in commands(run)]
    assert sizes == [1000, 1000, 500, 1000, 500, 1000]


def test_results_of_updates_and_removals(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert([{_id: 1, a: 1}, {_id: 2, a: 1}, {_id: 3, a: 2}]);
        var r = db.c.update({a: 1}, {$set: {b: 1}});
        assert.eq([r.nMatched, r.nModified, r.nUpserted], [1, 1, 0]);
        r = db.c.update({a: 1}, {$set: {b: 1}}, {multi: true});
        assert.eq([r.nMatched, r.nModified], [2, 1]);
        r = db.c.update({_id: 9}, {a: 9}, true);
        assert.eq([r.nUpserted, r.getUpsertedId()._id], [1, 9]);
        r = db.c.updateOne({_id: 10}, {$set: {a: 1}}, {upsert: true});
        assert.eq([r.matchedCount, r.modifiedCount, r.upsertedId, r.upsertedCount], [0, 0, 10, 1]);
        r = db.c.updateMany({a: {$gte: 1}}, [{$set: {c: "$a"}}]);
        assert.eq([r.matchedCount, r.modifiedCount, r.upsertedId], [5, 5, null]);
        r = db.c.replaceOne({_id: 1}, {a: 5});
        assert.eq([r.matchedCount, db.c.findOne({_id: 1})], [1, {_id: 1, a: 5}]);
        r = db.c.save({_id: 1, a: 6});
        assert.eq([r.nMatched, r.nUpserted], [1, 0]);
        assert.eq(db.c.save({a: 7}).nInserted, 1);
        assert.throws(() => db.c.updateOne({}, {a: 1}));
        assert.throws(() => db.c.replaceOne({}, {$set: {a: 1}}));
        assert.throwsWithCode(() => db.c.updateOne({}, {$bad: 1}), 9);
        assert.writeErrorWithCode(db.c.update({}, {$bad: 1}), 9);
        assert.eq(db.c.remove({a: 2}, true).nRemoved, 1);
        assert.eq(db.c.deleteOne({_id: 1}).deletedCount, 1);
        assert.eq(db.c.deleteMany({}).deletedCount, 4);
        assert.eq(db.c.remove({}).nRemoved, 0);
    """)
    updates = [each for each in commands(run) if "update" in each]
    assert updates[1]["updates"] == [{"q": {"a": 1}, "u": {"$set": {"b": 1}}, "multi": True}]
    assert updates[3]["updates"] == [{"q": {"_id": 10}, "u": {"$set": {"a": 1}}, "upsert": True}]
    deletes = [each["deletes"][0]["limit"] for each in commands(run) if "delete" in each]
    assert deletes == [1, 1, 0, 0]


def test_options_of_writes_reach_their_places(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert({_id: 1, a: [1, 2]}, {writeConcern: {w: 1}, ordered: false, comment: "x"});
        db.c.updateOne({_id: 1}, {$set: {"a.$[e]": 5}}, {arrayFilters: [{e: 1}], hint: {_id: 1},
            collation: {locale: "fr"}, writeConcern: {w: 1}, let: {x: 1}});
        db.c.deleteOne({_id: 1}, {hint: "_id_", collation: {locale: "fr"}, comment: 5});
    """)
    insert, update, delete = commands(run)
    assert insert["ordered"] is False and insert["comment"] == "x"
    assert set(update["updates"][0]) == {"q", "u", "arrayFilters", "hint", "collation"}
    assert update["writeConcern"] == {"w": 1} and update["let"] == {"x": 1}
    assert delete["deletes"][0]["hint"] == "_id_" and delete["comment"] == 5


def test_results_of_bulks(shell: Shell) -> None:
    run = shell.passes("""
        var bulk = db.c.initializeOrderedBulkOp();
        bulk.insert({_id: 1}); bulk.insert({_id: 2});
        bulk.find({_id: 1}).updateOne({$set: {a: 1}});
        bulk.find({}).update({$set: {b: 1}});
        bulk.find({_id: 3}).upsert().replaceOne({a: 3});
        bulk.insert({_id: 4});
        bulk.find({_id: 4}).removeOne();
        var r = bulk.execute();
        assert.eq([r.nInserted, r.nMatched, r.nModified, r.nUpserted, r.nRemoved], [3, 3, 3, 1, 1]);
        assert.eq(r.getUpsertedIds()[0]._id, 3);
        assert.throws(() => bulk.execute());
        assert.throws(() => db.c.initializeOrderedBulkOp().execute());

        var unordered = db.c.initializeUnorderedBulkOp();
        unordered.insert({_id: 1}); unordered.find({_id: 2}).remove(); unordered.insert({_id: 5});
        var error = assert.throws(() => unordered.execute());
        assert.eq([error.code, error.result.nInserted, error.result.nRemoved], [11000, 1, 1]);

        var ordered = assert.throws(() => db.c.bulkWrite([
            {insertOne: {document: {_id: 6}}}, {insertOne: {document: {_id: 6}}},
            {deleteMany: {filter: {}}}]));
        assert.eq([ordered.code, db.c.count({_id: 6})], [11000, 1]);

        var w = db.c.bulkWrite([
            {updateOne: {filter: {_id: 7}, update: {$set: {a: 1}}, upsert: true}},
            {updateMany: {filter: {}, update: {$inc: {n: 1}}}},
            {replaceOne: {filter: {_id: 7}, replacement: {z: 1}}},
            {deleteOne: {filter: {_id: 7}}}], {ordered: false});
        assert.eq([w.upsertedCount, w.deletedCount], [1, 1]);
        assert.throws(() => db.c.bulkWrite([{nonsense: {}}]));
    """)
    assert names(run)[:5] == ["insert", "update", "insert", "delete", "insert"]
    assert len(commands(run)[1]["updates"]) == 3


def test_the_find_and_modify_family(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert([{_id: 1, a: 1, b: 1}, {_id: 2, a: 2, b: 2}, {_id: 3, a: 3, b: 3}]);
        assert.eq(db.c.findAndModify({query: {a: 1}, update: {$inc: {a: 10}}}).a, 1);
        assert.eq(db.c.findAndModify({query: {_id: 1}, update: {$inc: {a: 10}}, new: true}).a, 21);
        assert.isnull(db.c.findAndModify({query: {_id: 77}, update: {$set: {a: 1}}}));
        assert.eq(db.c.findAndModify({query: {}, sort: {a: 1}, remove: true})._id, 2);
        assert.eq(db.c.findOneAndUpdate({_id: 1}, {$set: {a: 5}}).a, 21);
        assert.eq(db.c.findOneAndUpdate({_id: 1}, {$set: {a: 6}}, {returnNewDocument: true}).a, 6);
        assert.eq(db.c.findOneAndUpdate({_id: 1}, {$set: {a: 7}}, {returnDocument: "after",
            projection: {a: 1, _id: 0}}), {a: 7});
        var replaced = db.c.findOneAndReplace({_id: 1}, {z: 1}, {returnOriginal: false});
        assert.eq(replaced, {_id: 1, z: 1});
        assert.eq(db.c.findOneAndDelete({}, {sort: {_id: -1}})._id, 3);
        assert.isnull(db.c.findOneAndDelete({_id: 3}));
        assert.throwsWithCode(() => db.c.findAndModify({query: {}, update: {$bad: 1}}), 9);
    """)
    sent = commands(run)
    assert list(sent[1]) == ["findAndModify", "query", "update"]
    assert sent[7]["fields"] == {"a": 1, "_id": 0} and sent[7]["new"] is True


# Reads


def test_cursors_fetch_batches_as_they_are_asked(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert(Array.from({length: 10}, (_, i) => ({_id: i})));
        var cursor = db.c.find().sort({_id: 1}).batchSize(4);
        assert.eq(cursor.objsLeftInBatch(), 4);
        assert.eq([cursor.next()._id, cursor.objsLeftInBatch()], [0, 3]);
        assert(!cursor.isExhausted());
        assert.eq(cursor.toArray().map((each) => each._id), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert(cursor.isExhausted());
        assert(!cursor.hasNext());
        assert.throws(() => cursor.next());
        assert.throws(() => cursor.limit(5));
    """)
    assert names(run) == ["insert", "find", "getMore", "getMore"]
    assert commands(run)[1] == {"find": "c", "filter": {}, "sort": {"_id": 1}, "batchSize": 4}
    more = commands(run)[2]
    assert list(more) == ["getMore", "collection", "batchSize"]
    assert isinstance(more["getMore"], Int64) and more["batchSize"] == 4


def test_what_is_asked_of_a_cursor_is_in_its_command(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert(Array.from({length: 9}, (_, i) => ({_id: i, a: i % 3})));
        db.c.createIndex({a: 1});
        assert.eq(db.c.find({a: 1}, {_id: 1}).skip(1).limit(1).toArray(), [{_id: 4}]);
        assert.eq(db.c.find().limit(-2).itcount(), 2);
        assert.eq(db.c.find({a: 0}).hint({a: 1}).comment("x").maxTimeMS(5000).itcount(), 3);
        assert.eq(db.c.find().min({a: 1}).max({a: 2}).hint({a: 1}).itcount(), 3);
        assert.eq(db.c.find({}, {}, 2, 1).itcount(), 2);
        assert.eq(db.c.find().collation({locale: "fr"}).allowDiskUse().itcount(), 9);
        assert.eq(db.c.find({a: 0}).returnKey().hint({a: 1}).next(), {a: 0});
        assert.eq(db.c.find().count(), 9);
        assert.eq([db.c.find().limit(2).count(), db.c.find().limit(2).count(true)], [9, 2]);
        assert.eq(db.c.find().skip(7).size(), 2);
        var seen = 0;
        db.c.find().forEach(() => { seen++; });
        for (var each of db.c.find()) seen++;
        assert.eq(seen, 18);
        assert.eq(db.c.find({_id: 1}).map((each) => each.a), [1]);
        assert.eq(db.c.findOne({_id: 2}, {a: 1, _id: 0}), {a: 2});
        assert.isnull(db.c.findOne({_id: 99}));
        assert.eq(db.c.find().readConcern("local").length(), 9);
    """)
    finds = [each for each in commands(run) if "find" in each]
    assert finds[0] == {
        "find": "c", "filter": {"a": 1}, "projection": {"_id": 1}, "skip": 1, "limit": 1,
    }  # fmt: skip
    assert finds[1] == {"find": "c", "filter": {}, "singleBatch": True, "limit": 2}
    assert finds[-1] == {"find": "c", "filter": {}, "readConcern": {"level": "local"}}


def test_a_bare_find_sends_nothing_and_first_fetches(shell: Shell) -> None:
    run = shell.passes("""
        db.c.find({a: 1});
        var cursor = first(db.c.find({b: 1}));
        assert(!cursor.hasNext());
        assert.eq([first(5), first(undefined)], [5, undefined]);
    """)
    assert [each["filter"] for each in commands(run)] == [{"b": 1}]


def test_tailable_cursors_and_closing(shell: Shell) -> None:
    run = shell.passes("""
        db.createCollection("k", {capped: true, size: 4096});
        db.k.insert([{_id: 1}, {_id: 2}]);
        var tail = db.k.find().tailable().batchSize(1);
        assert.eq([tail.next()._id, tail.next()._id, tail.hasNext()], [1, 2, false]);
        db.k.insert({_id: 3});
        assert.eq(tail.next()._id, 3);
        assert(!tail.isClosed());
        tail.close();
        assert(tail.isClosed());
        tail.close();
        var raw = db.k.find().addOption(2).addOption(32).maxAwaitTimeMS(1);
        raw.toArray();
        raw.close();
    """)
    assert names(run).count("killCursors") == 2
    finds = [each for each in commands(run) if "find" in each]
    assert finds[0]["tailable"] is True
    assert (finds[1]["tailable"], finds[1]["awaitData"]) == (True, True)


def test_forms_of_aggregate(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert(Array.from({length: 5}, (_, i) => ({_id: i})));
        assert.eq(db.c.aggregate([{$match: {_id: 1}}]).toArray(), [{_id: 1}]);
        assert.eq(db.c.aggregate({$match: {_id: 1}}, {$addFields: {a: 1}}).next(), {_id: 1, a: 1});
        assert.eq(db.c.aggregate().itcount(), 5);
        assert.eq(db.c.aggregate([]).itcount(), 5);
        assert.eq(db.c.aggregate([], {cursor: {batchSize: 2}}).objsLeftInBatch(), 2);
        assert.eq(db.c.aggregate([], {batchSize: 2}).itcount(), 5);
        assert.eq(db.aggregate([{$documents: [{a: 1}]}]).toArray(), [{a: 1}]);
        assert(db.c.aggregate([], {explain: true}).ok);
        assert(db.c.aggregate([], {explain: "executionStats"}).executionStats);
        assert.eq(db.c.aggregate([{$match: {$expr: {$eq: ["$_id", "$$x"]}}}],
            {let: {x: 2}, allowDiskUse: true, comment: "y"}).toArray(), [{_id: 2}]);
        assert.throwsWithCode(() => db.c.aggregate([{$bad: 1}]), 40324);
    """)
    sent = [each for each in commands(run) if "aggregate" in each]
    assert sent[0] == {"aggregate": "c", "pipeline": [{"$match": {"_id": 1}}], "cursor": {}}
    assert sent[5]["cursor"] == {"batchSize": 2}
    assert sent[6]["aggregate"] == 1


def test_counts_and_distinct(shell: Shell) -> None:
    shell.passes("""
        db.c.insert([{a: 1}, {a: 1}, {a: NumberLong(2)}, {a: [3, 4]}]);
        assert.eq(db.c.count(), 4);
        assert.eq(db.c.count({a: 1}, {limit: 1}), 1);
        assert.eq(db.c.countDocuments({a: 1}), 2);
        assert.eq(db.c.countDocuments({a: 77}), 0);
        assert.eq(db.c.countDocuments({}, {skip: 1, limit: 2}), 2);
        assert.eq(db.c.estimatedDocumentCount(), 4);
        assert.eq(db.c.distinct("a"), [1, 2, 3, 4]);
        assert.eq(db.c.distinct("a", {a: {$gt: 1}}), [2, 3, 4]);
        assert.throwsWithCode(() => db.c.count({$bad: 1}), 2);
    """)


def test_explain_in_all_its_places(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert({a: 1});
        assert(db.c.find({a: 1}).explain().queryPlanner);
        assert(db.c.find({a: 1}).explain("executionStats").executionStats);
        assert(db.c.explain().find({a: 1}).limit(1).finish().queryPlanner);
        assert(db.c.explain(true).find({a: 1}).next().executionStats.allPlansExecution);
        assert(db.c.explain().aggregate([{$match: {a: 1}}]).ok);
        assert(db.c.explain().count({a: 1}).queryPlanner);
        assert(db.c.explain().distinct("a").queryPlanner);
        assert(db.c.explain().update({a: 1}, {$set: {a: 2}}, {multi: true}).queryPlanner);
        assert(db.c.explain().remove({a: 1}).queryPlanner);
        assert(db.c.explain("executionStats").findAndModify({query: {a: 1}, remove: true}).ok);
        assert.eq(db.c.findOne().a, 1);
        assert.throws(() => db.c.explain("nonsense").find().next());
    """)
    explained = [each for each in commands(run) if "explain" in each]
    assert explained[0] == {
        "explain": {"find": "c", "filter": {"a": 1}}, "verbosity": "queryPlanner",
    }  # fmt: skip
    assert explained[3]["verbosity"] == "allPlansExecution"
    assert explained[7]["explain"]["updates"][0]["multi"] is True
