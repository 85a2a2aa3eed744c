import assert from "node:assert/strict";
import { test } from "node:test";
import { goneOffer } from "../../static/js/stand.js";

const said = (side, offer, ...acts) => ({ side, offer, talk: acts.map((act) => ({ act })) });

test("an offer that its maker took back in words is not one that lapsed", () => {
  const made = [said("player", 178_000), said("opponent", 110_000)];
  assert.equal(goneOffer(made, "player"), "lapsed");
  assert.equal(goneOffer([...made, said("player", null, "ask_open", "withdraw")], "player"), "withdrawn");
  assert.equal(goneOffer([...made, said("player", null, "withdraw")], "opponent"), "lapsed");
});

test("an offer after one that was taken back counts anew, and who made none has lost none", () => {
  const anew = [said("player", 178_000), said("player", null, "withdraw"), said("player", 170_000)];
  assert.equal(goneOffer(anew, "player"), "lapsed");
  assert.equal(goneOffer([said("player", null)], "player"), null);
});
