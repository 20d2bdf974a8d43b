// The message above the page, which moves nothing: an error or a hint, with a button to act on
// it and one to close it. And what is said to screen readers.

import { element } from "./dom.js";
import { KrouError } from "./library/error.js";
import { state, update } from "./state.js";
import { errorSentence, text } from "./texts.js";

/** How long a slip of the user is told, in milliseconds. */
const SLIP_TIME = 6000;
/** The errors after which the same request may succeed. */
const TEMPORARY = ["no-connection", "no-puzzles", "busy", "timeout", "failed", "internal"];

/** Tells a sentence until the next success, or until it is closed. It may have a button, with a
 * `label`, and the `call` of an action: its name and what it is given. A `slip` of the user is
 * told calmly and for a while; `place` is the pit or store that it was about. */
export function tell(sentence, { label = "", call = null, calm = false, slip = false, place = null } = {}) {
  const notice = { sentence, label, call, calm: calm || slip, place };
  update({ notice });
  if (slip && !label) setTimeout(() => state.notice === notice && hide(), SLIP_TIME);
}

export function hide() {
  update({ notice: null });
}

/** Tells an error. Where the same may succeed later, a button calls this action again. */
export function tellError(error, call) {
  if (!(error instanceof KrouError)) console.error(error);
  // The server may come back with other tables.
  if (error.code === "no-connection") state.knowledge.forgetTables();
  const again = TEMPORARY.includes(error.code);
  tell(errorSentence(error), again ? { label: text.page.tryAgain, call } : {});
}

/** Says a sentence to screen readers. */
export function announce(sentence) {
  update({ announced: { sentence } });
}

/** What is shown of both. Neither is said twice. */
let shown = { notice: null, announced: null };

/** Shows both; `shake` is called with a place that a new message is about. */
export function show(shake) {
  const { notice, announced } = state;
  if (notice !== shown.notice) {
    element("error").textContent = notice?.sentence ?? "";
    element("notice-action").hidden = !notice?.label;
    element("notice-action").textContent = notice?.label ?? "";
    element("notice").classList.toggle("calm", notice?.calm ?? false);
    element("notice").hidden = notice === null;
    if (notice && notice.place !== null) shake(notice.place);
  }
  if (announced !== shown.announced) element("live").textContent = announced.sentence;
  shown = { notice, announced };
}
