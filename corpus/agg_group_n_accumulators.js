// $top, $bottom, $topN, $bottomN, $firstN, $lastN, $maxN, $minN and custom $accumulator.
db.races.drop();
db.races.insert([
    {_id: 1, cup: "x", who: "ann", t: 31}, {_id: 2, cup: "x", who: "bob", t: 29}, {_id: 3, cup: "x", who: "cyd", t: 35},
    {_id: 4, cup: "y", who: "dan", t: 50}, {_id: 5, cup: "y", who: "eve", t: null}, {_id: 6, cup: "y", who: "fay"}
]);
assert.eq(db.races.aggregate([{$group: {_id: "$cup", best: {$top: {sortBy: {t: 1}, output: "$who"}}}}, {$sort: {_id: 1}}, {$limit: 1}]).toArray(), [{_id: "x", best: "bob"}]);
assert.eq(db.races.aggregate([{$match: {cup: "x"}}, {$group: {_id: "$cup", worst: {$bottom: {sortBy: {t: 1}, output: ["$who", "$t"]}}}}]).toArray(), [{_id: "x", worst: ["cyd", 35]}]);
assert.eq(db.races.aggregate([{$group: {_id: null, two: {$topN: {n: 2, sortBy: {t: -1, _id: 1}, output: "$who"}}, low: {$bottomN: {n: 1, sortBy: {t: -1, _id: -1}, output: {w: "$who"}}}}}]).toArray(), [{_id: null, two: ["dan", "cyd"], low: [{w: "eve"}]}]);
assert.eq(db.races.aggregate([{$sort: {_id: 1}}, {$group: {_id: "$cup", f: {$firstN: {input: "$who", n: 2}}, l: {$lastN: {input: "$t", n: 2}}}}, {$sort: {_id: 1}}]).toArray(), [
    {_id: "x", f: ["ann", "bob"], l: [29, 35]}, {_id: "y", f: ["dan", "eve"], l: [null, null]}
]);
assert.eq(db.races.aggregate([{$group: {_id: "$cup", hi: {$maxN: {input: "$t", n: 2}}, lo: {$minN: {input: "$t", n: 9}}}}, {$sort: {_id: -1}}]).toArray(), [
    {_id: "y", hi: [50], lo: [50]}, {_id: "x", hi: [35, 31], lo: [29, 31, 35]}
]);
assert.eq(db.races.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, a: {$firstN: {n: 2, input: [9, 8, 7]}}, b: {$maxN: {n: 1, input: [3, 6, 5]}}, c: {$lastN: {n: 5, input: ["q"]}}, d: {$minN: {n: 2, input: [4, null, 1]}}}}]).toArray(), [{a: [9, 8], b: [6], c: ["q"], d: [1, 4]}]);
assert.eq(db.races.aggregate([{$group: {_id: "$cup", top: {$topN: {n: {$add: [1, 1]}, sortBy: {who: 1}, output: "$who"}}}}, {$sort: {_id: 1}}]).itcount() >= 0, true);
assert.eq(db.races.aggregate([{$group: {_id: "$cup", names: {$accumulator: {
    init: function(sep) { return {s: "", sep: sep}; }, initArgs: ["+"],
    accumulate: function(st, who) { st.s += (st.s ? st.sep : "") + who.length; return st; }, accumulateArgs: ["$who"],
    merge: function(a, b) { return {s: a.s + b.s, sep: a.sep}; },
    finalize: function(st) { return st.s; }, lang: "js"
}}}}, {$sort: {_id: 1}}]).toArray(), [{_id: "x", names: "3+3+3"}, {_id: "y", names: "3+3+3"}]);
assert.eq(db.races.aggregate([{$match: {t: {$gt: 0}}}, {$project: {s: {$function: {body: function(w, t) { return w + ":" + (t > 30); }, args: ["$who", "$t"], lang: "js"}}}}, {$sort: {_id: 1}}, {$limit: 1}]).toArray(), [{_id: 1, s: "ann:true"}]);
assert.commandFailedWithCode(db.runCommand({aggregate: "races", pipeline: [{$group: {_id: null, x: {$topN: {n: 0, sortBy: {t: 1}, output: 1}}}}], cursor: {}}), [5787908, 5787903]);
assert.commandFailedWithCode(db.runCommand({aggregate: "races", pipeline: [{$group: {_id: null, x: {$top: {output: 1}}}}], cursor: {}}), 5788005);
assert.commandFailedWithCode(db.runCommand({aggregate: "races", pipeline: [{$group: {_id: null, x: {$firstN: {input: "$t", n: "two"}}}}], cursor: {}}), 5787902);
