// What stays in this browser under a name. Without storage it lasts until the page is closed.

/** The value that is stored under a name; null if there is none. */
export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    // No storage, or not ours.
    return null;
  }
}

/** The list that is stored under a name. */
export function readList(name) {
  const found = read(name);
  return Array.isArray(found) ? found : [];
}

export function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // There is no storage, or it is full.
  }
}
