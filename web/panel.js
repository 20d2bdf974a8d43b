// What is said about the position: who is to move, what it is worth, the best line,
// and the moves of the game.

import { NAMES, lineEnd, signed, verdict } from "./words.js";

const element = (id) => document.getElementById(id);

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

/** Says who is to move and what it is worth, or how the game ended. */
export function showStatus(position, probe, outcome) {
  if (outcome) {
    element("status").textContent = outcome.result;
    element("verdict").textContent = outcome.reason;
    return;
  }
  element("status").textContent = `${NAMES[position.to_move]} to move`;
  element("verdict").textContent = verdict(position, probe);
}

/** Shows a best line, null where none is known and undefined where none is to be
 * shown; `onMove` hears up to which move it is to be played. */
export function showLine(line, onMove) {
  const moves = (line?.line ?? []).map(({ letter, captured }) => ({
    text: letter,
    player: letter < "a" ? "south" : "north",
    mark: captured > 0 ? `×${captured}` : "",
    label: `Play up to ${letter}${captured > 0 ? `, which captures ${captured}` : ""}`,
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
    const shown = turn.captured > 0 ? `${turn.letter}×${turn.captured}` : turn.letter;
    return {
      text: shown,
      player: turn.player,
      mark: lost > 0 ? signed(-lost) : "",
      current: index + 1 === ply,
      label: `Move ${index + 1}: ${shown}${lost > 0 ? `, gave away ${lost}` : ""}`,
    };
  });
  fill(element("moves"), moves, (index) => onPly(index + 1));
  element("moves").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
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
