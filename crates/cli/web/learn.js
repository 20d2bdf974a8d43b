// The view of the lessons: the rules by doing, one short board each, under the ruleset that
// is chosen.

import { learnt, noteLearnt } from "./lesson-progress.js";
import { lessonsOf } from "./learn-boards.js";
import * as rulesets from "./rulesets.js";
import { fresh } from "./state.js";
import { text } from "./texts.js";

const element = (id) => document.getElementById(id);

/** A text, or its variant. */
function variantOf(words, variant) {
  return typeof words === "string" ? words : words[variant];
}

export class Learn {
  /** `sowing` tells when seeds have arrived. */
  constructor(session, board, sowing) {
    Object.assign(this, { session, board, sowing });
    /** The lessons of the ruleset, and the one that is shown. */
    this.lessons = [];
    this.lesson = null;
    element("learn-next").addEventListener("click", () => this.next());
    element("learn-again").addEventListener("click", () => this.go(this.lesson.name));
    element("learn-show").addEventListener("click", () => session.play(this.lesson.move));
    element("learn-lessons").addEventListener("click", (event) => {
      const { lesson } = event.target.closest("button")?.dataset ?? {};
      if (lesson) this.go(lesson);
    });
    element("learn-rules").addEventListener("change", () => this.go(this.lesson.name, element("learn-rules").value));
    for (const view of ["play", "puzzles"]) {
      element(`learn-${view}`).addEventListener("click", () => document.querySelector(`[data-door=${view}]`).click());
    }
  }

  /** The lessons of a ruleset. */
  async load(rules) {
    if (!rulesets.find(rules)) await rulesets.load();
    // The name of other rules lists their choices.
    const [family, grandSlam, feeding] = rules.split("+");
    return lessonsOf(rulesets.find(rules) ?? { name: rules, family, grand_slam: grandSlam, feeding });
  }

  /** The state of the lesson that the address names, or of the first one that is not done. */
  async open(state) {
    const { rules } = state;
    try {
      const lessons = await this.load(rules);
      const named = lessons.find(({ name }) => name === state.query.lesson);
      const lesson = named ?? lessons.find(({ name }) => !learnt(rules, name)) ?? lessons[0];
      return { view: "learn", rules, start: lesson.start, moves: "", ply: 0, query: { lesson: lesson.name } };
    } catch (error) {
      this.failure = error;
      return { view: "learn", ...fresh(rules), query: { failed: "1" } };
    }
  }

  async go(lesson, rules = this.session.state.rules) {
    this.session.go(await this.open({ rules, query: { lesson } }), { push: true });
  }

  /** Another state is shown: the lesson that it names, or else the first one. */
  async arrive(state) {
    if (state.query.failed) {
      this.session.hooks.onFailure(this.failure, () => this.go());
      return;
    }
    const lessons = await this.load(state.rules).catch(() => []);
    if (state !== this.session.state || lessons.length === 0) return;
    const lesson = lessons.find(({ name }) => name === state.query.lesson);
    if (lesson?.start !== state.start) {
      this.session.go(await this.open(state));
      return;
    }
    this.board.turn(false);
    this.lessons = lessons;
    this.lesson = lesson;
    if (this.reached()) noteLearnt(state.rules, lesson.name);
    this.show();
  }

  /** Plays a move of the lesson: there is one. */
  play(letter) {
    if (this.session.state.ply === 0) return this.session.play(letter);
    this.session.hooks.onRefuse();
    return undefined;
  }

  /** Whether the first move reached the goal. */
  reached() {
    const [before, after] = this.session.game.positions;
    return this.session.state.ply > 0 && Boolean(this.lesson.reached(before, after));
  }

  next() {
    const index = this.lessons.indexOf(this.lesson);
    const { name } = this.lessons[(index + 1) % this.lessons.length];
    this.go(name);
  }

  /** Shows the lesson, and the list of all. */
  show() {
    const { lesson, session } = this;
    if (!lesson) return;
    const { rules, ply } = session.state;
    const words = text.learn.board[lesson.name];
    const reached = this.reached();
    // Nothing is said before the seeds have arrived.
    const tried = ply > 0 && !this.sowing.moving;
    rulesets.fill(element("learn-rules"), rules);
    element("learn-name").textContent = text.learn.rulesTitle(rules);
    element("learn-title").textContent = words.title;
    element("learn-about").textContent = variantOf(words.about, lesson.variant);
    element("learn-task").textContent = variantOf(words.task, lesson.variant);
    element("learn-told").textContent = tried ? variantOf(reached ? words.done : words.tip, lesson.variant) : "";
    element("learn-told").dataset.phase = tried ? (reached ? "solved" : "wrong") : "";
    element("learn-again").hidden = !tried;
    element("learn-show").hidden = ply > 0;
    const last = this.lessons.indexOf(lesson) === this.lessons.length - 1;
    element("learn-next").hidden = !(reached && tried) || last;
    element("learn-end").hidden = !this.lessons.every(({ name }) => learnt(rules, name));
    element("learn-end-text").textContent = text.learn.allDone(rules);
    const stores = rulesets.find(rules)?.family === "stores";
    element("learn-stores").textContent = stores ? text.learn.stores(rules) : "";
    element("learn-stores").hidden = !stores;
    this.showList(rules);
  }

  showList(rules) {
    const list = element("learn-lessons");
    while (list.children.length > this.lessons.length) list.lastElementChild.remove();
    while (list.children.length < this.lessons.length) {
      const button = document.createElement("button");
      button.type = "button";
      const item = document.createElement("li");
      item.append(button);
      list.append(item);
    }
    this.lessons.forEach(({ name }, index) => {
      const [button] = list.children[index].children;
      const done = learnt(rules, name);
      button.dataset.lesson = name;
      button.textContent = `${text.learn.board[name].title}${done ? " ✓" : ""}`;
      button.setAttribute("aria-label", done ? `${text.learn.board[name].title}, ${text.learn.learnt}` : text.learn.board[name].title);
      if (name === this.lesson.name) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
  }
}
