// The panel: the player to move, the value, the best line, and the moves of the game.

import { NAMES, TEXT, lineEnd, signed, verdict } from "./words.js";

const element = (id) => document.getElementById(id);

/** The notation of a move: its letter and captures. */
function moveText({ letter, captured }) {
  return captured > 0 ? `${letter}×${captured}` : letter;
}

/** Fills a list with moves as buttons. */
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

/** Shows the player to move and the value, or the outcome of the game. */
export function showStatus(position, probe, outcome, thinking) {
  if (outcome) {
    element("status").textContent = outcome.result;
    element("verdict").textContent = outcome.reason;
    return;
  }
  element("status").textContent = `${NAMES[position.to_move]} ${thinking ? "is thinking …" : "to move"}`;
  element("verdict").textContent = verdict(position, probe);
}

/** Shows the best line: null if there is none, undefined if it is hidden. A click
 * calls `onMove` with the index of the move. */
export function showLine(line, onMove) {
  const moves = (line?.line ?? []).map((move) => ({
    text: moveText(move),
    player: move.letter < "a" ? "south" : "north",
    label: `Play up to ${move.letter}${move.captured > 0 ? `, captures ${move.captured}` : ""}`,
  }));
  fill(element("line"), moves, onMove);
  if (line === null) element("line-end").textContent = TEXT.noLine;
  else element("line-end").textContent = line ? lineEnd(line.end) : "";
}

/** Shows the moves of a game; a click calls `onPly` with the ply. */
export function showMoves(game, ply, onPly) {
  const moves = game.positions.slice(1).map(({ turn, net }, index) => {
    const before = game.positions[index].net;
    const lost = givenAway(turn, before, net);
    return {
      text: moveText(turn),
      player: turn.player,
      mark: lost > 0 ? signed(-lost) : "",
      current: index + 1 === ply,
      label: `Move ${index + 1}: ${moveText(turn)}${lost > 0 ? `, gave away ${lost}` : ""}`,
    };
  });
  fill(element("moves"), moves, (index) => onPly(index + 1));
  scrollToCurrent(element("moves"));
}

/** Scrolls the list to the current move, without scrolling the page. */
function scrollToCurrent(list) {
  const current = list.querySelector("[aria-current]");
  if (!current) return;
  const { top, bottom } = list.getBoundingClientRect();
  const move = current.getBoundingClientRect();
  if (move.top < top) list.scrollTop -= top - move.top;
  if (move.bottom > bottom) list.scrollTop += move.bottom - bottom;
}

/** Seeds that a move gave away, 0 if not known. */
function givenAway(turn, before, after) {
  if (before === null || after === null) return 0;
  return turn.player === "south" ? before - after : after - before;
}

/** Shows an error until the next success. */
export function showError(sentence) {
  element("error").textContent = sentence ?? "";
  element("error").hidden = !sentence;
}

/** Announces a sentence to screen readers. */
export function announce(sentence) {
  element("live").textContent = sentence;
}
