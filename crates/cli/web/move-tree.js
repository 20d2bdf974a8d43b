// The list of all moves of a game: the main line, and each variation as a list of its own
// after the move that it replaces, with comments and the marks of a review.

import * as moveList from "./move-list.js";
import { text } from "./texts.js";

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
export function showTree(list, { root }, factsOf) {
  const [first] = root.children;
  const counted = { number: 0, before: null, first: first && moveList.playerOf(first.letter) };
  const opening = root.remarks.map(commentOf).filter(Boolean);
  fill(list, first ? [...opening, ...entriesOf(first, "", counted, factsOf)] : opening);
  moveList.scrollToCurrent(list);
}
