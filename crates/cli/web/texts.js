// The texts of the page in the chosen language. `text` is the dictionary; text-en.js and
// text-fr.js hold one each.

import en from "./text-en.js";
import fr from "./text-fr.js";
import { change, settings } from "./settings.js";

export const LANGUAGES = { en, fr };

/** The language of the settings, or else the first of the browser that is known. */
function preferred() {
  const wanted = [settings.language, ...navigator.languages.map((name) => name.split("-")[0])];
  return wanted.find((name) => Object.hasOwn(LANGUAGES, name)) ?? "en";
}

export let text = LANGUAGES[preferred()];

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
export function speak(code) {
  text = LANGUAGES[code];
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
