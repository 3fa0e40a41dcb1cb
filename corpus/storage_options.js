// Storage engine options on collections and indexes, compressors and index defaults.
db.vault.drop();
db.vault2.drop();
db.vault3.drop();
assert.commandWorked(db.createCollection("vault", {storageEngine: {wiredTiger: {configString: "block_compressor=zlib"}}}));
assert.commandWorked(db.createCollection("vault2", {indexOptionDefaults: {storageEngine: {wiredTiger: {configString: "prefix_compression=false"}}}}));
assert.commandWorked(db.createCollection("vault3", {storageEngine: {wiredTiger: {configString: "block_compressor=none,leaf_page_max=16KB,allocation_size=4KB"}}}));
assert.eq(db.getCollectionInfos({name: "vault"})[0].options.storageEngine, {wiredTiger: {configString: "block_compressor=zlib"}});
assert.commandWorked(db.vault.createIndex({a: 1}, {storageEngine: {wiredTiger: {configString: "prefix_compression=true,internal_page_max=32k"}}}));
assert.commandWorked(db.vault2.createIndex({a: "hashed"}));
for (var i = 0; i < 20; i++) {
    db.vault.insert({_id: i, a: "value " + i % 3});
    db.vault2.insert({_id: i, a: i});
    db.vault3.insert({_id: i, a: [i, i + 1]});
}
assert.eq(db.vault.find({a: "value 1"}).hint({a: 1}).itcount(), 7);
assert.eq(db.vault2.find({a: 7}).hint({a: "hashed"}).itcount(), 1);
assert.eq(db.vault3.find({a: {$all: [4, 5]}}).itcount(), 1);
assert.eq(db.vault3.validate({full: true}).valid, true);
assert.commandWorked(db.runCommand({compact: "vault", comment: "squeeze"}));
assert.eq(db.vault.count({a: {$gt: "value 0"}}), 13);
assert.commandFailedWithCode(db.createCollection("vault_bad", {storageEngine: {wiredTiger: {configString: "block_compressor=imaginary"}}}), [2, 22]);
assert.commandFailedWithCode(db.createCollection("vault_bad", {storageEngine: {noSuchEngine: {a: 1}}}), [2, 72]);
assert.commandFailedWithCode(db.createCollection("vault_bad", {storageEngine: {wiredTiger: {unknownOption: 1}}}), [2, 72]);
assert.commandFailedWithCode(db.createCollection("vault_bad", {storageEngine: 5}), [2, 14]);
assert.commandFailedWithCode(db.vault.createIndex({b: 1}, {storageEngine: {wiredTiger: {configString: "gibberish(("}}}), [2, 22]);
