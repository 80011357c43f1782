// What this browser keeps for the next time; nothing where it may keep nothing.
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
