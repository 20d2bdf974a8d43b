// Dragging a seed from one place of the board to another, while it is edited.

import { drawPile, makePile } from "./board.js";

/** How far the pointer moves before it drags, in pixels. */
const LEAST = 8;

/** Listens to the board: `canDrag(place)` says whether a seed can be dragged from a place, and
 * `onDrag` is called with the two places. */
export function listen(board, canDrag, onDrag) {
  let drag = null;
  const placeAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]")?.dataset.place;

  const end = () => {
    drag?.seed?.remove();
    drag = null;
  };

  board.parent.addEventListener("pointerdown", (event) => {
    const place = placeAt(event);
    if (event.button === 0 && place !== undefined && canDrag(place)) drag = { from: place, x: event.clientX, y: event.clientY, seed: null };
  });
  addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.seed && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < LEAST) return;
    drag.seed ??= makeSeed(board);
    const { left, top } = board.parent.getBoundingClientRect();
    const size = board.size();
    drag.seed.style.transform = `translate(${event.clientX - left - size / 2}px, ${event.clientY - top - size / 2}px)`;
  });
  addEventListener("pointerup", (event) => {
    const to = placeAt(event);
    if (drag?.seed && to !== undefined && to !== drag.from) onDrag(drag.from, to);
    end();
  });
  addEventListener("pointercancel", end);
}

/** A seed that follows the pointer. */
function makeSeed(board) {
  const seed = document.createElement("div");
  const pile = makePile();
  seed.className = "flight";
  seed.style.width = `${board.size()}px`;
  drawPile(pile, 1, 0);
  seed.append(pile);
  board.flights.append(seed);
  return seed;
}
