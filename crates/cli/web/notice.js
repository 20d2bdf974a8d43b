// A message above the page, which moves nothing: an error or a hint, with a button to act
// on it and one to close it.

const element = (id) => document.getElementById(id);

/** How long a slip of the user is told, in milliseconds. */
const SLIP_TIME = 6000;

let act = null;
let visible = false;
let timer = null;

/** Shows a message until the next success, or until it is closed. `action` is a button:
 * its `label`, and what it runs. A `slip` of the user is told calmly and for a while. */
export function show(sentence, { label, run, calm = false, slip = false } = {}) {
  clearTimeout(timer);
  visible = true;
  act = run ?? null;
  element("error").textContent = sentence;
  element("notice-action").hidden = !label;
  element("notice-action").textContent = label ?? "";
  element("notice").classList.toggle("calm", calm || slip);
  element("notice").hidden = false;
  if (slip && !label) timer = setTimeout(hide, SLIP_TIME);
}

export function hide() {
  visible = false;
  act = null;
  element("notice").hidden = true;
  element("error").textContent = "";
}

/** Whether a message is shown. */
export function shown() {
  return visible;
}

/** Whether this sentence is shown. */
export function shows(sentence) {
  return visible && element("error").textContent === sentence;
}

export function listen() {
  element("notice-close").addEventListener("click", hide);
  element("notice-action").addEventListener("click", () => {
    const run = act;
    hide();
    run?.();
  });
}
