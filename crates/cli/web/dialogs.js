// The dialogs: help, the link where the page may not copy, and games as text.

import * as api from "./api.js";
import * as rulesets from "./rulesets.js";
import { errorSentence, text } from "./texts.js";

const element = (id) => document.getElementById(id);
/** The server takes no longer text. */
const MAX_BYTES = 64 * 1024;

function paragraph(name, content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

/** A text with keys in brackets as nodes. */
function withKeys(line) {
  return line.split(/[[\]]/).map((part, index) => (index % 2 === 0 ? part : paragraph("kbd", [part])));
}

function translateHelp() {
  element("help-play").replaceChildren(...text.help.play.map((line) => paragraph("li", [line])));
  element("help-values").replaceChildren(...text.help.values.map((line) => paragraph("li", [line])));
  element("help-keys").replaceChildren(...text.help.keys.map(([keys, action]) => {
    const head = paragraph("th", withKeys(keys));
    head.scope = "row";
    return paragraph("tr", [head, paragraph("td", [action])]);
  }));
  rulesets.describe(element("help-rulesets"));
}

/** Shows help from its beginning. */
export function showHelp() {
  translateHelp();
  element("help-dialog").showModal();
}

/** Copies a text; returns whether the browser allowed it. */
export async function copy(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
}

/** Shows a link, selected. */
export function showLink(address = location.href) {
  element("link").value = address;
  element("link-dialog").showModal();
  element("link").select();
}

function showError(sentence) {
  element("files-error").textContent = sentence;
  element("files-error").hidden = sentence === "";
}

export class Files {
  /** Calls `onLoad` with the game of a text. */
  constructor(onLoad) {
    this.onLoad = onLoad;
    this.game = null;
    element("ogn-load").addEventListener("click", () => this.load());
    element("ogn-open").addEventListener("click", () => element("ogn-file").click());
    element("ogn-file").addEventListener("change", () => this.open());
    element("ogn-download").addEventListener("click", () => this.download());
    element("ogn-copy").addEventListener("click", async () => {
      if (!(await copy(element("ogn").value))) element("ogn").select();
    });
  }

  /** Shows a game as text, with its names and remarks. */
  async show(game) {
    this.game = game;
    showError("");
    element("ogn").value = text.files.asking;
    element("files-dialog").showModal();
    try {
      element("ogn").value = await api.record(game);
    } catch (error) {
      element("ogn").value = "";
      showError(errorSentence(error));
    }
  }

  /** Loads the game of the text. */
  async load() {
    const record = element("ogn").value;
    if (new TextEncoder().encode(record).length > MAX_BYTES) return showError(text.files.tooLarge);
    try {
      const game = await api.readRecord(record, this.game.rules);
      element("files-dialog").close();
      return this.onLoad(game);
    } catch (error) {
      return showError(["parameter", "move"].includes(error.code) ? text.error.ogn(error.details) : errorSentence(error));
    }
  }

  /** Reads a file into the text, and loads it. */
  async open() {
    const [file] = element("ogn-file").files;
    element("ogn-file").value = "";
    if (!file) return undefined;
    if (file.size > MAX_BYTES) return showError(text.files.tooLarge);
    try {
      element("ogn").value = await file.text();
    } catch {
      return showError(text.files.unreadable);
    }
    return this.load();
  }

  /** Saves the text as a file. */
  download() {
    const address = URL.createObjectURL(new Blob([element("ogn").value], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = "game.ogn";
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}

/** Listens to the controls of the dialogs. */
export function listen() {
  for (const dialog of document.querySelectorAll("dialog")) {
    // A click beside a dialog closes it.
    dialog.addEventListener("click", (event) => {
      const { left, right, top, bottom } = dialog.getBoundingClientRect();
      const inside = left <= event.clientX && event.clientX <= right && top <= event.clientY && event.clientY <= bottom;
      if (event.target === dialog && !inside) dialog.close();
    });
  }
}
