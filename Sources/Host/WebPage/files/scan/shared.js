// Files that other programs of this device share with the page. The worker stores them (see
// offline.js), and they wait in the browser until someone presses a button.
//
// An entry's address has the key of its share, which begins with the time, and what is known of the
// file. The files of a share are shown once the host has said that the browser itself began it.
const STORE = "shared-2";
// The store of a version that took files from everyone.
const OLD_STORE = "shared-1";
export const LIMITS = { files: 50, bytes: 200_000_000, age: 24 * 60 * 60 * 1000 };

// True for a navigation that is certainly by a page of another site. One without these marks may
// be, too: a page can hide where it comes from, for instance behind a `data:` address.
export function isForeign({ headers, referrer }, origin) {
  const from = headers.get("Origin") ?? "null";
  const isOther = (address) => new URL(address).origin !== origin;
  return (from !== "null" && isOther(from)) || (/^https?:/.test(referrer) && isOther(referrer));
}

// True if a page hides where it comes from, which a browser does not do by itself.
const isHidden = ({ referrerPolicy }) => ["no-referrer", "same-origin"].includes(referrerPolicy);

// True for the request of a browser to which another program gave files, as far as it shows that.
export const isShare = (request) =>
  request.method === "POST" && new URL(request.url).pathname === "/share" &&
  !(request.mode === "navigate" && isHidden(request));

// What a store's entries say, the oldest first.
async function entries(store) {
  const all = await store.keys();
  return all.map((request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, , key, what] = pathname.split("/");
    return {
      request,
      key,
      what,
      time: Number.parseInt(key, 10),
      name: searchParams.get("name"),
      size: Number(searchParams.get("size")),
    };
  });
}

const isFile = ({ what }) => what === "file";

const bytesOf = (files) => files.reduce((sum, { size }) => sum + size, 0);

// The first files that fit into the limits beside others.
function fitting(files, others) {
  let bytes = bytesOf(others);
  return files.filter(({ size }) => bytes + size <= LIMITS.bytes && ((bytes += size), true))
    .slice(0, LIMITS.files - others.length);
}

// Removes the entries that are too old, or from a time that has not come yet.
export async function forget(now = Date.now()) {
  await caches.delete(OLD_STORE);
  const store = await caches.open(STORE);
  const old = (await entries(store)).filter(({ time }) => !(Math.abs(now - time) < LIMITS.age));
  for (const { request } of old) await store.delete(request);
}

// The end of the last share that was stored: one is stored after the other, for the limits.
let stored = Promise.resolve();

// Stores the files that fit, and returns the key of the share. They replace those of a share that
// was never confirmed, and none that the user has seen.
export function keep(files, now = Date.now()) {
  const key = stored.then(() => storeShare(files, now));
  stored = key.catch(() => {});
  return key;
}

async function storeShare(files, now) {
  await forget(now);
  const store = await caches.open(STORE);
  const seen = await confirmed(store);
  for (const { request } of await entries(store)) {
    if (!seen.some((one) => one.request.url === request.url)) await store.delete(request);
  }
  const kept = fitting(files, seen.filter(isFile));
  const key = `${now}-${crypto.randomUUID()}`;
  const put = (what, values, body) =>
    store.put(`/shared/${key}/${what}?${new URLSearchParams(values)}`, new Response(body));
  for (const [index, { name, size, type }] of kept.entries()) {
    await put("file", { index, name, size, type }, kept[index]);
  }
  const left = files.length - kept.length;
  if (left) await put("left", { size: left }, "");
  return key;
}

// Lets the files of a share be shown.
export async function confirm(key) {
  // A browser has no store where pages are not secure.
  if (!globalThis.caches) return;
  const store = await caches.open(STORE);
  const isThere = (await entries(store)).some((one) => one.key === key);
  if (isThere) await store.put(`/shared/${key}/confirmed`, new Response(""));
}

// The entries of the shares that may be shown.
async function confirmed(store) {
  const all = await entries(store);
  const keys = new Set(all.filter(({ what }) => what === "confirmed").map(({ key }) => key));
  return all.filter(({ key }) => keys.has(key));
}

// The names of the files that wait, and the number of those that did not fit.
export async function waiting(now = Date.now()) {
  if (!globalThis.caches) return { names: [], left: 0 };
  await forget(now);
  const all = await confirmed(await caches.open(STORE));
  const left = all.filter(({ what }) => what === "left").reduce((sum, { size }) => sum + size, 0);
  return { names: all.filter(isFile).map(({ name }) => name), left };
}

// The files that wait, which stay.
export async function waitingFiles() {
  const store = await caches.open(STORE);
  const files = [];
  for (const { request, name } of (await confirmed(store)).filter(isFile)) {
    const type = new URL(request.url).searchParams.get("type");
    files.push(new File([await (await store.match(request)).blob()], name, { type }));
  }
  return files;
}

// Removes what waits.
export async function drop() {
  const store = await caches.open(STORE);
  for (const { request } of await confirmed(store)) await store.delete(request);
}
