// The cards of the puzzles: the task with what the moves have come to, and the choice of a
// puzzle by day, theme and grade.

import { showLead } from "./board.js";
import { element, setText } from "./dom.js";
import * as moveList from "./move-list.js";
import { OTHER } from "./opponents.js";
import { rating, solved, solvedDay } from "./progress.js";
import { leadOf } from "./puzzles-judge.js";
import * as sets from "./puzzles-sets.js";
import { highest } from "./rulesets.js";
import { state } from "./state.js";
import { signed, text } from "./texts.js";
import { decision } from "./verdict.js";

function longDate(day) {
  return new Date(day).toLocaleDateString(text.code, { dateStyle: "long", timeZone: "UTC" });
}

/** The days in a row, up to this one, whose puzzles were solved. */
function streak(rules, day) {
  let days = 0;
  while (solvedDay(rules, sets.dayAfter(day, -days))) days += 1;
  return days;
}

/** Shows the cards of the puzzles, or that of the trainer or of the rush. */
export function choose(training, rushing) {
  element("puzzle").hidden = training || rushing;
  element("puzzle-sets").hidden = training || rushing;
  element("trainer").hidden = !training;
  element("rush").hidden = training || !rushing;
}

/** Shows a puzzle and what the moves have come to. */
export function show() {
  const { game, moves, moving, ply, puzzle: { named, judged, line, missed, revealed, gain } } = state;
  // Nothing is said before the seeds have arrived.
  const told = { judged: moving ? null : judged, missed, revealed, line, ply, moves, positions: game.positions };
  showTask(named, told);
  showButtons(named, told);
  showRating(moving ? null : gain);
  showDays(named);
  showSets(named);
}

// The task

/** What is to be found. */
export function goalOf({ goal, lead, mover, values, solution }) {
  if (goal === "value") return text.puzzles.goal.value(mover);
  return text.puzzles.goal[values[solution] + lead > 0 ? "win" : "draw"](mover);
}

function showTask({ puzzle, day, number, puzzles, theme }, told) {
  element("puzzle-name").textContent = day ? text.puzzles.ofDay(longDate(day)) : text.puzzles.ofSet(number, puzzles.length);
  element("puzzle-task").textContent = goalOf(puzzle);
  element("puzzle-tag-grade").textContent = text.puzzles.grade(puzzle.grade);
  // The theme would be a hint, unless it was chosen.
  element("puzzle-tag-theme").hidden = !(told.revealed || theme);
  element("puzzle-tag-theme").textContent = text.puzzles.theme[puzzle.theme];
  const sentences = sentencesOf(puzzle, told);
  setText("puzzle-told", sentences.join(" "));
  element("puzzle-told").dataset.phase = told.judged?.phase ?? "";
  element("puzzle-about").hidden = sentences.length > 0;
  showProof(puzzle, told);
}

/** What the moves have come to, in sentences. */
function sentencesOf(puzzle, { judged, missed, revealed, positions, ply, moves }) {
  if (!judged) return [];
  if (judged.phase === "wrong" && !revealed) return wrongSentences(judged, { positions, ply, moves });
  if (judged.phase === "solved") return [missed ? text.puzzles.solvedLater : text.puzzles.solved, proof(puzzle)];
  if (revealed) return [text.puzzles.solution(puzzle.solution), proof(puzzle)];
  if (judged.phase === "right") {
    const waits = ply === positions.length - 1;
    return [text.puzzles.right(moves[judged.at]), ...(waits ? [text.puzzles.answers(OTHER[puzzle.mover])] : [])];
  }
  return judged.at > 0 ? [text.puzzles.goesOn] : [];
}

/** South's lead, for a lead of the player to move. */
function southLead({ to_move: mover }, lead) {
  return mover === "south" ? lead : -lead;
}

/** What a wrong move loses, and the answer to it. */
function wrongSentences({ at, right }, { positions, ply, moves }) {
  const letter = moves[at];
  const lost = right.values[right.letter] - right.values[letter];
  const { to_move: mover } = positions[at];
  const after = positions[at + 1];
  const { lower, upper, value, stores } = after;
  const other = after.to_move;
  const lead = stores[mover] - stores[OTHER[mover]];
  const open = value !== null && lower !== upper && other !== mover;
  const first = open
    ? openSentence(letter, mover, lead - upper, lead - lower)
    : text.puzzles.wrong(letter, lost, southLead(positions[at], leadOf(positions[at], right.values[letter])));
  return ply > at + 1 ? [first, text.puzzles.refuted(other, moves[at + 1])] : [first];
}

/** What a player may lose by a move after which the final lead has these bounds. */
export function openSentence(letter, mover, low, high) {
  const other = OTHER[mover];
  switch (decision(low, high)) {
    case "wins": return text.puzzles.mayWinOnly(letter, mover, low);
    case "wins-or-draws": return text.puzzles.mayDraw(letter, other);
    case "draws-or-loses": return text.puzzles.drawsAtBest(letter, mover, -low);
    case "loses": return text.puzzles.losesAtLeast(letter, other, -high);
    default: return text.puzzles.mayLose(letter, mover, -low);
  }
}

/** How the game ends with the solution, and with the next best move. */
function proof({ theme, lead, mover, values, solution }) {
  const net = (letter) => southLead({ to_move: mover }, lead + values[letter]);
  if (theme === "loop-trap") return text.puzzles.proofLoop(solution, net(solution));
  const [, next] = Object.keys(values);
  return text.puzzles.proof(solution, net(solution), next, net(next));
}

/** Shows the value of each move, once the solution is known, and how the game goes on. */
function showProof({ lead, values, solution }, { judged, revealed, line, ply }) {
  element("puzzle-proof").hidden = !revealed;
  element("puzzle-values").replaceChildren(...Object.entries(values).map(([letter, net]) => {
    const item = document.createElement("li");
    const value = document.createElement("span");
    value.className = "value";
    showLead(value, { lead: lead + net, exact: true });
    item.append(letter, " ", value);
    item.classList.toggle("best", letter === solution);
    return item;
  }));
  const shown = line !== "" && (revealed || (judged?.phase === "wrong" && ply > judged.at + 1));
  element("puzzle-line-title").hidden = !shown;
  const moves = shown ? [...line].map((letter) => ({ letter, captured: 0 })) : [];
  moveList.showLine(element("puzzle-line"), moves, (index) => ({ action: "puzzle-line", ply: index + 1 }), { current: ply });
}

function showButtons({ day, puzzle }, { judged, revealed, ply }) {
  const wrong = judged?.phase === "wrong";
  const tried = wrong || revealed;
  element("puzzle-again").hidden = !tried || (ply === 0 && !revealed);
  element("puzzle-show").hidden = revealed || !judged?.right;
  element("puzzle-next").hidden = !tried;
  element("puzzle-next").textContent = day ? text.puzzles.more : text.puzzles.next;
  element("puzzle-again").classList.toggle("first", wrong && !revealed);
  element("puzzle-next").classList.toggle("first", revealed);
  element("puzzle-analyse").hidden = !revealed;
  element("puzzle-train").hidden = !revealed || puzzle.seeds > (highest(puzzle.rules) ?? 0);
}

/** Shows the rating, and what the first try has changed it by. */
function showRating(gain) {
  element("puzzle-rating").textContent = text.puzzles.rating(rating());
  element("puzzle-gain").textContent = gain ? signed(gain) : "";
  element("puzzle-gain").dataset.sign = String(Math.sign(gain ?? 0));
}

// The choice of a puzzle

function showDays({ day, puzzle }) {
  const now = sets.today();
  const here = day ?? now;
  const days = streak(puzzle.rules, here);
  element("puzzle-day").textContent = longDate(here);
  element("puzzle-streak").textContent = days > 0 ? text.puzzles.streak(days) : text.puzzles.notYet;
  element("puzzle-day-before").dataset.day = sets.dayAfter(here, -1);
  element("puzzle-day-after").dataset.day = here < now ? sets.dayAfter(here, 1) : "";
  element("puzzle-day-after").setAttribute("aria-disabled", String(here >= now));
  element("puzzle-today").dataset.day = now;
  element("puzzle-today").hidden = day === now;
}

function countSolved(puzzles) {
  return puzzles.filter((one) => solved(one)).length;
}

/** Fills a menu with choices, each with a value and a text. It stays as it is while it is open. */
function fill(select, choices, value) {
  const shown = JSON.stringify(choices);
  if (select.dataset.shown !== shown) {
    select.dataset.shown = shown;
    select.replaceChildren(...choices.map(([choice, label]) => new Option(label, choice)));
  }
  select.value = value;
}

function showSets({ set, puzzle, puzzles, number, theme = "", grade = "" }) {
  fill(element("puzzle-rules"), sets.RULES.map((name) => [name, name]), puzzle.rules);
  const themes = sets.THEMES.map((one) => [one, sets.choose(set, { theme: one })]).filter(([, found]) => found.length > 0);
  fill(element("puzzle-theme"), [
    ["", text.puzzles.allThemes(countSolved(set), set.length)],
    ...themes.map(([one, found]) => [one, text.puzzles.oneTheme(text.puzzles.theme[one], countSolved(found), found.length)]),
  ], theme);
  const grades = sets.GRADES.filter((one) => sets.choose(set, { theme, grade: one }).length > 0);
  fill(element("puzzle-grade"), [["", text.puzzles.allGrades], ...grades.map((one) => [one, text.puzzles.oneGrade(one)])], grade);
  const shown = puzzles ?? set;
  const done = countSolved(shown);
  const first = shown.filter((one) => solved(one) === "first").length;
  element("puzzle-progress").max = shown.length;
  element("puzzle-progress").value = done;
  element("puzzle-progress-text").textContent = text.puzzles.progress(done, shown.length, first);
  element("puzzle-begin").hidden = number !== undefined;
}
