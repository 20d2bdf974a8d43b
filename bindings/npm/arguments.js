// What callers give, checked before it reaches a module or another thread.

import { KrouError } from "./library/error.js";

/** A board or position as text. */
export function notation(board) {
  if (typeof board === "string") return board;
  if (typeof board?.[Symbol.iterator] !== "function") {
    throw new KrouError("board", { error: "a board must be text or twelve numbers" });
  }
  const pits = Array.from(board);
  if (!pits.every(Number.isInteger)) {
    throw new KrouError("board", { error: "the pits of a board must be whole numbers" });
  }
  return pits.join(" ");
}

/** Boards as texts. */
export function notations(boards) {
  if (typeof boards !== "string" && typeof boards?.[Symbol.iterator] === "function") return Array.from(boards, notation);
  throw new KrouError("parameter", { error: "boards must be a list of boards" });
}

/** Files of tables as bytes. */
export function fileBytes(tables) {
  return Array.from(tables, (file) => {
    if (file instanceof Uint8Array) return file;
    if (file instanceof ArrayBuffer) return new Uint8Array(file);
    throw new KrouError("parameter", { error: "each table must be the bytes of a file: a Uint8Array" });
  });
}

/** Folders as paths. */
export function folderPaths(folders) {
  return [folders].flat().map((folder) => {
    if (typeof folder === "string") return folder;
    throw new KrouError("parameter", { error: "each folder must be a path: a text" });
  });
}

/** Checks the number of seeds of a build. */
export function checkSeeds(seeds, most) {
  if (Number.isInteger(seeds) && seeds >= 0 && seeds <= most) return;
  throw new KrouError("parameter", { error: `cannot build ${seeds} seeds: give a whole number from 0 to ${most}` });
}
