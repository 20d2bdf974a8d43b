// The card of the game: the graph, the list of moves with its variations, and the review.

import { showCopyButton } from "./copying.js";
import { element } from "./dom.js";
import { Graph } from "./graph.js";
import * as reviewCard from "./review-card.js";
import * as moveList from "./move-list.js";
import { showTree } from "./move-tree.js";
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
