// Files that other programs of the device shared with the page (see offline.js).
const STORE = "shared-1";

// The files, which are removed from the store.
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
