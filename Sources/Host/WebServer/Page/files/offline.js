// A worker that stores the page's own files, so that it opens while the host is away, and receives
// files that other programs of the device share with it.
const STORE = "page-1";
const SHARED = "shared-1";

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

// Keeps shared files until the page takes them.
async function take(request) {
  const files = (await request.formData()).getAll("files");
  const store = await caches.open(SHARED);
  for (const [index, file] of files.entries()) {
    const headers = { "Content-Type": file.type, "X-Name": encodeURIComponent(file.name) };
    await store.put(`/shared/${Date.now()}-${index}`, new Response(file, { headers }));
  }
  return Response.redirect("/#scan/shared", 303);
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keepAll());
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || pathname.startsWith("/api/")) return;
  if (request.method === "POST" && pathname === "/share") event.respondWith(take(request));
  else if (request.method === "GET" && /^\/$|\.(js|css|json|svg|png|webmanifest)$/.test(pathname)) {
    event.respondWith(answer(request));
  }
});
