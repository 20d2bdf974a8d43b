// Copying links: a button says for a moment that it was done. Where the browser does not allow it,
// the link is shown.

import { element } from "./dom.js";
import { announce } from "./notice.js";
import { state, update } from "./state.js";
import { text } from "./texts.js";

/** How long the button says that the link was copied, in milliseconds. */
const COPIED_TIME = 1500;

/** Copies a text; returns whether the browser allowed it. */
export async function copy(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
}

/** Copies the link to an address of the page, for the button of this id. */
export async function copyLink(address, button) {
  const { href } = new URL(address, location.href);
  if (!(await copy(href))) {
    element("link").value = href;
    element("link-dialog").showModal();
    element("link").select();
    return;
  }
  const copied = { button };
  update({ copied });
  announce(text.page.copied);
  setTimeout(() => state.copied === copied && update({ copied: null }), COPIED_TIME);
}

/** Shows the text of a button that copies a link. */
export function showCopyButton(button, label) {
  element(button).textContent = state.copied?.button === button ? text.page.copied : label;
}
