// The host's API: requests, and events that go on after the host was away.
import { problemWords, say } from "./words.js";

// What is thrown: `nodes` is what to show, `code` what sort of problem it is, as the host calls it.
export class Refusal extends Error {
  constructor({ code, detail }, status) {
    super(detail ?? status);
    this.code = code;
  }
  get nodes() { return problemWords(this); }
}

export async function ask(path, { method = "GET", body } = {}) {
  let answer;
  try {
    answer = await fetch("/api/v1/" + path, {
      method, headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body, undefined, 2), // A profile is kept as it is sent, and edited by hand.
    });
  } catch {
    throw new Error(say("away"));
  }
  const text = await answer.text();
  const value = text ? JSON.parse(text) : undefined;
  if (!answer.ok) throw new Refusal(value ?? {}, answer.statusText);
  return value;
}

// Sends a file as it is; its name for a job's order.
export async function send(file) {
  const answer = await fetch("/api/v1/uploads", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
  const value = await answer.json();
  if (!answer.ok) throw new Refusal(value, answer.statusText);
  return value.id;
}

const hearers = new Set();

// Calls `hear(name, value)` for what happens, until the result is called.
export function hear(hearer) {
  hearers.add(hearer);
  return () => hearers.delete(hearer);
}

// Listens for as long as the page is open; the browser comes back by itself, with the number of the last event.
export function listen(onLink) {
  const source = new EventSource("/api/v1/events");
  source.onopen = () => onLink(true);
  source.onerror = () => onLink(false);
  for (const name of ["job", "page", "preview", "device", "outbox", "reset"])
    source.addEventListener(name, (event) => { for (const hearer of hearers) hearer(name, JSON.parse(event.data)); });
}
