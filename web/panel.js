// What is said about the position: who is to move, what it is worth, the best line,
// and the moves of the game.

import { NAMES, lineEnd, signed, verdict } from "./words.js";

const element = (id) => document.getElementById(id);

/** A move as it is written: its letter and what it captures. */
function written({ letter, captured }) {
  return captured > 0 ? `${letter}×${captured}` : letter;
}

/** A list of moves as buttons. */
function fill(list, moves, onMove) {
  const items = moves.map((move, index) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = move.text;
    button.className = move.player;
    if (move.mark) {
      const mark = document.createElement("small");
      mark.textContent = move.mark;
      button.append(mark);
    }
    if (move.current) button.setAttribute("aria-current", "step");
    button.setAttribute("aria-label", move.label);
    button.addEventListener("click", () => onMove(index));
    item.append(button);
    return item;
  });
  list.replaceChildren(...items);
}

/** Says who is to move, or is thinking about it, and what it is worth, or how the
 * game ended. */
export function showStatus(position, probe, outcome, thinking) {
  if (outcome) {
    element("status").textContent = outcome.result;
    element("verdict").textContent = outcome.reason;
    return;
  }
  element("status").textContent = `${NAMES[position.to_move]} ${thinking ? "is thinking …" : "to move"}`;
  element("verdict").textContent = verdict(position, probe);
}

/** Shows a best line, null where none is known and undefined where none is to be
 * shown; `onMove` hears up to which move it is to be played. */
export function showLine(line, onMove) {
  const moves = (line?.line ?? []).map((move) => ({
    text: written(move),
    player: move.letter < "a" ? "south" : "north",
    label: `Play up to ${move.letter}${move.captured > 0 ? `, which captures ${move.captured}` : ""}`,
  }));
  fill(element("line"), moves, onMove);
  if (line === null) element("line-end").textContent = "None is known.";
  else element("line-end").textContent = line ? lineEnd(line.end) : "";
}

/** Shows the moves of a game; `onPly` hears which position is asked for. */
export function showMoves(game, ply, onPly) {
  const moves = game.positions.slice(1).map(({ turn, net }, index) => {
    const before = game.positions[index].net;
    const lost = given(turn, before, net);
    return {
      text: written(turn),
      player: turn.player,
      mark: lost > 0 ? signed(-lost) : "",
      current: index + 1 === ply,
      label: `Move ${index + 1}: ${written(turn)}${lost > 0 ? `, gave away ${lost}` : ""}`,
    };
  });
  fill(element("moves"), moves, (index) => onPly(index + 1));
  scrollToCurrent(element("moves"));
}

/** Scrolls a list, and not the page, to the move shown. */
function scrollToCurrent(list) {
  const current = list.querySelector("[aria-current]");
  if (!current) return;
  const { top, bottom } = list.getBoundingClientRect();
  const move = current.getBoundingClientRect();
  if (move.top < top) list.scrollTop -= top - move.top;
  if (move.bottom > bottom) list.scrollTop += move.bottom - bottom;
}

/** Seeds that a move gave away, where it is known. */
function given(turn, before, after) {
  if (before === null || after === null) return 0;
  return turn.player === "south" ? before - after : after - before;
}

/** Shows an error until the next thing goes well. */
export function showError(sentence) {
  element("error").textContent = sentence ?? "";
  element("error").hidden = !sentence;
}

/** Tells those who do not see the page. */
export function announce(sentence) {
  element("live").textContent = sentence;
}
