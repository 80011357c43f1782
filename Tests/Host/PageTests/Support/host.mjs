// A stand-in for the host: answers by request, and a list of what was asked.
import { readFileSync } from "node:fs";
import { sources } from "./browser.mjs";

export const PAGE = new URL("../../../../Sources/Host/WebPage/files/", import.meta.url);

// A problem that the host reports.
export class Refused {
  constructor(code, detail, status = 422) {
    Object.assign(this, { code, detail, status });
  }
}

const answer = (status, text, headers = {}) => ({
  ok: status < 400,
  status,
  statusText: String(status),
  headers: { get: (name) => headers[name] ?? null },
  text: async () => text,
  json: async () => JSON.parse(text),
  blob: async () => new Blob([text]),
  arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  clone: () => answer(status, text, headers),
});

export const host = {
  isAway: false,
  // Each request as [method and path, body, headers], the first first.
  asked: [],
  answers: new Map(),

  // Sets the answer to a request such as "GET jobs": a value, or a function of the body and the
  // parts of the path that match a star. The latest answer counts.
  on(request, value) {
    this.answers.delete(request);
    this.answers.set(request, value);
    return this;
  },

  // Forgets answers and requests.
  reset() {
    this.isAway = false;
    this.asked = [];
    this.answers = new Map();
  },

  // The bodies of the requests like that one.
  bodies(request) {
    return this.asked.filter(([one]) => one === request).map(([, body]) => body);
  },

  // The number of requests like that one.
  count(request) {
    return this.bodies(request).length;
  },

  find(request) {
    if (this.answers.has(request)) return [this.answers.get(request), []];
    for (const [pattern, value] of [...this.answers].reverse()) {
      const parts = pattern.split("*").map((part) => part.replace(/[.?()[\]+^$|\\]/g, "\\$&"));
      const found = parts.length > 1 && request.match(new RegExp(`^${parts.join("(.*)")}$`));
      if (found) return [value, found.slice(1)];
    }
    return [new Refused("no-such-address", `the test has no answer to ${request}`, 404), []];
  },
};

globalThis.fetch = async (address, { method = "GET", body, headers = {} } = {}) => {
  const text = String(address);
  if (text.startsWith("file:")) return answer(200, readFileSync(new URL(text), "utf8"));
  if (host.isAway) throw new TypeError("the connection failed");
  const request = `${method} ${text.replace(/^\/api\/v1\//, "")}`;
  const value = typeof body === "string" ? JSON.parse(body) : body;
  host.asked.push([request, value, headers]);
  const [known, stars] = host.find(request);
  const told = typeof known === "function" ? await known(value, ...stars) : known;
  if (told instanceof Refused) {
    return answer(told.status, JSON.stringify({ code: told.code, detail: told.detail }));
  }
  if (told?.file !== undefined) return answer(200, told.file, told.headers);
  return answer(200, told === undefined ? "" : JSON.stringify(told));
};

// The stream of the host's events that was opened last.
export const newestStream = () => sources.at(-1);
