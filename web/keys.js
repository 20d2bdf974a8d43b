// Keyboard shortcuts, as listed in Help.

/** Whether the key belongs to a form field. */
function typing(target) {
  return target.closest?.("input, select, dialog") !== null;
}

/** Calls the action for a key; `main.js` defines the actions. */
export function listen(actions) {
  const keys = {
    ArrowLeft: actions.back,
    ArrowRight: actions.forward,
    Home: actions.first,
    End: actions.last,
    m: actions.best,
    h: actions.hints,
    n: actions.fresh,
    x: actions.edit,
    "?": actions.help,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target)) return;
    const pit = Math.max("abcdef".indexOf(event.key.toLowerCase()), "123456".indexOf(event.key));
    const focused = event.target.closest?.("[data-pit]");
    let action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (pit >= 0 && event.key.length === 1) action = () => actions.play(pit);
    if (focused && (event.key === "+" || event.key === "-")) {
      action = () => actions.change(Number(focused.dataset.pit), event.key === "+" ? 1 : -1);
    }
    if (!action) return;
    event.preventDefault();
    action();
  });
}
