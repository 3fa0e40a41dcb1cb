// Collection validators: $jsonSchema keywords, query expressions, levels and actions.
db.permits.drop();
assert.commandWorked(db.createCollection("permits", {validator: {$jsonSchema: {
    bsonType: "object", required: ["name", "age"], additionalProperties: true, minProperties: 2, title: "a permit",
    properties: {
        name: {bsonType: "string", minLength: 2, maxLength: 10, pattern: "^[A-Z]", description: "capital first"},
        age: {bsonType: ["int", "long", "double"], minimum: 0, exclusiveMaximum: true, maximum: 150, multipleOf: 1},
        zones: {bsonType: "array", items: {enum: ["a", "b", "c"]}, uniqueItems: true, minItems: 1, maxItems: 3},
        pair: {type: "array", items: [{type: "number"}, {type: "string"}], additionalItems: false},
        addr: {type: "object", patternProperties: {"^x": {type: "null"}}, dependencies: {street: ["town"]}},
        pick: {anyOf: [{type: "boolean"}, {enum: [1, 2]}]}, never: {not: {type: "string"}}, one: {oneOf: [{minimum: 5}, {maximum: 7}]}, both: {allOf: [{minimum: 1}, {maximum: 9}]}
    }
}}}));
assert.writeOK(db.permits.insert({_id: 1, name: "Ida", age: 30, zones: ["a", "c"], pair: [1, "x"], addr: {xx: null}, pick: true, one: 9, both: 5}));
assert.writeErrorWithCode(db.permits.insert({_id: 2, name: "ida", age: 30}), 121);
assert.writeErrorWithCode(db.permits.insert({_id: 2, name: "Ida"}), 121);
assert.writeErrorWithCode(db.permits.insert({_id: 2, name: "Ida", age: 150}), 121);
assert.writeErrorWithCode(db.permits.insert({_id: 2, name: "Ida", age: 1, zones: ["a", "a"]}), 121);
assert.writeErrorWithCode(db.permits.insert({_id: 2, name: "Ida", age: 1, pair: [1, "x", 2]}), 121);
assert.writeErrorWithCode(db.permits.insert({_id: 2, name: "Ida", age: 1, addr: {street: "Elm"}}), 121);
assert.writeErrorWithCode(db.permits.insert({_id: 2, name: "Ida", age: 1, one: 6}), 121);
assert.writeErrorWithCode(db.permits.insert({_id: 2, name: "Ida", age: 1, never: "no"}), 121);
assert.writeErrorWithCode(db.permits.update({_id: 1}, {$set: {pick: 3}}), 121);
assert.writeOK(db.permits.update({_id: 1}, {$inc: {age: 1}}));
assert.writeOK(db.permits.insert({_id: 3, age: "unchecked"}, {bypassDocumentValidation: true}));
assert.commandWorked(db.runCommand({insert: "permits", documents: [{_id: 4}], bypassDocumentValidation: true}));
assert.commandWorked(db.runCommand({collMod: "permits", validationLevel: "moderate"}));
assert.writeOK(db.permits.update({_id: 4}, {$set: {still: "bad"}}));
assert.writeErrorWithCode(db.permits.update({_id: 1}, {$unset: {name: 1}}), 121);
assert.commandWorked(db.runCommand({collMod: "permits", validationLevel: "strict", validationAction: "warn"}));
assert.writeOK(db.permits.insert({_id: 5}));
assert.commandWorked(db.runCommand({collMod: "permits", validator: {$or: [{n: {$gte: 0}}, {$expr: {$eq: ["$a", "$b"]}}]}, validationAction: "error"}));
assert.writeOK(db.permits.insert({_id: 6, n: 1, a: 1}));
assert.writeErrorWithCode(db.permits.insert({_id: 7, n: -1, a: 1}), 121);
assert.eq(db.getCollectionInfos({name: "permits"})[0].options.validationAction, "error");
assert.commandWorked(db.runCommand({collMod: "permits", validator: {}, validationLevel: "off"}));
assert.commandWorked(db.permits.validate());
assert.commandFailedWithCode(db.createCollection("badv", {validator: {$jsonSchema: {type: "integer"}}}), 9);
assert.commandFailedWithCode(db.createCollection("badv", {validator: {$text: {$search: "x"}}}), [121, 2, 72]);
assert.commandFailedWithCode(db.createCollection("badv", {validator: {a: 1}, validationAction: "sigh"}), 2);
