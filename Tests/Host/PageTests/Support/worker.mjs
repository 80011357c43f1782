// A stand-in for what the page's worker uses: the stores of a browser, and the host's files.
import { readFileSync } from "node:fs";
import { host, PAGE } from "./host.mjs";
import { Happening } from "./elements.mjs";

// The stores by their names: each has the answers by their addresses.
export const stores = new Map();
const addressOf = (request) => new URL(request.url ?? request, location.origin).href;
globalThis.caches = {
  open: async (name) => {
    const kept = stores.get(name) ?? new Map();
    stores.set(name, kept);
    return {
      put: async (request, answer) => void kept.set(addressOf(request), answer),
      match: async (request, { ignoreSearch = false } = {}) => {
        const address = addressOf(request);
        return kept.get(ignoreSearch ? address.split("?")[0] : address)?.clone();
      },
      keys: async () => [...kept.keys()].map((url) => ({ url })),
      delete: async (request) => kept.delete(addressOf(request)),
    };
  },
  delete: async (name) => stores.delete(name),
};
globalThis.skipWaiting = () => {};
globalThis.clients = { claim: async () => {} };
// The real one takes only whole addresses here.
Response.redirect = (address, status) => ({ address, status });

// The worker asks the host for the page's files.
const ask = globalThis.fetch;
globalThis.fetch = async (request, more) => {
  if (typeof request === "string" && request.startsWith("/api/")) return ask(request, more);
  if (String(request).startsWith("file:")) return ask(request, more);
  if (host.isAway) throw new TypeError("the connection failed");
  const { pathname } = new URL(addressOf(request));
  try {
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    return new Response(readFileSync(new URL(name, PAGE)), { status: 200 });
  } catch {
    return new Response("", { status: 404 });
  }
};
await import("../../../../Sources/Host/WebPage/files/offline.js");

// Lets the worker work for an event, and waits for that.
export async function worked(name) {
  let done;
  dispatchEvent(new Happening(name, { waitUntil: (work) => (done = work) }));
  await done;
}

// What the worker answers to a request; nothing if it leaves that to the browser. A request is by
// the page itself, unless a test says otherwise.
export async function answered(path, { headers = {}, ...more } = {}) {
  const request = {
    url: new URL(path, location.origin).href,
    method: "GET",
    mode: "cors",
    referrer: "",
    referrerPolicy: "strict-origin-when-cross-origin",
    headers: new Headers(headers),
    ...more,
  };
  const event = new Happening("fetch", { request });
  event.respondWith = (answer) => (event.answer = answer);
  dispatchEvent(event);
  return event.answer;
}
