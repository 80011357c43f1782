// The host's API: requests, and events that continue after the connection was lost.
import { problemWords, say } from "./words.js";

// What is thrown: `nodes` is what to show, `code` what sort of problem it is, as the host calls it.
export class Refusal extends Error {
  constructor({ code, detail }, status) {
    super(detail ?? status);
    this.code = code;
  }
  get nodes() {
    return problemWords(this);
  }
}

export async function ask(path, { method = "GET", body } = {}) {
  let answer;
  try {
    answer = await fetch("/api/v1/" + path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      // A profile is saved as it is sent, and may be edited by hand.
      body: body === undefined ? undefined : JSON.stringify(body, undefined, 2),
    });
  } catch {
    throw new Error(say("away"));
  }
  const text = await answer.text();
  const value = text ? JSON.parse(text) : undefined;
  if (!answer.ok) throw new Refusal(value ?? {}, answer.statusText);
  return value;
}

// Sends a file as it is; returns its id for a job's order.
export async function send(file) {
  const answer = await fetch("/api/v1/uploads", {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  });
  const value = await answer.json();
  if (!answer.ok) throw new Refusal(value, answer.statusText);
  return value.id;
}

const scopes = ["read", "scan", "admin"];
let scope = "admin";

// Asks what the token of this browser may do. What needs more is hidden (`data-needs`), and refused
// by the host in any case.
export async function enter() {
  // A user who is not signed in yet sees the sign-in view.
  const session = await ask("session").catch(() => ({}));
  scope = session.scope ?? "admin";
  document.body.dataset.scope = scope;
}

// Whether the token of this browser has that scope, or a wider one.
export const may = (needed) => scopes.indexOf(scope) >= scopes.indexOf(needed);

const hearers = new Set();

// Calls `hear(name, value)` for each event, until the result is called.
export function hear(hearer) {
  hearers.add(hearer);
  return () => hearers.delete(hearer);
}

// Listens for as long as the page is open.
export function listen(onLink) {
  stream(
    "events",
    ["job", "page", "preview", "device", "shares", "outbox", "reset"],
    (name, value) => {
      for (const hearer of hearers) hearer(name, value);
    },
    onLink,
  );
}

// True when the host answers and needs a token first.
const isBarred = () => ask("aliases").then(() => false, (problem) => problem.code === "no-token");

// Gives events of the host to `take(name, value)`, until the result is called. `onLink(isThere,
// isAgain)` is called when the connection is lost or established, perhaps again.
//
// The browser reconnects on its own, with the number of the last event; but it gives up for good
// when the answer is anything but events, as from a host that is just ending or a proxy before it.
// Then this code reconnects, and what happened meanwhile is unknown; but not in the sign-in view,
// after which the page is reloaded.
export function stream(path, names, take, onLink) {
  const pause = 2000;
  let source;
  let timer;
  let wasCut = false;
  let isLeft = false;
  const open = (isAnew) => {
    source = new EventSource("/api/v1/" + path);
    source.onopen = () => {
      onLink(true, wasCut);
      wasCut = false;
      if (isAnew) take("reset", {});
      isAnew = false;
    };
    source.onerror = async () => {
      const isOver = source.readyState === EventSource.CLOSED;
      if (isOver && await isBarred() || isLeft) return;
      wasCut = true;
      onLink(false, false);
      if (isOver) timer = setTimeout(open, pause, true);
    };
    for (const name of names) {
      source.addEventListener(name, (event) => take(name, JSON.parse(event.data)));
    }
  };
  open(false);
  return () => {
    isLeft = true;
    clearTimeout(timer);
    source.close();
  };
}
