// Elements of the page by their ids, and rows of tables.

export const element = (id) => document.getElementById(id);

/** Writes the text of an element, unless it has it: screen readers would say it again. */
export function setText(id, words) {
  if (element(id).textContent !== words) element(id).textContent = words;
}

/** A row of a table: a text, and its values. */
export function makeRow([label, values]) {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = label;
  row.append(head, ...values.map((value) => {
    const cell = document.createElement("td");
    cell.textContent = value;
    return cell;
  }));
  return row;
}
