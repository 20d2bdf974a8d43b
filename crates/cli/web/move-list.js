// Lists of moves as buttons: a game, numbered as in OGN, and the best line.

import { leadText, text } from "./texts.js";

/** The signs of the marks of a review. */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The notation of a move: its letter and captures. */
export function moveText({ letter, captured }) {
  return captured > 0 ? `${letter}×${captured}` : letter;
}

/** The player of a letter. */
export function playerOf(letter) {
  return letter < "a" ? "south" : "north";
}

/** The numbers of moves as OGN counts them: a new one when the player who moved first is
 * to move after the other one. Null for a move that gets none. */
export function numbers(players) {
  let number = 0;
  return players.map((player, index) => {
    const starts = index === 0 || (player === players[0] && players[index - 1] !== player);
    if (starts) number += 1;
    return starts ? number : null;
  });
}

/** The number of the move that was played at a ply of a game, or comes there. */
export function numberOf({ positions }, ply) {
  const players = [...playersBefore({ positions }, ply), positions[ply].to_move];
  return Math.max(...numbers(players));
}

/** The players of the moves before a ply of a game. */
export const playersBefore = ({ positions }, ply) => positions.slice(1, ply + 1).map(({ turn }) => turn.player);


/** A move of a list. */
export function makeItem() {
  const item = document.createElement("li");
  const number = document.createElement("span");
  number.className = "number";
  const button = document.createElement("button");
  button.type = "button";
  button.append(document.createElement("span"), " ", document.createElement("small"));
  item.append(number, button);
  return item;
}

/** Shows a move; `number` stands before it, or is empty. Its `does` has the action of a click
 * and what that is given. */
export function showItem(item, move, number) {
  const [counted, button] = item.children;
  const [letters, mark] = button.children;
  counted.hidden = number === "";
  counted.textContent = number;
  Object.assign(button.dataset, move.does);
  button.className = move.player;
  button.classList.toggle("turning", Boolean(move.turning));
  button.classList.toggle("aside", Boolean(move.aside));
  button.setAttribute("aria-label", move.label);
  if (move.current) button.setAttribute("aria-current", "step");
  else button.removeAttribute("aria-current");
  letters.textContent = move.text;
  mark.hidden = !move.sign && !move.lost;
  mark.dataset.mark = move.mark ?? "";
  mark.textContent = `${move.sign}${move.lost}`;
}

/** Fills a list with moves that go on after those of `players`. The elements are updated in place,
 * so that they keep the focus. */
function fill(list, moves, players = []) {
  const all = numbers([...players, ...moves.map((move) => move.player)]);
  while (list.children.length > moves.length) list.lastElementChild.remove();
  while (list.children.length < moves.length) list.append(makeItem());
  let number = Math.max(...all.slice(0, players.length), 0);
  moves.forEach((move, index) => {
    const start = all[players.length + index];
    number = start ?? number;
    const told = start !== null ? `${number}.` : index === 0 ? `${number}...` : "";
    showItem(list.children[index], move, told);
  });
}

/** What a move lost, from its review or from exact values before and after it: the seeds,
 * whether they are exact, and the mark. Null if nothing is known or lost. */
export function lossOf(turn, reviewed, before, after) {
  if (reviewed) return reviewed.loss > 0 ? reviewed : null;
  if (!before?.exact || !after?.exact) return null;
  const loss = turn.player === "south" ? before.net - after.net : after.net - before.net;
  return loss > 0 ? { loss, exact: true, mark: null } : null;
}

/** What a list shows of a move of a game with its number: what it lost, if that is known,
 * whether it is a `turning` point and the `current` one, and the `sign` of a text for it. */
export function factsOf(turn, number, { loss = null, turning = false, current = false, sign: given = "" }) {
  const mark = loss?.mark ?? null;
  const sign = given || (mark ? SIGNS[mark] : "");
  // Small estimated losses say nothing.
  const told = loss && (loss.exact || mark);
  const lost = told ? leadText(-loss.loss, loss.exact) : "";
  const size = told ? lost.replace("−", "") : "";
  const parts = [mark ? text.moves.mark[mark] : "", turning ? text.moves.turningPoint : ""];
  return {
    text: moveText(turn),
    mark,
    sign: sign ? `${sign} ` : "",
    lost,
    turning,
    current,
    // The name has what the button shows, and says it in words.
    label: text.moves.label(number, `${moveText(turn)}${sign ? ` ${sign}` : ""}${lost ? ` ${lost}` : ""}`, parts.filter(Boolean).join(", "),
      size && !loss.exact ? text.moves.about(size) : size),
  };
}

/** Shows the moves of a game. */
export function showGame(list, game, ply) {
  const starts = numbers(playersBefore(game, game.moves.length));
  let number = 0;
  const moves = game.positions.slice(1).map(({ turn }, index) => {
    number = starts[index] ?? number;
    const does = { action: "ply", ply: index + 1 };
    return { player: turn.player, does, ...factsOf(turn, number, { current: index + 1 === ply }) };
  });
  fill(list, moves);
  scrollToCurrent(list);
}

/** Shows a line; `doesAt(index)` returns the action of a move and what it is given. The move
 * before the index `current` is marked. The line goes on after the moves of `players`. */
export function showLine(list, line, doesAt, { current = null, players = [] } = {}) {
  const moves = line.map(({ letter, captured }, index) => ({
    text: moveText({ letter, captured }),
    player: playerOf(letter),
    does: doesAt(index),
    current: index + 1 === current,
    sign: "",
    lost: "",
    label: text.analysis.playUpTo(moveText({ letter, captured })),
  }));
  fill(list, moves, players);
}

/** Scrolls the list to the current move, without scrolling the page. */
export function scrollToCurrent(list) {
  const current = list.querySelector("[aria-current]");
  if (!current) return;
  const { top, bottom } = list.getBoundingClientRect();
  const move = current.getBoundingClientRect();
  if (move.top < top) list.scrollTop -= top - move.top;
  if (move.bottom > bottom) list.scrollTop += move.bottom - bottom;
}
