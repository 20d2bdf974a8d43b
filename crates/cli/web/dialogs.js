// The dialogs: help, settings, and a link that could not be copied.

import { element } from "./dom.js";
import { announce } from "./notice.js";
import * as rulesets from "./rulesets.js";
import { state, update } from "./state.js";
import { change, LANGUAGES, settings } from "./storage.js";
import { speak, text } from "./texts.js";

/** How long the button says that the link was copied, in milliseconds. */
const COPIED_TIME = 1500;

// Help

function paragraph(name, content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

/** A text with keys in brackets as nodes. */
function withKeys(line) {
  return line.split(/[[\]]/).map((part, index) => (index % 2 === 0 ? part : paragraph("kbd", [part])));
}

/** Shows help from its beginning. */
export function showHelp() {
  element("help-play").replaceChildren(...text.help.play.map((line) => paragraph("li", [line])));
  element("help-values").replaceChildren(...text.help.values.map((line) => paragraph("li", [line])));
  element("help-keys").replaceChildren(...text.help.keys.map(([keys, action]) => {
    const head = paragraph("th", withKeys(keys));
    head.scope = "row";
    return paragraph("tr", [head, paragraph("td", [action])]);
  }));
  rulesets.describe(element("help-rulesets"));
  element("help-dialog").showModal();
}

// Settings

/** Shows the settings as they are. */
export function showSettings() {
  showChoices();
  element("settings-dialog").showModal();
}

/** Changes a setting, and remembers it. */
export function set(changes) {
  change(changes);
  update();
}

/** Changes the language. */
export async function setLanguage(code) {
  await speak(code);
  showChoices();
  update();
}

/** The name of a language in itself. */
function languageName(code) {
  const name = new Intl.DisplayNames(code, { type: "language" }).of(code);
  return name[0].toUpperCase() + name.slice(1);
}

function showChoices() {
  const languages = element("language");
  if (languages.options.length === 0) {
    languages.replaceChildren(...LANGUAGES.map((code) => new Option(languageName(code), code)));
  }
  languages.value = text.code;
  element("unrevised").hidden = text.revised;
  element("speed").value = settings.speed;
  element("preview-setting").checked = settings.preview;
  element("sound").checked = settings.sound;
  element("letter-keys").checked = settings.letterKeys;
}

// Links: a button says for a moment that one was copied. Where the browser does not allow it, the link
// is shown.

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

// All of them

/** A click beside a dialog closes it. */
export function closeBeside(event) {
  const dialog = event.target;
  if (dialog.localName !== "dialog") return;
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  const inside = left <= event.clientX && event.clientX <= right && top <= event.clientY && event.clientY <= bottom;
  if (!inside) dialog.close();
}
