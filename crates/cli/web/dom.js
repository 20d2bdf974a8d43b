// Elements of the page by their ids.

export const element = (id) => document.getElementById(id);

/** Writes the text of an element, unless it has it: screen readers would say it again. */
export function setText(id, words) {
  if (element(id).textContent !== words) element(id).textContent = words;
}
