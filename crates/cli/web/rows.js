// The keyboard in the rows of the board: one pit of each row is reached with Tab, and arrows lead
// from there to the others. Arrows go through the moves instead after a click.

/** Whether the focus moves by the keyboard. */
let byKeyboard = false;

const rowOf = (pit) => [...pit.closest(".row").querySelectorAll(".pit")];

/** Makes a pit the one of its row that Tab reaches. */
function reach(pit) {
  for (const one of rowOf(pit)) one.tabIndex = one === pit ? 0 : -1;
}

/** The pit that an arrow leads to, or undefined. */
function neighbour(pit, key) {
  const row = rowOf(pit);
  const at = row.indexOf(pit);
  if (key === "ArrowLeft") return row[at - 1];
  if (key === "ArrowRight") return row[at + 1];
  const other = document.querySelector(`.row.${key === "ArrowUp" ? "top" : "bottom"}`);
  return other.contains(pit) ? undefined : other.querySelectorAll(".pit")[at];
}

function onKey(event) {
  if (event.key === "Tab") byKeyboard = true;
  const pit = event.target.closest?.(".pit");
  if (!byKeyboard || !pit || !event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  neighbour(pit, event.key)?.focus();
}

/** Leads the keyboard to the board, past what stands before it. */
export function enter() {
  byKeyboard = true;
  document.querySelector(".row.bottom .pit[tabindex='0']").focus();
}

export function listen() {
  for (const row of document.querySelectorAll(".row")) reach(row.querySelector(".pit"));
  document.addEventListener("keydown", onKey, { capture: true });
  document.addEventListener("pointerdown", () => { byKeyboard = false; }, { capture: true });
  document.addEventListener("focusin", ({ target }) => target.matches(".pit") && reach(target));
}
