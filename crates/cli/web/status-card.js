// The card with the player to move and the verdict on the position.

import { element } from "./dom.js";
import { text } from "./texts.js";

/** Shows whose turn it is, and a verdict with its title, kind and details. */
export function showStatus(turn, { title, kind = null, details = [] }) {
  element("status").textContent = turn;
  element("verdict").textContent = title;
  const tag = element("verdict-kind");
  tag.hidden = kind === null;
  tag.dataset.kind = kind ?? "";
  tag.textContent = kind ? text.verdict[kind] : "";
  tag.title = kind ? text.verdict[`${kind}Title`] : "";
  element("verdict-details").textContent = details.join(" ");
}

/** Shows South's share of the seeds at the end of the game; `lead` is South's final lead and
 * whether it is exact, or null. */
export function showBar(lead, total) {
  element("bar").hidden = lead === null;
  if (lead === null) return;
  element("bar").dataset.kind = lead.exact ? "exact" : "estimate";
  element("bar-south").style.width = `${(50 + (50 * lead.net) / total).toFixed(1)}%`;
}
