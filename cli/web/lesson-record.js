// Games as text in OGN, with what a review found as marks and comments. A text that was loaded
// is kept with its game, so that its names, comments and variations are written again.

const KEY = "krou-records";
/** The most texts that are kept, and the longest one, in characters. */
const MOST_TEXTS = 10;
const MAX_LENGTH = 20_000;

const nameOf = ({ rules, start, moves }) => `${rules} ${start} ${moves}`;

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found : [];
  } catch {
    // No storage, or not ours: nothing is kept.
    return [];
  }
}

let records = stored();

/** Keeps the text that a game was loaded from. */
export function keepRecord(game, record) {
  const others = records.filter((one) => one.game !== nameOf(game));
  records = [{ game: nameOf(game), record }, ...others].slice(0, MOST_TEXTS);
  try {
    localStorage.setItem(KEY, JSON.stringify(records.filter((one) => one.record.length <= MAX_LENGTH)));
  } catch {
    // Without storage the texts last until the page is closed.
  }
}

/** The text that a game was loaded from, or null. */
function recordOf(game) {
  return records.find((one) => one.game === nameOf(game))?.record ?? null;
}

/** The text of the longest game that was loaded and has the same beginning. */
function relatedRecord({ rules, start, moves }) {
  const related = records.filter(({ game }) => {
    const [otherRules, otherStart, otherMoves = ""] = game.split(" ");
    const same = otherRules === rules && otherStart === start && otherMoves !== "";
    return same && (moves.startsWith(otherMoves) || otherMoves.startsWith(moves));
  });
  return related[0]?.record ?? null;
}

/** The tags that name a game and its players. */
const NAMES = ["Event", "Site", "Date", "Round", "South", "North"];

function tagsOf(record) {
  return Object.fromEntries([...record.matchAll(/^\s*\[(\w+)\s+("(?:[^"\\]|\\.)*")\s*\]/gm)].map(([, name, value]) => [name, value]));
}

/** A text with the names of another one. */
function withNames(record, other) {
  const tags = tagsOf(other);
  return record.replaceAll(/^\[(\w+) "\?"\]/gm, (line, name) => (NAMES.includes(name) && tags[name] ? `[${name} ${tags[name]}]` : line));
}

/** Splits a text into tags, comments, parentheses, words and spaces. */
const PART = /^\s*\[\w+\s+"(?:[^"\\]|\\.)*"\s*\]|\{[^}]*\}|;[^\n]*|^%[^\n]*|[()]|[^\s(){};]+|\s+/gm;
const MOVE = /^(?:\d+\.+)?[A-Fa-f](?:\+\d+)?([!?]*)$/;

/** Writes signs and comments after the moves of the main line. `notes` has those of each
 * move: a `sign` and a `comment`, both perhaps empty. Signs and comments that the text has
 * stay. */
export function annotate(record, notes) {
  const parts = record.match(PART) ?? [];
  let depth = 0;
  let next = 0;
  return parts.map((part, index) => {
    if (part === "(") depth += 1;
    if (part === ")") depth -= 1;
    const move = depth === 0 ? MOVE.exec(part) : null;
    if (!move || next >= notes.length) return part;
    const { sign, comment } = notes[next];
    next += 1;
    const signed = move[1] === "" ? part + sign : part;
    const known = parts.slice(index + 1, index + 3).some((one) => one.startsWith("{") && one.includes(comment));
    return comment && !known ? `${signed} { ${comment} }` : signed;
  }).join("");
}

/** The text to save for a game. It is the one that the game was loaded from, or else that of
 * the `record`, with the names of a game that it goes on from. */
export function textOf(game, record) {
  const related = relatedRecord(game);
  return recordOf(game) ?? (related ? withNames(record, related) : record);
}
