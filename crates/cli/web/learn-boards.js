// The boards of the lessons: a position, what to reach with one move, and a move that does.
// The rules are not here: the answers say what a move does, and a goal looks at its result.

import { START } from "./address.js";

/** The seeds in North's pits. */
function northSeeds({ board }) {
  return board.slice(6).reduce((sum, seeds) => sum + seeds, 0);
}

/** What a move can reach. Each goal compares the positions before and after it. */
const GOALS = {
  reachNorth: (before, after) => northSeeds(after) > northSeeds(before),
  capture: (least) => (_, { turn }) => turn.captured >= least,
  feed: (_, after) => northSeeds(after) > 0,
  play: (letter) => (_, { turn }) => turn.letter === letter,
  any: () => true,
  store: (before, after) => after.stores.south > before.stores.south,
  again: (_, { turn }) => turn.again,
  end: (_, { turn }) => turn.ends,
};

const SOW = { name: "sow", start: START, reached: GOALS.reachNorth, move: "F" };

/** A grand slam by pit F: where it is not legal, another move is to be played. */
function slam(choice) {
  const legal = choice === "nothing" || choice === "all";
  return {
    name: "slam",
    start: "0-0-1-1-0-2-1-2-0-0-0-0-20-21-S",
    reached: legal ? GOALS.play("F") : GOALS.any,
    move: legal ? "F" : "C",
    variant: choice,
  };
}

/** The lessons of the games without stores. */
function owareLessons({ grand_slam: grandSlam, feeding }) {
  return [
    SOW,
    { name: "lap", start: "1-0-0-0-0-13-0-0-2-0-1-0-15-16-S", reached: GOALS.play("F"), move: "F" },
    { name: "capture", start: "0-2-0-5-1-2-3-1-3-0-2-1-14-14-S", reached: GOALS.capture(2), move: "F" },
    { name: "chain", start: "0-0-0-3-4-1-1-2-1-4-0-2-15-15-S", reached: GOALS.capture(7), move: "E" },
    { name: "feed", start: "3-0-1-2-2-0-0-0-0-0-0-0-20-20-S", reached: GOALS.feed, move: "E", variant: feeding },
    slam(grandSlam),
  ];
}

/** The lessons of the games with stores. Pits with an even number are captured in ifmg
 * alone. */
function storeLessons(name) {
  const even = { name: "even", start: "0-1-0-2-3-4-2-3-2-0-1-1-14-15-S", reached: GOALS.capture(4), move: "F" };
  return [
    { name: "store", start: START, reached: GOALS.store, move: "F", variant: name === "ifmg" ? "first" : "next" },
    { name: "again", start: START, reached: GOALS.again, move: name === "ifmg" ? "D" : "C" },
    { name: "opposite", start: "1-0-3-0-2-0-2-0-1-3-5-1-15-15-S", reached: GOALS.capture(6), move: "A" },
    ...(name === "ifmg" ? [even] : []),
    { name: "end", start: "0-0-0-0-0-1-2-0-1-0-3-0-20-21-S", reached: GOALS.end, move: "F", variant: name === "ifmg" ? "empty" : "own" },
  ];
}

/** The lessons of a ruleset in their order: each has its `name`, the `start`, `reached`, which
 * compares the positions before and after a move, a `move` that reaches the goal, and the
 * `variant` of its text where rulesets differ. */
export function lessonsOf(ruleset) {
  return ruleset.family === "stores" ? storeLessons(ruleset.name) : owareLessons(ruleset);
}
