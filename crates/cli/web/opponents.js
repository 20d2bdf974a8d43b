// The opponents that one can choose, and their place in the address: `opponent` and `level`
// name who plays, `side` the user's side. A link with them is a challenge.

import { text } from "./texts.js";

/** The opponents to choose from, weakest first, as parameters of the address. */
export const OPPONENTS = [
  { opponent: "none" },
  { opponent: "random" },
  { opponent: "engine", level: 1 },
  { opponent: "engine", level: 3 },
  { opponent: "engine", level: 5 },
  { opponent: "engine", level: 7 },
  { opponent: "engine", level: 9 },
  { opponent: "perfect" },
];
const MAX_LEVEL = 10;
const KINDS = ["none", "random", "engine", "perfect"];
export const OTHER = { south: "north", north: "south" };

/** A word that names an opponent, such as `engine-5`. */
export function keyOf({ opponent, level }) {
  return opponent === "engine" ? `engine-${level}` : opponent;
}

/** The opponent of a word. */
export function withKey(key) {
  return OPPONENTS.find((one) => keyOf(one) === key) ?? OPPONENTS[4];
}

/** The name of an opponent; a level without a name has a number. */
export function nameOf(one) {
  return text.opponents[keyOf(one)]?.name ?? text.play.level(one.level);
}

/** What an opponent does, in a sentence. */
export function aboutOf(one) {
  return text.opponents[keyOf(one)]?.about ?? text.play.levelAbout(one.level);
}

/** The match that parameters of the address name: an opponent and the user's side; null
 * if they name none. */
export function readMatch({ opponent, level, side }) {
  if (!KINDS.includes(opponent)) return null;
  const number = Math.min(Math.max(Number.parseInt(level, 10) || 5, 1), MAX_LEVEL);
  const match = { opponent, side: side === "north" ? "north" : "south" };
  return opponent === "engine" ? { ...match, level: number } : match;
}

/** The parameters of the address for a match. */
export function writeMatch({ opponent, level, side }) {
  return opponent === "engine" ? { opponent, level: String(level), side } : { opponent, side };
}
