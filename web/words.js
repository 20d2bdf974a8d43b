// Numbers and names in words: what is read on the page, and read out.

/** Names of the players, by the words of the server. */
export const NAMES = { south: "South", north: "North" };

/** A number with its sign, and a true minus. */
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

/** The letter of one of the twelve pits, counted from South's first. */
export function letter(pit) {
  return "ABCDEFabcdef"[pit];
}

/** The owner of one of the twelve pits. */
export function owner(pit) {
  return pit < 6 ? "south" : "north";
}

/** What a position is worth, in a sentence. */
export function verdict(position, probe) {
  const mover = NAMES[position.to_move];
  if (!probe) return "";
  if (probe.value === null) {
    return `No table is at hand for ${count(probe.missing, "seed")}, so it is not known here what this is worth.`;
  }
  const other = NAMES[position.to_move === "south" ? "north" : "south"];
  const { value, distance, lower, upper } = probe;
  const parts = [];
  if (value === 0) parts.push("Even: from here both take the same.");
  else parts.push(`${value > 0 ? mover : other} takes ${count(Math.abs(value), "seed")} more from here.`);
  if (distance) parts.push(`Next capture or end in ${plies(distance)}.`);
  if (lower !== null && lower !== upper) {
    parts.push(`From ${signed(lower)} to ${signed(upper)} by how an endless game is settled.`);
  }
  return parts.join(" ");
}

/** A move that was made, in a sentence. */
export function turnTold(turn) {
  const captured = turn.captured > 0 ? ` and captures ${turn.captured}` : "";
  const again = turn.again ? ", and moves again" : "";
  return `${NAMES[turn.player]} plays ${turn.letter}${captured}${again}.`;
}

/** Why a best line ends. */
export function lineEnd(end) {
  return {
    over: "Then the game is over.",
    loop: "Then it goes round for ever.",
    missing: "Beyond are boards without a table.",
    length: "And so on.",
  }[end];
}
