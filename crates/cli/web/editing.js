// Editing the position that is shown: from its beginning to a new game with the edited board.

import * as api from "./api.js";
import { element } from "./dom.js";
import * as editor from "./editor.js";
import { arrived, ask, go } from "./going.js";
import * as notice from "./notice.js";
import { dropQuestions } from "./questions.js";
import { position, state, update } from "./state.js";

/** Starts editing, or ends it: the draft becomes the start of a new game, unless nothing
 * was changed. */
export async function toggle() {
  if (!state.game || state.view !== "analyse") return;
  if (!state.editing) {
    if (state.arriving) await arrived();
    dropQuestions();
    update({ editing: editor.begin(position()), step: null, notice: null });
    return;
  }
  const start = editor.changed();
  if (start === null) discard();
  else await go({ start, moves: "", ply: 0 }, { push: true });
}

export function discard() {
  update({ editing: null, notice: null });
  ask();
}

/** Takes over the notation of the field, once the answers have read it. */
export async function setNotation() {
  const start = element("notation").value.trim();
  const read = await api.game({ rules: state.rules, start, moves: "" });
  notice.hide();
  if (state.editing) editor.edit(editor.begin(read.positions[0]).draft);
}
