// Shows a session: the board, the cards, the graph and the list of moves.

import * as card from "./analysis-card.js";
import { LETTERS } from "./board.js";
import { showExamples } from "./examples.js";
import * as moveList from "./move-list.js";
import { showTree } from "./move-tree.js";
import * as rulesets from "./rulesets.js";
import { settings } from "./settings.js";
import { announce, showBar, showStatus } from "./status-card.js";
import { text } from "./texts.js";
import { showDoor } from "./trainer.js";
import { isCertain, movesFromEngine, movesFromTables, outcomeVerdict, southLead, verdict } from "./verdict.js";
import * as views from "./views.js";

const element = (id) => document.getElementById(id);

/** What the page's texts call the reasons against a move. */
const ILLEGAL = {
  empty: "empty",
  "must-feed": "mustFeed",
  "cannot-feed": "cannotFeed",
  "grand-slam": "grandSlam",
  "grand-slam-banned": "grandSlamBanned",
};

export class View {
  /** `parts` are the board, the graph, the editor, the animation of moves, the games with
   * their variations, and the view for playing. `hooks` are called with what the user chooses: `onPly` with a
   * ply of the game, `onLetter` with a move to play, `onLine` with moves of the best line,
   * `onPath` with the moves up to one of the game or of a variation, `onExample` with a name. */
  constructor(session, parts, hooks) {
    this.session = session;
    Object.assign(this, parts);
    this.hooks = hooks;
    this.frame = null;
    /** The pit that the user points to, or null. */
    this.pointed = null;
  }

  /** Shows the session with the next frame, however often this is called. */
  showLater() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.session.game) this.show();
    });
  }

  show() {
    const { session, editor, sowing, hooks } = this;
    const { moving } = sowing;
    const over = Boolean(session.outcome());
    const position = session.position();
    const known = this.values();
    document.body.classList.remove("loading");
    this.board.show(this.drawn(), {
      legal: over ? "" : position.legal,
      values: new Map(moving ? [] : known.moves.map((move) => [move.letter, move])),
      reasons: (letter) => this.illegalSentence(letter),
      over,
      editing: editor.active,
      source: editor.source,
      moving,
    });
    editor.show();
    this.showVerdict();
    showDoor(element("train"), position, over || editor.active);
    // A click on what is shown is not for a position that is about to be shown.
    const current = () => session.position() === position;
    card.showValues(known, position, this.facts(), (letter) => current() && hooks.onLetter(letter));
    card.showLine(known, (index) => current() && hooks.onLine(known.line.slice(0, index + 1)));
    card.showButtons(known.moves.length > 0, settings.hints);
    card.showEngine(session.needsEngine(), { paused: session.paused, canThinkLonger: session.canThinkLonger() });
    showExamples(element("examples"), session.state.rules, hooks.onExample);
    if (session.state.view === "analyse") this.showGame();
    views.current().show?.(hooks.onPly);
    this.showControls();
    this.preview(this.pointed);
  }

  /** Shows whose turn it is and the verdict, or the result once all seeds have arrived. */
  showVerdict() {
    const { session, editor, sowing } = this;
    const over = sowing.moving ? null : session.outcome();
    const own = this.play.sentence(over);
    const turn = (session.state.view === "play" && own) || this.turnSentence();
    const found = this.verdict();
    const told = (session.hints() || over) && !editor.active;
    if (told) showStatus(over ? "" : turn, over && session.state.view === "play" && own ? { ...found, title: own } : found);
    else showStatus("", { title: turn });
    const lead = told ? southLead(session.position(), session.estimate()) : null;
    showBar(lead, this.facts().total);
    document.title = text.title.position(session.state.rules, session.state.ply, told ? found.title : turn);
  }

  /** Shows where the last seed of a pit's move would land and what it would take, in words
   * and on the board; `pit` is null if the user points to none. */
  preview(pit) {
    const { session, board, editor, sowing } = this;
    this.pointed = pit;
    if (!session.game || sowing.moving) return;
    board.clearMarks();
    const { rules } = session.state;
    const { position, legal } = session.position();
    const playable = pit !== null && !editor.active && !session.opponentsTurn() && legal.includes(LETTERS[pit]);
    const events = playable ? session.knowledge.events(rules, position, LETTERS[pit]) : null;
    element("preview").textContent = events ? this.previewSentence(LETTERS[pit], events) : "";
  }

  /** Marks on the board what a move would do, and says it. */
  previewSentence(letter, events) {
    const last = events.findLast(({ event }) => event === "sow");
    const taken = events.filter(({ event }) => event === "capture");
    if (last) this.board.mark(last.to, "lands");
    for (const { from } of taken) this.board.mark(from, "takes");
    const seeds = taken.reduce((sum, one) => sum + one.seeds, 0);
    return last ? text.board.preview(letter, last.to, seeds) : "";
  }

  facts() {
    const { game, state } = this.session;
    return { total: game.total, claimed: rulesets.claimsAll(state.rules), certain: isCertain(game, state.ply) };
  }

  /** The position to draw: the draft of the editor, or the current one. */
  drawn() {
    const position = this.session.position();
    return this.editor.active ? { ...position, ...this.editor.draft, turn: null } : position;
  }

  /** The values to show: moves, or a note in their place, their source, and the best line. */
  values() {
    const { session } = this;
    const nothing = (note) => ({ moves: [], note, source: "", line: [], end: "" });
    const position = session.position();
    if (session.outcome()) return nothing(text.analysis.over);
    if (!session.hints()) return nothing(text.analysis.hidden);
    const table = session.knowledge.position(session.state.rules, position.position);
    if (table?.probe) {
      const moves = movesFromTables(table.probe, position);
      const source = moves.every((move) => move.exact) ? text.analysis.fromTables : text.analysis.tablesWithBounds;
      const { line } = table.line;
      return { moves, note: "", source, line, end: line.length > 0 ? text.analysis.end[table.line.end] : "" };
    }
    const estimate = session.estimate();
    if (estimate && estimate.lines.length > 0) {
      const { depth, selective_depth: selective, exact, lines } = estimate;
      const line = [...lines[0].letters].map((letter) => ({ letter, captured: 0 }));
      const source = exact ? text.analysis.exactSearch : text.analysis.depth(depth, selective);
      const effort = estimate.nodes === undefined ? "" : text.analysis.nodes(text.large(estimate.nodes));
      const end = exact ? "" : text.analysis.lineEstimate;
      return { moves: movesFromEngine(estimate, position), note: "", source, effort, line, end };
    }
    if (session.paused) return nothing(text.analysis.paused);
    if (session.open.engine) return nothing(text.analysis.searching);
    return nothing(session.open.tables ? text.analysis.asking : text.analysis.noLine);
  }

  /** The verdict on the position. */
  verdict() {
    const { session } = this;
    const over = session.outcome();
    if (over) return outcomeVerdict(session.game, session.position());
    const found = verdict(session.position(), session.estimate(), this.facts());
    if (found) return found;
    if (session.open.engine) return { title: text.verdict.estimating };
    return { title: session.open.tables ? text.verdict.asking : text.verdict.unknown };
  }

  /** Whose turn it is, in a sentence. */
  turnSentence() {
    const { session } = this;
    if (this.editor.active) return text.status.editing;
    if (session.outcome()) return text.status.over;
    const { to_move: player } = session.position();
    if (session.state.view === "play" && !this.play.match) return text.play.title;
    if (session.open.reply) return text.status.thinking(player);
    return session.opponentsTurn() ? text.status.waiting(player) : text.status.toMove(player);
  }

  /** Why a pit of the player to move may not be played, in a sentence. */
  illegalSentence(letter) {
    const { illegal, illegal_codes: codes } = this.session.position();
    return text.illegal[ILLEGAL[codes[letter]] ?? "unknown"](letter, illegal[letter]);
  }

  /** Tells the position in sentences to screen readers. */
  announce() {
    const { session } = this;
    const { turn } = session.position();
    const parts = turn ? [text.moves.sentence(turn)] : [];
    if (session.state.view === "analyse") parts.push(...this.games.comments(session.state));
    const found = this.verdict();
    if (session.outcome()) parts.push(`${found.title}.`, ...found.details);
    else parts.push(`${this.turnSentence()}.`);
    if (!session.outcome() && session.hints() && found.kind) parts.push(`${found.title} (${text.verdict[found.kind]}).`);
    announce(parts.join(" "));
  }

  /** Shows the graph and the list of moves. */
  showGame() {
    const { state, game, knowledge, review } = this.session;
    const hints = this.session.hints();
    const leads = game.positions.map((one, ply) => (hints ? southLead(one, knowledge.estimate(state, ply)) : null));
    const turns = game.positions.slice(1).map(({ turn }) => turn);
    const reviewed = turns.map((_, index) => (hints ? knowledge.reviewedMove(state, index + 1) : undefined));
    const losses = turns.map((turn, index) => moveList.lossOf(turn, reviewed[index], leads[index], leads[index + 1]));
    this.graph.show(game, state.ply, leads, losses.map((loss) => loss?.mark ?? null));
    const incomplete = leads.includes(null) ? text.graph.empty : "";
    element("graph-note").textContent = hints ? incomplete : text.graph.hidden;
    this.showMoves(turns, losses, reviewed);
    review.show(state, game, hints);
  }

  /** Shows the moves of the game with its variations. */
  showMoves(turns, losses, reviewed) {
    const { state, knowledge } = this.session;
    const { current: tree } = this.games;
    const shown = tree.path(state.moves);
    const factsOf = (node, path, sign) => {
      const { length: ply } = path;
      const index = ply - 1;
      if (shown[index] === node) {
        const { turning } = reviewed[index] ?? {};
        return moveList.factsOf(turns[index], ply, { loss: losses[index], turning, current: ply === state.ply, sign });
      }
      const move = { letter: node.letter, captured: node.captured ?? 0 };
      const known = this.session.hints() ? knowledge.reviewedMove({ ...state, moves: path }, ply) : undefined;
      const facts = moveList.factsOf(move, ply, { loss: known?.loss > 0 ? known : null, turning: known?.turning, sign });
      return { ...facts, aside: true };
    };
    showTree(element("moves"), tree, factsOf, this.hooks.onPath);
    const inVariation = tree.branches(state.moves.slice(0, state.ply)).length > 0;
    for (const id of ["promote", "remove"]) element(id).setAttribute("aria-disabled", String(!inVariation));
    element("variations").hidden = !tree.hasVariations();
  }

  showControls() {
    const { session } = this;
    const { state, game } = session;
    element("ply").textContent = `${state.ply} / ${game.positions.length - 1}`;
    rulesets.show(state.rules);
    const idle = {
      first: state.ply === 0,
      back: state.ply === 0,
      forward: session.atEnd(),
      last: session.atEnd(),
      undo: session.undoPly() === null,
      redo: session.redoPly() === null,
    };
    for (const [id, value] of Object.entries(idle)) element(id).setAttribute("aria-disabled", String(value));
    element("flip").setAttribute("aria-pressed", String(settings.flipped));
  }
}
