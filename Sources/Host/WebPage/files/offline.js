// A worker that stores the page's own files, so that it opens while the host is away, and receives
// files that other programs of the device share with it.
import { confirm, forget, isForeign, isShare, keep } from "./scan/shared.js";

const STORE = "page-1";

// The paths of other files that appear in a file of the page.
function named(path, text) {
  const pattern = path.endsWith(".js")
    ? /(?:from|import) "(\.[\w./-]+\.js)"/g
    : /(?:href|src)="([\w/-]+\.\w+)"/g;
  const here = new URL(path, location.origin);
  return [...text.matchAll(pattern)].map((match) => new URL(match[1], here).pathname);
}

// Stores the page and every file that it names, one after another.
async function keepAll() {
  const store = await caches.open(STORE);
  const paths = ["/", "/shell/streams.js", "/words/words-en.json"];
  // The list grows during the loop.
  for (const path of paths) {
    const answer = await fetch(path, { cache: "no-cache" });
    if (!answer.ok) continue;
    await store.put(path, answer.clone());
    if (!/\/$|\.js$/.test(path)) continue;
    for (const one of named(path, await answer.text())) if (!paths.includes(one)) paths.push(one);
  }
}

// The host's answer, or the stored file while the host is away.
async function answer(request) {
  const store = await caches.open(STORE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await store.put(request, fresh.clone());
    return fresh;
  } catch (problem) {
    const kept = await store.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw problem;
  }
}

// Stores shared files. A browser tells only the host who began a navigation (`Sec-Fetch-Site`): the
// host leads from this address to the page, or refuses a form that another site sent.
async function take(request) {
  const files = (await request.formData()).getAll("files");
  const key = await keep(files.filter((file) => typeof file !== "string"));
  if (request.mode === "navigate") return Response.redirect(`/share/${key}`, 303);
  // Only this page's own scripts send anything else than a navigation through the worker.
  await confirm(key);
  return Response.redirect("/#scan/shared", 303);
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keepAll());
});
addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([clients.claim(), forget()]));
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || pathname.startsWith("/api/")) return;
  if (request.mode === "navigate" && isForeign(request, origin)) return;
  if (isShare(request)) event.respondWith(take(request));
  else if (request.method === "GET" && /^\/$|\.(js|css|json|svg|png|webmanifest)$/.test(pathname)) {
    event.respondWith(answer(request));
  }
});
