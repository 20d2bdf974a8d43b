// The card with the value of each move, exact or estimated, and the best line.

import { showLead } from "./board.js";
import { element } from "./dom.js";
import * as moveList from "./move-list.js";
import { settings } from "./storage.js";
import { text } from "./texts.js";
import { moveResult } from "./verdict.js";

/** The most moves of a line to list, and the most letters beside a move. */
const LINE_PLIES = 12;
const SHORT_LINE = 10;

/** Shows the buttons of the engine where it estimates the position. */
export function showEngine(shown, { paused, canThinkLonger }) {
  element("engine").hidden = !shown;
  element("longer").setAttribute("aria-disabled", String(!canThinkLonger));
  element("pause").textContent = paused ? text.analysis.goOn : text.analysis.pause;
}

/** The rest of a line: its letters after the first one. */
function rest(line) {
  return [...line.slice(1, SHORT_LINE)].join(" ");
}

function makeRow(body) {
  const row = body.insertRow();
  const button = document.createElement("button");
  button.type = "button";
  row.insertCell().append(button);
  const value = document.createElement("span");
  value.className = "value";
  row.insertCell().append(value);
  row.insertCell();
  row.insertCell();
  ["move", "lead", "result", "distance"].forEach((name, index) => row.cells[index].classList.add(name));
}

/** Shows a move of a position; `line` says whether with its line in place of its result. */
function showRow(row, move, line, position, facts) {
  const [moveCell, leadCell, result, distance] = row.cells;
  row.classList.toggle("best", move.best);
  const button = moveCell.firstChild;
  button.textContent = moveList.moveText(move);
  Object.assign(button.dataset, { action: "letter", letter: move.letter, position: position.position });
  button.setAttribute("aria-label", text.analysis.play(moveList.moveText(move)));
  showLead(leadCell.firstChild, move);
  const known = move.exact || Boolean(move.bounds);
  result.colSpan = known ? 1 : 2;
  result.classList.toggle("rest", !known);
  distance.hidden = !known;
  result.textContent = known ? moveResult(move, position, facts) : line ? rest(move.line) : "";
  distance.textContent = move.distance ? text.analysis.plies(move.distance) : "";
}

/** Shows the moves with their values. `note` is shown in their place if there are none; `source`
 * says where they come from, and `effort` how much was searched for them. The elements are
 * updated in place, so that they keep the focus. */
export function showValues({ moves, note, source, effort = "" }, position, facts) {
  const body = element("values").tBodies[0];
  while (body.rows.length > moves.length) body.lastElementChild.remove();
  while (body.rows.length < moves.length) makeRow(body);
  moves.forEach((move, index) => showRow(body.rows[index], move, index < settings.lines, position, facts));
  element("values").hidden = moves.length === 0;
  element("values-note").hidden = moves.length > 0 || !note;
  element("values-note").textContent = note;
  element("analysis-source").textContent = source;
  element("analysis-source").title = effort;
}

/** Shows a line of moves of a position, after those of `players`, and a sentence about its end. */
export function showLine({ line, end }, { position }, players) {
  moveList.showLine(element("line"), line.slice(0, LINE_PLIES), (index) => ({ action: "line", count: index + 1, position }), { players });
  element("line-end").textContent = end;
  element("line-title").hidden = line.length === 0 && end === "";
}

/** Shows whether there is a best move to play, and whether values are shown. */
export function showButtons(hasBest, hints) {
  element("best").setAttribute("aria-disabled", String(!hasBest));
  element("hints").textContent = hints ? text.analysis.hide : text.analysis.show;
}
