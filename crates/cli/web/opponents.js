// The opponents that one can choose, and their place in the address: `opponent` and `level`
// name who plays, `side` the user's side. A link with them is a challenge.

import { text } from "./texts.js";

/** The highest level, which is that of the perfect opponent. */
const MAX_LEVEL = 14;

/** The opponents to choose from, weakest first, as parameters of the address. */
export const OPPONENTS = [
  { opponent: "none" },
  { opponent: "random" },
  ...Array.from({ length: MAX_LEVEL - 1 }, (_, index) => ({ opponent: "engine", level: index + 1 })),
  { opponent: "perfect" },
];
/** That of a first game. */
const EASIEST = OPPONENTS[2];
const KINDS = ["none", "random", "engine", "perfect", "friend"];
export const OTHER = { south: "north", north: "south" };

/** A word that names an opponent, such as `engine-5`. */
export function keyOf({ opponent, level }) {
  return opponent === "engine" ? `engine-${level}` : opponent;
}

/** The opponent of a word. */
export function withKey(key) {
  return OPPONENTS.find((one) => keyOf(one) === key) ?? EASIEST;
}

/** The next stronger opponent; undefined after the strongest, and for two players. */
export function strongerThan(one) {
  const place = OPPONENTS.findIndex((other) => keyOf(other) === keyOf(one));
  return place > 0 ? OPPONENTS[place + 1] : undefined;
}

/** The name of an opponent; a level without a name has a number. */
export function nameOf(one) {
  return text.opponents[keyOf(one)]?.name ?? text.play.level(one.level);
}

/** What an opponent does, and its level if it has one. */
export function aboutOf(one) {
  const about = text.opponents[keyOf(one)]?.about ?? "";
  return one.level ? `${about} ${text.play.levelAbout(one.level, MAX_LEVEL)}`.trim() : about;
}

/** The match that parameters of the address name: an opponent and the user's side; null
 * if they name none. A friend plays in a `room`. */
export function readMatch({ opponent, level, side, room }) {
  if (!KINDS.includes(opponent) || (opponent === "friend" && !room)) return null;
  const number = Math.min(Math.max(Number.parseInt(level, 10) || EASIEST.level, 1), MAX_LEVEL);
  const match = { opponent, side: side === "north" ? "north" : "south" };
  return opponent === "engine" ? { ...match, level: number } : match;
}

/** The parameters of the address for a match. */
export function writeMatch({ opponent, level, side }) {
  return opponent === "engine" ? { opponent, level: String(level), side } : { opponent, side };
}
