// Games as text: the dialog that saves and loads them.

import * as api from "./api.js";
import { copy } from "./dialogs.js";
import { element, setText } from "./dom.js";
import * as games from "./games.js";
import { load } from "./going.js";
import { nameOf, readMatch } from "./opponents.js";
import * as review from "./review.js";
import { state, update } from "./state.js";
import { errorSentence, text } from "./texts.js";

/** The server takes no longer text. */
const MAX_BYTES = 64 * 1024;

/** Tells an error of the text as a sentence, or none. */
function tellError(error) {
  update({ record: { ...state.record, error } });
}

/** Shows the error of the text. */
export function showError() {
  const error = state.record?.error ?? "";
  setText("files-error", error);
  element("files-error").hidden = error === "";
}

/** Shows the game as text, with its names and remarks, and with what a review of the line that
 * is shown says. */
export async function show() {
  if (!state.game) return;
  const { moves, rules, tree } = state;
  const shown = tree.path(moves);
  const game = tree.written((node) => {
    const ply = shown.indexOf(node) + 1;
    return ply > 0 ? review.remarksAt(ply, node.remarks) : [];
  });
  const { asking } = text.files;
  update({ record: { rules, error: "" } });
  element("ogn").value = asking;
  element("files-dialog").showModal();
  // What the user has written meanwhile stays.
  const write = (words) => { if (element("ogn").value === asking) element("ogn").value = words; };
  try {
    write(await api.record(game));
  } catch (error) {
    write("");
    tellError(errorSentence(error));
  }
}

/** The position that a text of one line is, in place of a game; null if it is none. */
async function startOf(record) {
  const line = record.trim();
  if (line.includes("\n") || line === "") return null;
  const read = await api.game({ rules: state.record.rules, start: line, moves: "" }).catch(() => null);
  return read && read.start;
}

/** Loads the game of the text, or a position, with its names, comments and variations. */
export async function loadText() {
  const record = element("ogn").value;
  if (new TextEncoder().encode(record).length > MAX_BYTES) return tellError(text.files.tooLarge);
  tellError("");
  let game;
  try {
    game = await api.readRecord(record, state.record.rules);
  } catch (error) {
    const start = await startOf(record);
    if (!start) return tellError(["parameter", "move"].includes(error.code) ? text.error.ogn(error.details) : errorSentence(error));
    game = { rules: state.record.rules, start, moves: "" };
  }
  element("files-dialog").close();
  games.begin(game);
  const { rules, start, moves } = game;
  return load({ rules, start, moves, ply: moves.length }, { push: true });
}

export const chooseFile = () => element("ogn-file").click();

/** Reads the chosen file into the text, and loads it. */
export async function openFile() {
  const [file] = element("ogn-file").files;
  element("ogn-file").value = "";
  if (!file) return undefined;
  if (file.size > MAX_BYTES) return tellError(text.files.tooLarge);
  try {
    element("ogn").value = await file.text();
  } catch {
    return tellError(text.files.unreadable);
  }
  return loadText();
}

/** Saves a text as a file. */
function save(words) {
  const address = URL.createObjectURL(new Blob([words], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "game.ogn";
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export const download = () => save(element("ogn").value);

/** Saves a kept game as a file, with the names of both players. */
export async function saveGame({ rules, start, moves, query }) {
  const { side, opponent } = readMatch(query);
  const players = side === "south" ? ["South", "North"] : ["North", "South"];
  const names = opponent === "none" ? [] : [text.kept.you, nameOf(readMatch(query))];
  const tags = Object.fromEntries(names.map((name, index) => [players[index], name]));
  const date = new Date(Number(query.game)).toISOString().slice(0, 10).replaceAll("-", ".");
  save(await api.record({ rules, start, moves, tags: { ...tags, Date: date }, remarks: [] }));
}

export async function copyText() {
  if (!(await copy(element("ogn").value))) element("ogn").select();
}
