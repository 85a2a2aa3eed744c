/** Money and shares: read as people type them, written so that no figure turns into another. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { formatMoney, likelyMeant, parseMoney, shortMoney, steppedMoney } from "../../static/js/money.js";
import { roundMoney } from "../../static/js/review-words.js";
import { parseShare, percent } from "../../static/js/shares.js";

/** @type {[number, string][]} What the server's function is held to as well. */
const SHARES = JSON.parse(readFileSync(new URL("../shares.json", import.meta.url), "utf8"));
const THOUSANDS = { low: 100_000, high: 250_000, step: 500, currency: "$", per_label: "", issues: [] };
const MILLIONS = { ...THOUSANDS, low: 8e6, high: 20e6, step: 50_000 };

test("a figure is read as it is typed: signs of currency, separators, k and m, either case", () => {
  for (const [text, value] of /** @type {[string, number][]} */ ([
    ["148000", 148_000],
    ["$148,000", 148_000],
    [" € 148 000 ", 148_000],
    ["£148_000", 148_000],
    ["148'000", 148_000],
    ["148k", 148_000],
    ["148K", 148_000],
    ["12.4m", 12_400_000],
    ["12.4MM", 12_400_000],
    [".5k", 500],
    ["+7", 7],
    ["-7", -7],
    ["0", 0],
    ["99.999", 100],
    ["99.994", 99.99],
  ]))
    assert.equal(parseMoney(text), value, text);
});

test("an empty field is no figure yet, and words or two points are none at all", () => {
  for (const text of ["", "   ", "$", " € "]) assert.equal(parseMoney(text), null, text);
  for (const text of ["abc", "1.2.3", "12kk", "k", "-", "12 percent", "1e5", "Infinity", "$$5"]) assert.ok(Number.isNaN(parseMoney(text)), text);
});

test("what is written out is read back as the same figure, cents and millions too", () => {
  for (const money of [THOUSANDS, MILLIONS])
    for (const value of [0, 0.5, 7, 99.99, 1_000, 148_000, 148_000.25, 999_999, 1_000_000, 12_345_000, 12_345_678, 12_345_678.9, 123_456_789.01])
      assert.equal(parseMoney(formatMoney(value, money)), value, `${value}`);
});

test("millions are shortened only where nothing is lost, and only in a deal of millions", () => {
  assert.equal(formatMoney(12_400_000, MILLIONS), "$12.4M");
  assert.equal(formatMoney(12_345_678, MILLIONS), "$12,345,678");
  assert.equal(formatMoney(12_400_000, THOUSANDS), "$12,400,000");
  assert.equal(formatMoney(148_000.5, THOUSANDS), "$148,000.50");
});

test("labels of an axis are short, in the unit that fits", () => {
  assert.equal(shortMoney(148_000, THOUSANDS), "$148k");
  assert.equal(shortMoney(148_250, THOUSANDS), "$148.3k");
  assert.equal(shortMoney(12_400_000, MILLIONS), "$12.4M");
  assert.equal(shortMoney(950, THOUSANDS), "$950");
  assert.equal(shortMoney(0, THOUSANDS), "$0");
  assert.equal(shortMoney(-9_000, THOUSANDS), "$-9k");
});

test("a figure far outside is taken for thousands or millions where that is plausible, else for nothing", () => {
  assert.equal(likelyMeant(148, THOUSANDS), 148_000);
  assert.equal(likelyMeant(12, MILLIONS), 12_000_000);
  assert.equal(likelyMeant(3, THOUSANDS), null);
});

test("stepping keeps to the grid, begins where the deal stands, and never falls below one step", () => {
  const start = () => 150_200;
  assert.equal(steppedMoney(148_000, 1, THOUSANDS, start), 148_500);
  assert.equal(steppedMoney(148_000, -10, THOUSANDS, start), 143_000);
  assert.equal(steppedMoney(148_201, 1, THOUSANDS, start), 148_500);
  assert.equal(steppedMoney(null, 1, THOUSANDS, start), 150_000);
  assert.equal(steppedMoney(Number.NaN, -1, THOUSANDS, start), 150_000);
  assert.equal(steppedMoney(500, -10, THOUSANDS, start), 500);
});

test("the review speaks of sums to the step, never of less than one, whatever their sign", () => {
  assert.equal(roundMoney(1_260, THOUSANDS), "$1,500");
  assert.equal(roundMoney(-1_240, THOUSANDS), "$1,000");
  assert.equal(roundMoney(3, THOUSANDS), "$500");
});

test("a share is read with and without its sign, and written with a true minus", () => {
  assert.equal(parseShare("60"), 0.6);
  assert.equal(parseShare(" 60% "), 0.6);
  assert.equal(parseShare(""), null);
  assert.equal(parseShare("%"), null);
  assert.ok(Number.isNaN(parseShare("much")));
  assert.equal(parseShare("<0.1%"), 0.001);
  for (const [share, written] of SHARES) assert.equal(percent(share), written);
});
