// What the page tells about the position that is shown, from the state: the values of its
// moves, the verdict, and whose turn it is.

import * as games from "./games.js";
import { readMatch } from "./opponents.js";
import * as rulesets from "./rulesets.js";
import { atEnd, estimate, hints, opponentsTurn, outcome, position, state, view } from "./state.js";
import { text } from "./texts.js";
import { isCertain, movesFromEngine, movesFromTables, outcomeVerdict, verdict } from "./verdict.js";

/** What the page's texts call the reasons against a move. */
const ILLEGAL = {
  empty: "empty",
  "must-feed": "mustFeed",
  "cannot-feed": "cannotFeed",
  "grand-slam": "grandSlam",
  "grand-slam-banned": "grandSlamBanned",
};

export function facts() {
  return { total: state.game.total, claimed: rulesets.claimsAll(state.rules), certain: isCertain(state.game, state.ply) };
}

/** The values to show: moves, or a note in their place, their source, and the best line. */
export function values() {
  const nothing = (note) => ({ moves: [], note, source: "", line: [], end: "" });
  if (outcome()) return nothing(text.analysis.over);
  if (!hints()) return nothing(text.analysis.hidden);
  const known = state.knowledge.position(state.rules, position().position);
  if (known?.probe) {
    const moves = movesFromTables(known.probe, position());
    const source = moves.every((move) => move.exact) ? text.analysis.fromTables : text.analysis.tablesWithBounds;
    const { line, end } = known.line;
    return { moves, note: "", source, line, end: line.length > 0 ? text.analysis.end[end] : "" };
  }
  const found = estimate();
  if (found && found.lines.length > 0) return valuesFromEngine(found);
  if (state.paused) return nothing(text.analysis.paused);
  if (state.waiting.engine) return nothing(text.analysis.searching);
  return nothing(state.waiting.position ? text.analysis.asking : text.analysis.noLine);
}

/** The seeds that a move of the position captures, as far as its events are known. */
function capturedBy(letter) {
  const events = state.knowledge.events(state.rules, position().position, letter) ?? [];
  return events.filter(({ event }) => event === "capture").reduce((sum, { seeds }) => sum + seeds, 0);
}

function valuesFromEngine(found) {
  const { depth, selective_depth: selective, exact, lines } = found;
  return {
    moves: movesFromEngine(found, position(), capturedBy),
    note: "",
    source: exact ? text.analysis.exactSearch : text.analysis.depth(depth, selective),
    effort: found.nodes === undefined ? "" : text.analysis.nodes(text.large(found.nodes)),
    line: [...lines[0].letters].map((letter, index) => ({ letter, captured: index === 0 ? capturedBy(letter) : 0 })),
    end: exact ? "" : text.analysis.lineEstimate,
  };
}

/** The verdict on the position. */
export function verdictHere() {
  if (outcome()) return outcomeVerdict({ ...state.game, outcome: outcome() }, position());
  const found = verdict(position(), estimate(), facts());
  if (found) return found;
  if (state.waiting.engine) return { title: text.verdict.estimating };
  return { title: state.waiting.position ? text.verdict.asking : text.verdict.unknown };
}

/** Whose turn it is, in a sentence. */
export function turnSentence() {
  if (state.editing) return text.status.editing;
  if (outcome()) return text.status.over;
  const { to_move: player } = position();
  const { query, room, view: shown } = state;
  if (shown === "play" && !readMatch(query)) return text.play.title;
  if (shown === "play" && room?.told?.complete === false) return room.seat ? text.room.waits : text.room.free;
  // The question to the opponent comes with the position; false says that it failed.
  if (opponentsTurn() && atEnd() && state.waiting.reply !== false) return text.status.thinking(player);
  return opponentsTurn() ? text.status.waiting(player) : text.status.toMove(player);
}

/** Why a pit of the player to move may not be played, in a sentence. */
export function illegalSentence(letter) {
  const { illegal, illegal_codes: codes } = position();
  return text.illegal[ILLEGAL[codes[letter]] ?? "unknown"](letter, illegal[letter]);
}

/** The position in sentences, for screen readers. */
export function sentenceOfPosition() {
  const { turn } = position();
  const parts = turn ? [text.moves.sentence(turn)] : [];
  if (state.view === "analyse") parts.push(...games.comments());
  const found = verdictHere();
  if (outcome()) parts.push(`${view().told?.(outcome()) ?? found.title}.`, ...found.details);
  else parts.push(`${turnSentence()}.`);
  if (!outcome() && hints() && found.kind) parts.push(`${found.title} (${text.verdict[found.kind]}).`);
  return parts.join(" ");
}
