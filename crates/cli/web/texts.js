// The texts of the page in the chosen language. `text` is the dictionary; `text/` has a file for
// each language, and only that of the chosen one is loaded.

import { KrouError } from "./library/error.js";
import { change } from "./storage.js";

async function load(code) {
  const found = await import(`./text/${code}.js`).catch(() => null);
  if (!found) throw new KrouError("no-connection", {});
  return found.default;
}

// `first-paint.js` has chosen it.
export let text = await load(document.documentElement.lang);

/** A text by its path, such as `page.help`. */
function find(path) {
  return path.split(".").reduce((part, name) => part[name], text);
}

/** Writes the texts of elements that name one. */
export function translate() {
  document.documentElement.lang = text.code;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = find(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", find(element.dataset.label));
  }
  for (const element of document.querySelectorAll("[data-title]")) element.title = find(element.dataset.title);
}

/** Changes the language and remembers it. */
export async function speak(code) {
  text = await load(code);
  change({ language: code });
  translate();
}

/** A whole number with its sign, and a real minus sign. */
export function signed(number) {
  if (number === 0) return "0";
  return number > 0 ? `+${number}` : `−${-number}`;
}

/** An estimate with its sign and one decimal. */
export function signedDecimal(number) {
  const size = text.decimal(Math.abs(number));
  if (Number(Math.abs(number).toFixed(1)) === 0) return size;
  return number > 0 ? `+${size}` : `−${size}`;
}

/** A lead as text: an estimate has a decimal. */
export function leadText(lead, exact) {
  return exact ? signed(Math.round(lead)) : signedDecimal(lead);
}

/** A sentence about an error of the answers, or of the page. */
export function errorSentence(error) {
  if (error.code === undefined) return text.error.page({ error: error.message });
  const sentence = text.error[error.code] ?? text.error.failed;
  return sentence(error.details);
}
