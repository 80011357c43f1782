// The host's API: requests, and events that continue after the connection was lost.
import { openStream } from "./stream.js";
import { problemWords, say } from "../words/words.js";

// A refused request: `nodes` is the message, `code` the host's name for the problem.
export class Refusal extends Error {
  constructor({ code, detail }, status) {
    super(detail ?? status);
    this.code = code;
  }
  get nodes() {
    return problemWords(this);
  }
}

// The answer to a request, also if it is a refusal.
export const reach = (address, order) =>
  fetch(address, order).catch(() => {
    throw new Error(say("away"));
  });

// The value in the answer to a request.
async function answerTo(path, order) {
  const answer = await reach("/api/v1/" + path, order);
  const text = await answer.text();
  const value = text ? JSON.parse(text) : undefined;
  if (!answer.ok) throw new Refusal(value ?? {}, answer.statusText);
  return value;
}

// `seen` is the version of the document to change; the host refuses to change another one.
export const ask = (path, { method = "GET", body, seen } = {}) =>
  answerTo(path, {
    method,
    headers: {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(seen && { "If-Match": `"${seen}"` }),
    },
    // A profile is saved exactly as sent, and people may edit it by hand.
    body: body === undefined ? undefined : JSON.stringify(body, undefined, 2),
  });

let waiting;

// Calls `work()` soon if a problem is that a backend has crashed: the next request restarts it.
export function askAgain(problems, work) {
  clearTimeout(waiting);
  if (problems.some(({ code }) => code === "crashed")) waiting = setTimeout(work, 2000);
}

// Sends a file unchanged, with its name; returns its id for a job's order.
export async function send(file) {
  const { id } = await answerTo("uploads?" + new URLSearchParams({ name: file.name }), {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  });
  return id;
}

const scopes = ["read", "scan", "admin"];
let scope = "admin";
// The session: whether the host needs a token, and the name of this browser's token.
export let session = {};

// Requests the rights of this browser's token. Elements that need more are hidden (`data-needs`);
// the host refuses their requests anyway.
export async function enter() {
  // A user who is not signed in yet sees the sign-in view.
  session = await ask("session").catch(() => ({}));
  scope = session.scope ?? "admin";
  document.body.dataset.scope = scope;
}

// True if the token of this browser has that scope, or a wider one.
export const may = (needed) => scopes.indexOf(scope) >= scopes.indexOf(needed);

const hearers = new Set();

// Calls `hear(name, value)` for each event, until the returned function is called.
export function hear(hearer) {
  hearers.add(hearer);
  return () => hearers.delete(hearer);
}

// Listens for as long as the page is open.
export function listen(onLink) {
  stream(
    "events",
    ["job", "page", "preview", "device", "shares", "outbox", "archive", "arrivals", "reset"],
    publish,
    onLink,
  );
}

// Calls all listeners.
export function publish(name, value) {
  for (const hearer of hearers) hearer(name, value);
}

// The worker that listens for all tabs; nothing where a browser has no such workers.
let worker;
const streams = new Set();

function sharedWorker() {
  if (worker !== undefined || !globalThis.SharedWorker) return worker;
  worker = new SharedWorker(new URL("./streams.js", import.meta.url), { type: "module" });
  worker.port.onmessage = ({ data }) => {
    for (const stream of streams) if (stream.path === data.path) stream.receive(data);
  };
  // Without the worker, each tab listens by itself.
  worker.onerror = () => {
    worker = null;
    for (const stream of streams) stream.openAlone();
  };
  addEventListener("pagehide", () => worker?.port.postMessage({ isGone: true }));
  addEventListener("pageshow", (event) => {
    if (event.persisted) for (const stream of streams) stream.join();
  });
  return worker;
}

// Gives events of the host to `take(name, value)`, until the returned function is called.
// `onLink(isThere, isAgain)` is called when the connection is lost or established, perhaps again.
export function stream(path, names, take, onLink) {
  let close = () => {
    if ([...streams].some((other) => other.path === path)) return;
    worker?.port.postMessage({ path });
  };
  const one = {
    path,
    receive({ event, link }) {
      if (link) onLink(link.isThere, link.isAgain);
      else take(event.name, event.value);
    },
    join: () => worker?.port.postMessage({ join: names, path }),
    openAlone() {
      close = openStream(path, names, { take, onLink });
    },
  };
  streams.add(one);
  sharedWorker() ? one.join() : one.openAlone();
  return () => {
    streams.delete(one);
    close();
  };
}
