// What is known about a position, in numbers and in words. Leads are final: seeds at the
// end of the game, stores included.

import { signed, text } from "./texts.js";

const OTHER = { south: "north", north: "south" };
/** From these leads on, an estimate counts as slightly ahead, ahead and clearly ahead. */
const STEPS = { slightly: 0.5, ahead: 2, clearly: 6 };

/** The lead of the player to move in captured seeds. */
function storesLead({ stores, to_move: mover }) {
  return stores[mover] - stores[OTHER[mover]];
}

/** Whether bounds leave the value open. */
function isOpen({ lower, upper }) {
  return lower !== null && lower !== upper;
}

/** The moves that the tables know, best first, with leads for the player to move. */
export function movesFromTables(probe, position) {
  const lead = storesLead(position);
  return probe.moves.filter((move) => move.value !== null).map((move) => ({
    letter: move.letter,
    captured: move.captured,
    lead: lead + move.value,
    exact: !isOpen(move),
    best: move.best,
    distance: move.distance,
    bounds: isOpen(move) ? [lead + move.lower, lead + move.upper] : null,
    line: "",
  }));
}

/** The moves of an estimate of the engine, best first; `capturedBy(letter)` has the seeds that a
 * move captures. */
export function movesFromEngine({ lines, ties = [] }, position, capturedBy) {
  const sign = position.to_move === "south" ? 1 : -1;
  const [first] = lines;
  return lines.map((line, index) => ({
    letter: line.letters[0],
    captured: capturedBy(line.letters[0]),
    lead: sign * line.net,
    exact: line.exact,
    best: index === 0 || ties.includes(line.pit) || (first.exact && line.exact && line.net === first.net),
    distance: null,
    bounds: null,
    line: line.letters,
  }));
}

/** South's final lead in a position of a game: its number, and whether it is exact. Null
 * if nothing is known. */
export function southLead(position, estimate) {
  if (position.net !== null) return { net: position.net, exact: !isOpen(position) };
  return estimate ? { net: estimate.net, exact: estimate.exact } : null;
}

/** The final score of both players for South's exact lead. An odd seed goes to neither. */
export function finalScore(net, total) {
  return { south: Math.floor((total + net) / 2), north: Math.floor((total - net) / 2) };
}

function leader(net) {
  return net > 0 ? "south" : "north";
}

/** What bounds on the final lead of a player decide: "wins", "wins-or-draws", "draws",
 * "draws-or-loses", "loses", or "open" if either player may win. */
export function decision(low, high) {
  if (low > 0) return "wins";
  if (high < 0) return "loses";
  if (low === 0) return high === 0 ? "draws" : "wins-or-draws";
  return high === 0 ? "draws-or-loses" : "open";
}

/** Whether what the tables know about a position of a game is certain where endless play is
 * settled by side. It is unless a board that was there before may end the game when it comes
 * back once: from a board that has to come back twice from now on, the players are in a loop,
 * which bounds count. A capture clears the history. */
export function isCertain({ positions, repetitions = 3 }, ply) {
  const times = new Map();
  for (let at = ply - 1; at >= 0 && positions[at].seeds === positions[ply].seeds; at--) {
    const { position } = positions[at];
    times.set(position, (times.get(position) ?? 0) + 1);
  }
  return [...times.values()].every((count) => count < repetitions - 1);
}

/** An exact result. `claimed` says that all seeds end in a store, so that the lead gives
 * the score. */
function exactTitle(net, total, claimed) {
  const winner = leader(net);
  if (!claimed) return net === 0 ? text.verdict.drawnSomehow : text.verdict.winsBy(winner, Math.abs(net));
  const score = finalScore(net, total);
  if (net === 0) return text.verdict.drawn(score.south);
  return text.verdict.wins(winner, score[winner], score[OTHER[winner]]);
}

function exactVerdict(net, total, claimed, distance) {
  const details = [text.verdict.withBestPlay];
  if (distance) details.push(text.verdict.distance(distance));
  return { title: exactTitle(net, total, claimed), kind: "exact", details };
}

/** The title for a lead that is not certain, by its size. */
function leadTitle(net) {
  let title = text.verdict.even;
  for (const [word, least] of Object.entries(STEPS)) {
    if (Math.abs(net) >= least) title = text.verdict[word](leader(net));
  }
  return title;
}

/** The verdict for a value between two bounds: what they decide, told for the player who is
 * ahead. */
export function openVerdict(position) {
  const lead = storesLead(position);
  const { to_move: mover, value } = position;
  const own = [lead + position.lower, lead + position.upper];
  const turned = decision(...own) === "open" ? lead + value < 0 : own[1] <= 0;
  const player = turned ? OTHER[mover] : mover;
  const [low, high] = turned ? [-own[1], -own[0]] : own;
  if (low > 0) {
    return { title: text.verdict.winsBetween(player, low, high), kind: "bounds", details: [text.verdict.repetition] };
  }
  const title = low === 0
    ? text.verdict.winsOrDraws(player)
    : leadTitle(mover === "south" ? lead + value : -lead - value);
  const detail = low === 0 ? text.verdict.upTo(player, high) : text.verdict.between(player, -low, high);
  return { title, kind: "bounds", details: [detail] };
}

function estimateVerdict({ net, result }, mover) {
  const size = Math.abs(net);
  const player = leader(net);
  let title = leadTitle(net);
  if (result === "draw") title = text.verdict.drawnSomehow;
  if (result === "win") title = text.verdict.winsSomehow(mover);
  if (result === "loss") title = text.verdict.winsSomehow(OTHER[mover]);
  const about = size < STEPS.slightly ? text.verdict.aboutEven : text.verdict.about(player, text.decimal(size));
  return { title, kind: "estimate", details: [about] };
}

/** What the tables say, as an expectation where a board from before may end the game. */
function tableVerdict(position, { total, claimed, certain }) {
  const { net, distance, lower } = position;
  const found = isOpen(position) ? openVerdict(position) : exactVerdict(net, total, claimed, distance);
  if (certain || lower === null) return found;
  return { ...found, kind: "expected", details: [...found.details, text.verdict.unlessRepeated] };
}

/** The verdict on a position in words: a title, its kind and details. Null if nothing is
 * known. */
export function verdict(position, estimate, facts) {
  if (position.net !== null) return tableVerdict(position, facts);
  if (!estimate) return null;
  const { total, claimed } = facts;
  if (estimate.exact) return exactVerdict(Math.round(estimate.net), total, claimed, null);
  return estimateVerdict(estimate, position.to_move);
}

/** The result of a game that is over: a title and the reason. */
export function outcomeVerdict({ outcome, total, repetitions = 3 }, position) {
  const { winner, stores, unclaimed } = outcome;
  const mover = position.turn?.player ?? position.to_move;
  const names = {
    winner,
    loser: winner && OTHER[winner],
    most: winner ? stores[winner] : stores.south,
    total,
    repetitions,
    toMove: position.to_move,
    mover,
    other: OTHER[mover],
    reason: outcome.reason,
  };
  const reasons = {
    majority: "majority",
    "no-move": "noMove",
    "grand-slam": "grandSlam",
    starved: "starved",
    "empty-row": "emptyRow",
    repetition: "repetition",
    resigned: "resigned",
    time: "time",
    agreed: "agreed",
  };
  const details = [text.over[reasons[outcome.reason_code] ?? "unknown"](names)];
  if (unclaimed > 0 && outcome.reason_code !== "majority") details.push(text.verdict.unclaimed(unclaimed));
  return { title: resultTitle(outcome), kind: null, details };
}

function resultTitle({ winner, stores, reason_code: reason }) {
  if (!winner) return text.over.drawn(stores.south);
  // The seeds do not count then.
  if (["resigned", "time"].includes(reason)) return text.verdict.winsSomehow(winner);
  return text.verdict.wins(winner, stores[winner], stores[OTHER[winner]]);
}

/** The result of a move for the player to move: with the score if it is exact, and what its
 * bounds decide if it is not. */
export function moveResult({ lead, exact, bounds }, position, { total, claimed }) {
  if (bounds) return boundsResult(...bounds);
  if (!exact) return "";
  const net = position.to_move === "south" ? lead : -lead;
  const score = finalScore(Math.round(net), total);
  const mover = position.to_move;
  const shown = claimed ? text.analysis.score(score[mover], score[OTHER[mover]]) : "";
  if (lead === 0) return text.analysis.draws(shown);
  return lead > 0 ? text.analysis.wins(shown) : text.analysis.loses(shown);
}

/** What bounds on the lead of the player to move decide, in short. */
export function boundsResult(low, high) {
  switch (decision(low, high)) {
    case "wins": return text.analysis.wins(text.analysis.between(low, high));
    case "wins-or-draws": return text.analysis.winsOrDraws;
    case "draws-or-loses": return text.analysis.drawsOrLoses;
    case "loses": return text.analysis.loses(text.analysis.between(-high, -low));
    default: return text.analysis.bounds(signed(low), signed(high));
  }
}
