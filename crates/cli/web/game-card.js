// The card of the game: the graph, the list of moves with its variations, and the review.

import { showCopyButton } from "./dialogs.js";
import { element } from "./dom.js";
import { Graph } from "./graph.js";
import * as reviewCard from "./review-card.js";
import * as moveList from "./move-list.js";
import { hints, shownMoves, state } from "./state.js";
import { text } from "./texts.js";
import { southLead } from "./verdict.js";

const graph = new Graph(element("graph"));

export function showGameCard() {
  const { game, knowledge, ply } = state;
  const told = hints();
  const leads = game.positions.map((one, at) => (told ? southLead(one, knowledge.estimate(state, at)) : null));
  const turns = game.positions.slice(1).map(({ turn }) => turn);
  const reviewed = turns.map((_, index) => (told ? knowledge.reviewedMove(state, index + 1) : undefined));
  const losses = turns.map((turn, index) => moveList.lossOf(turn, reviewed[index], leads[index], leads[index + 1]));
  graph.show(game, ply, leads, losses.map((loss) => loss?.mark ?? null));
  const incomplete = leads.includes(null) ? text.graph.empty : "";
  element("graph-note").textContent = told ? incomplete : text.graph.hidden;
  showMoves(turns, losses, reviewed);
  reviewCard.show(told);
  showCopyButton("share", text.page.copyLink);
}

/** Shows the moves of the game with its variations. */
function showMoves(turns, losses, reviewed) {
  const { knowledge, tree } = state;
  const told = hints();
  const shown = tree.path(state.moves);
  const factsOf = (node, path, { number, sign }) => {
    const { length: ply } = path;
    const index = ply - 1;
    if (shown[index] === node) {
      const { turning } = reviewed[index] ?? {};
      return moveList.factsOf(turns[index], number, { loss: losses[index], turning, current: ply === state.ply, sign });
    }
    const move = { letter: node.letter, captured: node.captured ?? 0 };
    const known = told ? knowledge.reviewedMove({ ...state, moves: path }, ply) : undefined;
    const facts = moveList.factsOf(move, number, { loss: known?.loss > 0 ? known : null, turning: known?.turning, sign });
    return { ...facts, aside: true };
  };
  showTree(element("moves"), tree, factsOf);
  const inVariation = tree.branches(shownMoves()).length > 0;
  for (const id of ["promote", "remove"]) element(id).setAttribute("aria-disabled", String(!inVariation));
  element("variations").hidden = !tree.hasVariations();
}

// The list of all moves: the main line, and each variation as a list of its own after the move that it
// replaces, with comments and the marks of a review

/** What to show of nodes, the first of a line, as entries: `move`, `comment` or `line`.
 * `counted` has the number of the move before and its player, and whose moves are counted. */
function entriesOf(first, path, counted, factsOf) {
  const entries = first.before.map((remark) => commentOf(remark)).filter(Boolean);
  let { number, before } = counted;
  for (let node = first; node; node = node.children[0]) {
    const start = { number, before };
    const player = moveList.playerOf(node.letter);
    const counts = before === null || (player === counted.first && before !== player);
    if (counts) number += 1;
    path += node.letter;
    const told = counts || node === first;
    const shown = told ? `${number}.${player === counted.first ? "" : ".."}` : "";
    entries.push({ type: "move", path, player, number: shown, ...factsOf(node, path, { number, sign: signOf(node) }) });
    before = player;
    for (const remark of node.remarks) {
      const comment = commentOf(remark);
      if (comment) entries.push(comment);
      if (remark.variation) {
        const inside = entriesOf(remark.variation, path.slice(0, -1), { ...counted, ...start }, factsOf);
        entries.push({ type: "line", label: text.game.variation(number, node.letter), entries: inside });
      }
    }
  }
  return entries;
}

/** A comment, or a variation that cannot be played, as an entry. */
function commentOf({ comment, text: words }) {
  const told = (comment ?? words ?? "").trim();
  return told === "" ? null : { type: "comment", told };
}

/** The signs that numbers stand for in texts. */
const NUMBERED = { $1: "!", $2: "?", $3: "!!", $4: "??", $5: "!?", $6: "?!" };

/** The signs of the text about a move. */
function signOf({ remarks }) {
  return remarks.filter(({ sign }) => sign).map(({ sign }) => NUMBERED[sign] ?? sign).join(" ");
}

const makers = {
  move: moveList.makeItem,
  comment() {
    const item = document.createElement("li");
    item.className = "comment";
    return item;
  },
  line() {
    const item = document.createElement("li");
    item.className = "line";
    item.append(document.createElement("ol"));
    return item;
  },
};

const fillers = {
  move: (item, move) => {
    moveList.showItem(item, { ...move, does: { action: "path", path: move.path } }, move.number);
  },
  comment: (item, { told }) => { item.textContent = told; },
  line: (item, { label, entries }) => {
    item.firstChild.setAttribute("aria-label", label);
    fill(item.firstChild, entries);
  },
};

/** Fills a list. The elements are updated in place, so that they keep the focus. */
function fill(list, entries) {
  while (list.children.length > entries.length) list.lastElementChild.remove();
  entries.forEach((entry, index) => {
    let item = list.children[index];
    if (item?.dataset.type !== entry.type) {
      const made = makers[entry.type]();
      made.dataset.type = entry.type;
      if (item) item.replaceWith(made);
      else list.append(made);
      item = made;
    }
    fillers[entry.type](item, entry);
  });
}

/** Shows a tree; `factsOf(node, path, { number, sign })` returns what to show of a move, with its number
 * and the sign of the text. */
function showTree(list, { root }, factsOf) {
  const [first] = root.children;
  const counted = { number: 0, before: null, first: first && moveList.playerOf(first.letter) };
  const opening = root.remarks.map(commentOf).filter(Boolean);
  fill(list, first ? [...opening, ...entriesOf(first, "", counted, factsOf)] : opening);
  moveList.scrollToCurrent(list);
}
