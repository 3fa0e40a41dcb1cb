// Text search: weights, phrases, negation, languages, scores and case or diacritic rules.
db.recipes.drop();
assert.commandWorked(db.recipes.createIndex({title: "text", body: "text", "notes.t": "text"}, {weights: {title: 10, body: 2}, default_language: "english", name: "words"}));
db.recipes.insert([
    {_id: 1, title: "Bread soup", body: "Old bread and hot broth"}, {_id: 2, title: "Fish pie", body: "Baked fishes under a crust"},
    {_id: 3, title: "Creme brulee", body: "Cr\u00e8me with burnt sugar", notes: [{t: "french"}, {t: "dessert"}]},
    {_id: 4, title: "Brot", body: "Das Brot und die Brote", language: "german"}, {_id: 5, title: 7, body: "not bread nor soup"}
]);
assert.eq(db.recipes.find({$text: {$search: "bread"}}).itcount(), 2);
assert.eq(db.recipes.find({$text: {$search: "fish baking"}}).itcount(), 1);
assert.eq(db.recipes.find({$text: {$search: "bread -soup"}}).itcount(), 0);
assert.eq(db.recipes.find({$text: {$search: "\"hot broth\""}}).itcount(), 1);
assert.eq(db.recipes.find({$text: {$search: "creme"}}).itcount(), 1);
assert.eq(db.recipes.find({$text: {$search: "creme burnt", $diacriticSensitive: true, $caseSensitive: true}}).itcount(), 1);
assert.eq(db.recipes.find({$text: {$search: "FRENCH", $caseSensitive: true}}).itcount(), 0);
assert.eq(db.recipes.find({$text: {$search: "brote", $language: "de"}}).itcount(), 1);
assert.eq(db.recipes.find({$text: {$search: "dessert"}, title: /^C/}).itcount(), 1);
assert.eq(db.recipes.find({$text: {$search: "bread soup fish"}}, {score: {$meta: "textScore"}, title: 1}).sort({score: {$meta: "textScore"}}).toArray()[0]._id, 1);
assert.eq(db.recipes.aggregate([{$match: {$text: {$search: "bread fish"}}}, {$sort: {score: {$meta: "textScore"}, _id: 1}}, {$limit: 5}]).itcount(), 3);
assert.eq(db.recipes.aggregate([{$match: {$text: {$search: "soup"}}}, {$addFields: {s: {$meta: "textScore"}}}, {$match: {s: {$gt: 5}}}]).itcount(), 1);
assert.throws(function() {
    db.recipes.createIndex({other: "text"}).ok || db.recipes.find({$text: {$search: 5}}).itcount();
});
assert.throws(function() {
    db.recipes.find({$text: {$search: "x", $language: "klingon"}}).itcount();
});
assert.commandWorked(db.recipes.dropIndex("words"));
