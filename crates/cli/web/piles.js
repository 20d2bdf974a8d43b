// Draws piles of seeds.

const SVG = "http://www.w3.org/2000/svg";
/** The most seeds to draw; the count shows the rest. */
const MAX_DRAWN = 24;

/** An empty pile. */
export function makePile() {
  const pile = document.createElementNS(SVG, "svg");
  pile.setAttribute("viewBox", "-50 -50 100 100");
  pile.setAttribute("aria-hidden", "true");
  return pile;
}

/** Draws seeds around the centre, each turned by the golden angle; `turn` turns them all. */
export function drawPile(pile, seeds, turn) {
  const shown = Math.min(seeds, MAX_DRAWN);
  const spread = shown > 1 ? Math.min(15, 38 / Math.sqrt(shown)) : 0;
  const radius = Math.min(10.5, 45 / Math.sqrt(Math.max(shown, 1) + 4));
  const circles = [];
  for (let i = 0; i < shown; i++) {
    const angle = i * 2.39996 + turn;
    const distance = spread * Math.sqrt(i + 0.4);
    const circle = document.createElementNS(SVG, "circle");
    circle.setAttribute("cx", (distance * Math.cos(angle)).toFixed(1));
    circle.setAttribute("cy", (distance * Math.sin(angle)).toFixed(1));
    circle.setAttribute("r", radius.toFixed(1));
    circle.setAttribute("fill", "url(#seed)");
    circles.push(circle);
  }
  pile.replaceChildren(...circles);
}
