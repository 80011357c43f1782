// Values that this browser stores for the next time; undefined if it may store none.
export function recall(name, usual) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? usual;
  } catch {
    return usual;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch { /* A private window, or a full store: it is asked for again. */ }
}
