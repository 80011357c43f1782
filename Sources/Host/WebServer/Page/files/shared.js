// Files that other programs of the device have shared with the page (see offline.js).
const STORE = "shared-1";

// The files, which are there once.
export async function sharedFiles() {
  if (!globalThis.caches) return [];
  const store = await caches.open(STORE);
  const files = [];
  for (const request of await store.keys()) {
    const answer = await store.match(request);
    const name = decodeURIComponent(answer.headers.get("X-Name") ?? "shared");
    files.push(new File([await answer.blob()], name));
    await store.delete(request);
  }
  return files;
}
