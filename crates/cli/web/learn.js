// The view of the lessons: the rules by doing, one short board each, under the ruleset that
// is chosen.

import { fresh } from "./address.js";
import { element, setText } from "./dom.js";
import { go, play as playOn } from "./going.js";
import { lessonsOf } from "./learn-boards.js";
import { learnt, noteLearnt } from "./progress.js";
import * as rulesets from "./rulesets.js";
import { state, update } from "./state.js";
import { text } from "./texts.js";

/** A text, or its variant. */
function variantOf(words, variant) {
  return typeof words === "string" ? words : words[variant];
}

/** The lessons of a ruleset. */
async function load(rules) {
  if (!rulesets.find(rules)) await rulesets.load();
  // The name of other rules lists their choices.
  const [family, grandSlam, feeding] = rules.split("+");
  return lessonsOf(rulesets.find(rules) ?? { name: rules, family, grand_slam: grandSlam, feeding });
}

// The view

/** The address of the lesson that is named, or of the first one that is not done. */
export async function open({ rules, query }) {
  try {
    const lessons = await load(rules);
    const named = lessons.find(({ name }) => name === query.lesson);
    const lesson = named ?? lessons.find(({ name }) => !learnt(rules, name)) ?? lessons[0];
    return { view: "learn", rules, start: lesson.start, moves: "", ply: 0, query: { lesson: lesson.name } };
  } catch {
    // The view asks for it again when it is shown, and tells the error.
    return { view: "learn", ...fresh(rules), query };
  }
}

/** Another position is shown: of the lesson that the address names, or else of the first one. */
export async function arrive() {
  const { visit, rules, query, start } = state;
  const lessons = await load(rules);
  if (visit !== state.visit) return;
  const lesson = lessons.find(({ name }) => name === query.lesson);
  if (lesson?.start !== start) {
    await go(await open(state));
    return;
  }
  update({ learn: { lessons, lesson } });
  if (isReached()) noteLearnt(rules, lesson.name);
}

/** Plays a move of the lesson: there is one. */
export function play(letter) {
  if (state.ply === 0) return playOn(letter);
  update({ asked: null, step: null });
  return undefined;
}

/** Whether the first move reached the goal. */
function isReached() {
  const [before, after] = state.game.positions;
  return state.ply > 0 && Boolean(state.learn.lesson.reached(before, after));
}

// What the buttons do

/** Goes to a lesson, the one that is shown unless another one is named. */
export async function goTo({ lesson = state.learn?.lesson.name, rules = state.rules }) {
  return go(await open({ rules, query: { lesson } }), { push: true });
}

export function next() {
  const { lessons, lesson } = state.learn;
  return goTo({ lesson: lessons[(lessons.indexOf(lesson) + 1) % lessons.length].name });
}

export const showMove = () => state.learn && playOn(state.learn.lesson.move);

// Showing

/** Shows the lesson, and the list of all. */
export function show() {
  const { learn, rules, ply } = state;
  if (!learn) return;
  const { lessons, lesson } = learn;
  const words = text.learn.board[lesson.name];
  const reached = isReached();
  // Nothing is said before the seeds have arrived.
  const tried = ply > 0 && !state.moving;
  rulesets.fillByName(element("learn-rules"), rules);
  element("learn-name").textContent = text.learn.rulesTitle(rules);
  element("learn-title").textContent = words.title;
  element("learn-about").textContent = variantOf(words.about, lesson.variant);
  element("learn-task").textContent = variantOf(words.task, lesson.variant);
  setText("learn-told", tried ? variantOf(reached ? words.done : words.tip, lesson.variant) : "");
  element("learn-told").dataset.phase = tried ? (reached ? "solved" : "wrong") : "";
  element("learn-again").hidden = !tried;
  element("learn-show").hidden = ply > 0;
  const last = lessons.indexOf(lesson) === lessons.length - 1;
  element("learn-next").hidden = !(reached && tried) || last;
  element("learn-end").hidden = !lessons.every(({ name }) => learnt(rules, name));
  element("learn-end-text").textContent = text.learn.allDone(rules);
  const stores = rulesets.find(rules)?.family === "stores";
  element("learn-stores").textContent = stores ? text.learn.stores(rules) : "";
  element("learn-stores").hidden = !stores;
  showList(learn);
}

function showList({ lessons, lesson }) {
  const { rules } = state;
  const list = element("learn-lessons");
  while (list.children.length > lessons.length) list.lastElementChild.remove();
  while (list.children.length < lessons.length) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.action = "lesson";
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  }
  lessons.forEach(({ name }, index) => {
    const [button] = list.children[index].children;
    const done = learnt(rules, name);
    button.dataset.lesson = name;
    button.textContent = `${text.learn.board[name].title}${done ? " ✓" : ""}`;
    button.setAttribute("aria-label", done ? `${text.learn.board[name].title}, ${text.learn.learnt}` : text.learn.board[name].title);
    if (name === lesson.name) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
}
