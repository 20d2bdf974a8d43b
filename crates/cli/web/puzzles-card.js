// The cards of the puzzles: the task with what the moves have come to, and the choice of a
// puzzle by day, theme and grade.

import { showLead } from "./analysis-card.js";
import { element, setText } from "./dom.js";
import { solved, solvedDay } from "./lesson-progress.js";
import * as moveList from "./move-list.js";
import { leadOf } from "./puzzles-judge.js";
import * as sets from "./puzzles-sets.js";
import { highest } from "./rulesets.js";
import { state } from "./state.js";
import { text } from "./texts.js";
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

/** Shows the cards of the puzzles or that of the trainer. */
export function choose(training) {
  element("puzzle").hidden = training;
  element("puzzle-sets").hidden = training;
  element("trainer").hidden = !training;
}

/** Shows a puzzle and what the moves have come to. */
export function show() {
  const { game, moves, moving, ply, puzzle: { named, judged, line, missed, revealed } } = state;
  // Nothing is said before the seeds have arrived.
  const told = { judged: moving ? null : judged, missed, revealed, line, ply, moves, positions: game.positions };
  showTask(named, told);
  showButtons(named, told);
  showDays(named);
  showSets(named);
}

// The task

function goalOf({ goal, values, solution }) {
  if (goal === "value") return text.puzzles.goal.value;
  return values[solution] > 0 ? text.puzzles.goal.win : text.puzzles.goal.draw;
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
    return [text.puzzles.right(moves[judged.at]), ...(waits ? [text.puzzles.answers] : [])];
  }
  return judged.at > 0 ? [text.puzzles.goesOn] : [];
}

/** What a wrong move loses, and North's answer to it. */
function wrongSentences({ at, right }, { positions, ply, moves }) {
  const letter = moves[at];
  const lost = right.values[right.letter] - right.values[letter];
  const { lower, upper, value, stores } = positions[at + 1];
  const lead = stores.south - stores.north;
  const open = value !== null && lower !== upper;
  // North is to move after the wrong move.
  const first = open
    ? openSentence(letter, lead - upper, lead - lower)
    : text.puzzles.wrong(letter, lost, leadOf(positions[at], right.values[letter]));
  return ply > at + 1 ? [first, text.puzzles.refuted(moves[at + 1])] : [first];
}

/** What South may lose by a move after which South's final lead has these bounds. */
export function openSentence(letter, low, high) {
  switch (decision(low, high)) {
    case "wins": return text.puzzles.mayWinOnly(letter, low);
    case "wins-or-draws": return text.puzzles.mayDraw(letter);
    case "draws-or-loses": return text.puzzles.drawsAtBest(letter, -low);
    case "loses": return text.puzzles.losesAtLeast(letter, -high);
    default: return text.puzzles.mayLose(letter, -low);
  }
}

/** How the game ends with the solution, and with the next best move. */
function proof({ theme, values, solution }) {
  if (theme === "loop-trap") return text.puzzles.proofLoop(solution, values[solution]);
  const [next, value] = Object.entries(values)[1] ?? [];
  return next ? text.puzzles.proof(solution, values[solution], next, value) : "";
}

/** Shows the value of each move, once the solution is known, and how the game goes on. */
function showProof({ values, solution }, { judged, revealed, line, ply }) {
  element("puzzle-proof").hidden = !revealed;
  element("puzzle-values").replaceChildren(...Object.entries(values).map(([letter, lead]) => {
    const item = document.createElement("li");
    const value = document.createElement("span");
    value.className = "value";
    showLead(value, { lead, exact: true });
    item.append(letter, " ", value);
    item.classList.toggle("best", letter === solution);
    return item;
  }));
  const shown = line !== "" && (revealed || (judged?.phase === "wrong" && ply > judged.at + 1));
  element("puzzle-line-title").hidden = !shown;
  const moves = shown ? [...line].map((letter) => ({ letter, captured: 0 })) : [];
  moveList.showLine(element("puzzle-line"), moves, (index) => ({ action: "puzzle-line", ply: index + 1 }), ply);
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
  element("puzzle-steps").hidden = number === undefined;
  element("puzzle-number").textContent = number === undefined ? "" : `${number} / ${shown.length}`;
}
