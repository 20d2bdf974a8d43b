// The words of the page: labels, sentences, and numbers as text.

/** Names of the players, by the server's names. */
export const NAMES = { south: "South", north: "North" };

/** A number with its sign, and a real minus sign. */
export function signed(number) {
  if (number === 0) return "0";
  return number > 0 ? `+${number}` : `−${-number}`;
}

/** "1 seed", "2 seeds". */
export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A number with the noun "ply". */
export function plies(number) {
  return number === 1 ? "1 ply" : `${number} plies`;
}

/** The letter of one of the twelve pits, from South's first. */
export function letter(pit) {
  return "ABCDEFabcdef"[pit];
}

/** The owner of one of the twelve pits. */
export function owner(pit) {
  return pit < 6 ? "south" : "north";
}

/** The value of a position in a sentence. */
export function verdict(position, probe) {
  const mover = NAMES[position.to_move];
  if (!probe) return "";
  if (probe.value === null) {
    return `Value not known: there is no table for ${count(probe.missing, "seed")}.`;
  }
  const other = NAMES[position.to_move === "south" ? "north" : "south"];
  const { value, distance, lower, upper } = probe;
  const parts = [];
  if (value === 0) parts.push("Even: both players capture the same number from here.");
  else parts.push(`${value > 0 ? mover : other} gains ${count(Math.abs(value), "seed")} net from here.`);
  if (distance) parts.push(`Next capture or end in ${plies(distance)}.`);
  if (lower !== null && lower !== upper) {
    parts.push(`From ${signed(lower)} to ${signed(upper)} depending on how endless play is settled.`);
  }
  return parts.join(" ");
}

/** A move in a sentence. */
export function moveSentence(turn) {
  const captured = turn.captured > 0 ? ` and captures ${turn.captured}` : "";
  const again = turn.again ? ", and moves again" : "";
  return `${NAMES[turn.player]} plays ${turn.letter}${captured}${again}.`;
}

/** Why the best line ends, in a sentence. */
export function lineEnd(end) {
  return {
    over: "The game is over.",
    loop: "The position repeats.",
    missing: "No table for the next position.",
    length: "The line goes on.",
  }[end];
}

/** Other texts of the page. */
export const TEXT = {
  noLine: "No line available.",
  valuesHidden: "Values are hidden.",
  noValuesYet: "No values before the tables apply.",
  copied: "Copied",
  copyFailed: "The link could not be copied: copy it from the address bar.",
  editLimit: "Not possible: a game has 48 seeds, and a pit cannot be negative.",
  editBoard: "Edit board",
  editDone: "Done",
  noConnection: "The server cannot be reached: check that it is running, then try again.",
};
