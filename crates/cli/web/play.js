// The view for playing: choosing an opponent, a side and rules, the game, and its result.
// Values are hidden. The match is in the address, so that a link is a challenge.

import * as api from "./api.js";
import * as dialogs from "./dialogs.js";
import * as moveList from "./move-list.js";
import { OPPONENTS, OTHER, aboutOf, keyOf, nameOf, readMatch, withKey, writeMatch } from "./opponents.js";
import * as rulesets from "./rulesets.js";
import { change, settings } from "./settings.js";
import * as states from "./state.js";
import { announce } from "./status-card.js";
import { text } from "./texts.js";

const element = (id) => document.getElementById(id);
/** The least time before the opponent's move appears, in milliseconds. */
const PAUSE = 500;
/** How long a button says that a link was copied, in milliseconds. */
const COPIED_TIME = 1500;

function show(id, shown) {
  element(id).hidden = !shown;
}

export class Play {
  /** `sowing` tells when seeds have arrived; `onReview` is called to review the game. */
  constructor(session, board, sowing, { onReview }) {
    Object.assign(this, { session, board, sowing });
    /** Who plays: an opponent and the user's side. Null before the game. */
    this.match = null;
    this.opponent = {
      moves: (player) => this.match !== null && this.match.opponent !== "none" && player !== this.match.side,
      reply: (game, signal) => this.reply(game, signal),
    };
    element("setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.start(this.chosen());
    });
    element("setup-form").addEventListener("change", () => this.remember());
    element("challenge").addEventListener("click", () => this.challenge(element("challenge"), this.chosen()));
    element("challenge-here").addEventListener("click", () => this.challenge(element("challenge-here"), this.match));
    element("rematch").addEventListener("click", () => this.start(this.match));
    element("swap").addEventListener("click", () => this.start({ ...this.match, side: OTHER[this.match.side] }));
    element("again").addEventListener("click", () => this.setUp());
    element("review-result").addEventListener("click", onReview);
    element("play-rules").addEventListener("change", () => this.changeRules());
  }

  // The view

  hints() {
    return false;
  }

  open(state) {
    return { ...state, start: states.START, moves: "", ply: 0 };
  }

  arrive(state) {
    this.match = readMatch(state.query);
    this.board.turn(this.match?.side === "north");
  }

  /** A move of the user. Before the game it is the first move of a game as chosen. */
  play(letter) {
    if (this.match) return this.session.play(letter);
    const { to_move: player } = this.session.position();
    return this.start({ ...this.chosen(), side: player }, letter);
  }

  // Setting up

  /** Shows the opponents and the rules to choose from, and where the game starts. */
  showForm() {
    const list = element("opponents");
    if (list.dataset.shown !== text.code) {
      list.dataset.shown = text.code;
      list.replaceChildren(...OPPONENTS.map((one) => this.option(one)));
    }
    element("opponent-about").textContent = aboutOf(withKey(settings.opponent));
    document.querySelector(`#sides [value=${settings.side}]`).checked = true;
    const { rules, start } = this.session.state;
    rulesets.fill(element("play-rules"), rules);
    show("setup-position", start !== states.START);
    element("setup-position").textContent = text.play.fromPosition;
  }

  option(one) {
    const label = document.createElement("label");
    const radio = document.createElement("input");
    const name = document.createElement("span");
    Object.assign(radio, { type: "radio", name: "opponent", value: keyOf(one), checked: keyOf(one) === settings.opponent });
    name.textContent = nameOf(one);
    label.append(radio, name);
    return label;
  }

  /** The match that is chosen in the form. */
  chosen() {
    const { side } = settings;
    const drawn = side === "random" ? ["south", "north"][Math.floor(2 * Math.random())] : side;
    return { ...withKey(settings.opponent), side: drawn };
  }

  remember() {
    const chosen = (name) => document.querySelector(`#setup-form [name=${name}]:checked`).value;
    change({ opponent: chosen("opponent"), side: chosen("side") });
    this.showForm();
  }

  changeRules() {
    const { state } = this.session;
    this.session.go({ ...state, rules: element("play-rules").value, moves: "", ply: 0 });
  }

  /** Starts a game of this match from the beginning, perhaps with a first move. */
  start(match, moves = "") {
    const { rules, start } = this.session.state;
    const query = writeMatch(match);
    return this.session.go({ view: "play", rules, start, moves, ply: moves.length, query }, { push: true });
  }

  /** Shows the form for a new game from the start position. */
  setUp() {
    const { rules } = this.session.state;
    this.session.go({ ...states.fresh(rules), view: "play", query: {} }, { push: true });
  }

  /** Copies a link that starts this match in the position that is shown. */
  async challenge(button, match) {
    const { state } = this.session;
    const start = this.session.outcome() ? state.start : this.session.position().position;
    const link = states.address({ ...states.fresh(state.rules), view: "play", start, query: writeMatch(match) });
    const address = new URL(link, location.href).href;
    if (!(await dialogs.copy(address))) {
      dialogs.showLink(address);
      return;
    }
    announce(text.page.copied);
    button.textContent = text.page.copied;
    setTimeout(() => { button.textContent = text.play.challenge; }, COPIED_TIME);
  }

  // Playing

  /** The letter of the opponent's move at the end of a game, once the seeds have arrived. */
  async reply(game, signal) {
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
    const { opponent, level } = this.match;
    const asked = api.reply(game, opponent === "engine" ? { opponent, level } : { opponent }, signal);
    const [{ letter }] = await Promise.all([asked, pause, this.sowing.done]);
    // The request may have been cancelled during the pause.
    signal.throwIfAborted();
    return letter;
  }

  /** Shows the parts of this view for the session: the form, or the game and its result. */
  show(onPly) {
    const { session, match } = this;
    const over = Boolean(session.outcome()) && !this.sowing.moving;
    document.body.classList.toggle("setting-up", !match);
    show("setup", !match);
    show("status-card", Boolean(match));
    show("playing", Boolean(match));
    show("result", Boolean(match) && over);
    element("status-card").classList.toggle("over", Boolean(match) && over);
    if (!match) {
      this.showForm();
      return;
    }
    show("swap", match.opponent !== "none");
    element("playing-title").textContent = match.opponent === "none" ? nameOf(match) : text.play.against(nameOf(match));
    const about = match.opponent === "none" ? aboutOf(match) : `${text.play.youAre(match.side)} ${aboutOf(match)}`;
    element("playing-about").textContent = about;
    moveList.showGame(element("play-moves"), session.game, session.state.ply, onPly);
  }

  /** Whose turn it is, or the result, from the user's side; null for two players. */
  sentence(outcome) {
    const { match, session } = this;
    if (!match || match.opponent === "none") return null;
    if (outcome) {
      const { winner, stores } = outcome;
      const [own, other] = [stores[match.side], stores[OTHER[match.side]]];
      if (!winner) return text.play.drawn(own);
      return winner === match.side ? text.play.won(own, other) : text.play.lost(own, other);
    }
    return session.position().to_move === match.side ? text.play.yourTurn(match.side) : null;
  }
}
