// Editing the position that is shown: from its beginning to a new game with the edited board.

import * as api from "./api.js";
import * as dragging from "./dragging.js";
import * as notice from "./notice.js";

const element = (id) => document.getElementById(id);

export class Editing {
  /** `onFailure` is called with an error and a function to try again. */
  constructor(session, { board, editor, sowing }, onFailure) {
    Object.assign(this, { session, board, editor, sowing, onFailure });
    dragging.listen(board, (place) => editor.active && board.seedsAt(place) > 0, (from, to) => editor.drag(from, to));
    element("edit-done").addEventListener("click", () => this.toggle());
    element("edit-cancel").addEventListener("click", () => this.discard());
    element("editor").addEventListener("submit", (event) => {
      event.preventDefault();
      this.setNotation();
    });
  }

  /** Starts editing, or ends it: the draft becomes the start of a new game, unless nothing
   * was changed. */
  async toggle() {
    const { session, editor } = this;
    if (!session.game || session.state.view !== "analyse") return;
    if (!editor.active) {
      await session.arrived();
      session.leave();
      this.sowing.finish();
      notice.hide();
      editor.begin(session.position());
      return;
    }
    const start = editor.changed();
    if (start === null) this.discard();
    else session.go({ rules: session.state.rules, start, moves: "", ply: 0 }, { push: true });
  }

  discard() {
    this.editor.end();
    notice.hide();
    this.session.ask();
  }

  /** Says why an edit is not possible. */
  refuse(sentence, place) {
    notice.show(sentence, { slip: true });
    this.board.shake(place);
  }

  /** Takes over the notation of the field, once the server has read it. */
  async setNotation() {
    const start = element("notation").value.trim();
    try {
      const read = await api.game({ rules: this.session.state.rules, start, moves: "" });
      const [{ board, stores, to_move: toMove }] = read.positions;
      notice.hide();
      if (this.editor.active) this.editor.edit({ board, stores, to_move: toMove });
    } catch (error) {
      this.onFailure(error, () => this.setNotation());
    }
  }
}
