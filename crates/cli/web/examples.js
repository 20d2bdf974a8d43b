// Positions to try, in each ruleset: a puzzle, endgames, the start and a whole game.

import { START } from "./address.js";
import { text } from "./texts.js";

/** Seeds of a random endgame when there are no tables, and at most. */
const RANDOM_SEEDS = 8;
const MAX_RANDOM_SEEDS = 14;

const TRAP = { start: "1-0-1-0-3-1-1-1-0-0-0-1-19-20-S", moves: "" };
const LONG = { start: "1-0-0-1-1-2-0-1-0-0-2-1-19-20-S", moves: "" };
const BEGIN = { start: START, moves: "" };
/** Positions with the values that their texts tell, by ruleset. */
const KNOWN = {
  abapa: { trap: TRAP, draw: { start: "2-0-0-1-2-1-1-0-0-0-2-0-15-24-S", moves: "" }, long: LONG },
  awari: { trap: TRAP, draw: { start: "1-0-0-1-1-1-1-0-1-0-1-1-20-20-S", moves: "" }, long: LONG },
};
const GAME = { start: START, moves: "FeCaBcEcBbCfAbFbEaBbAdEbDaCaEaDbAdBeAfAcEaBfDeEaCbEeDdEcFfEdFfAe" };
/** The rulesets under which the game is legal. */
const GAME_RULES = ["abapa", "awari", "awale", "awale-c", "awale-info", "pratt"];

/** The examples of a ruleset by the keys of their texts, as games. */
export function examples(rules) {
  const found = { ...KNOWN[rules], start: BEGIN };
  if (GAME_RULES.includes(rules)) found.game = GAME;
  return Object.fromEntries(Object.entries(found).map(([name, game]) => [name, { rules, ...game, ply: 0 }]));
}

/** The game that the page shows when the address names none. */
export function firstExample(rules) {
  const { trap, start } = examples(rules);
  return trap ?? start;
}

function below(number) {
  return Math.floor(Math.random() * number);
}

/** A few seeds in random pits, in a game that is about even. */
export function randomEndgame(rules, highest, total = 48) {
  const seeds = highest > 2 ? Math.min(highest, MAX_RANDOM_SEEDS) - below(2) : RANDOM_SEEDS;
  const pits = Array(12).fill(0);
  for (let seed = 0; seed < seeds; seed++) pits[below(12)] += 1;
  const south = Math.ceil((total - seeds) / 2);
  const start = [...pits, south, total - seeds - south, below(2) ? "S" : "N"].join("-");
  return { rules, start, moves: "", ply: 0 };
}

/** Fills a list with a button for each example of a ruleset. */
export function showExamples(list, rules) {
  const shown = `${rules} ${text.code}`;
  if (list.dataset.shown === shown) return;
  list.dataset.shown = shown;
  list.replaceChildren(...[...Object.keys(examples(rules)), "random"].map((name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.action = "example";
    button.dataset.example = name;
    button.textContent = text.examples[name];
    button.title = text.examples[`${name}Title`];
    return button;
  }));
}
