// The places of the board: pits with their letters and owners, and stores.

/** The letters of the pits, from South's first. */
export const LETTERS = "ABCDEFabcdef";

/** The letter of one of the twelve pits, from South's first. */
export function letter(pit) {
  return LETTERS[pit];
}

/** The owner of one of the twelve pits. */
export function owner(pit) {
  return pit < 6 ? "south" : "north";
}

/** A place by what its element says: a pit from 0 to 11, or the player of a store. */
export function placeOf(word) {
  return word === "south" || word === "north" ? word : Number(word);
}
