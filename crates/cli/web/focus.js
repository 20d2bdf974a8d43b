// Keeps the keyboard's place. A button that hides itself, or goes with its card, would leave the
// focus nowhere: it moves to what stands beside it, or to the board.

const FOCUSABLE = "button, a[href], input, select, textarea";
/** What takes the focus itself where nothing in it can. */
const CARD = ".card, .try";

/** The element that has the focus or had it last, with those around it, and the one before. */
let last = null;
let before = null;
let frame = null;

const isShown = (element) => element.isConnected && element.checkVisibility();

function around(element) {
  const found = [];
  for (let outer = element.parentElement; outer; outer = outer.parentElement) found.push(outer);
  return found;
}

/** Where the focus goes from an element that is gone. */
function placeFor({ element, outer }) {
  const group = outer.find((one) => one.matches(".tools"));
  const beside = group && [...group.querySelectorAll(FOCUSABLE)].find(isShown);
  if (beside) return beside;
  // A new game, a new position: the board is next. A message had come between.
  const leavesCard = outer.some((one) => one.matches("#setup, #result, .notice"));
  const card = leavesCard ? null : outer.find((one) => one.matches(CARD) && isShown(one));
  if (card) {
    card.tabIndex = -1;
    return card;
  }
  if (before && before !== element && isShown(before)) return before;
  return [...document.querySelectorAll(".pit.legal, .row.bottom .pit")].find(isShown);
}

/** Once all is shown, the focus is not lost. */
function repairLater() {
  frame ??= requestAnimationFrame(() => {
    frame = null;
    repair();
  });
}

function repair() {
  const { activeElement } = document;
  const lost = !activeElement || activeElement === document.body || !isShown(activeElement);
  if (!last || !lost || isShown(last.element)) return;
  const place = placeFor(last);
  last = null;
  place?.focus({ preventScroll: true });
}

export function listen() {
  document.addEventListener("focusin", ({ target }) => {
    if (last && !last.outer.some((one) => one.matches(".notice"))) before = last.element;
    last = { element: target, outer: around(target) };
  });
  document.addEventListener("focusout", ({ target }) => {
    // The user has left it for the page as a whole.
    if (isShown(target) && document.hasFocus()) queueMicrotask(() => {
      if (document.activeElement === document.body && isShown(target)) last = null;
    });
  });
  const options = { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "class", "data-view"] };
  new MutationObserver(repairLater).observe(document.documentElement, options);
}
