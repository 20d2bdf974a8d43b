
// Keeps the files of the page, so that it works offline after the first visit. The lines
// above, which `krou site` writes, list the files and name their version. A new version is
// fetched as a whole, and used once no page of the former one is open.

/** Sites below different paths of one origin share its caches. */
const PREFIX = `krou ${new URL(self.registration.scope).pathname} `;
const CACHE = PREFIX + VERSION;

self.addEventListener("install", (event) => {
  // What a browser has of a folder that is named after its content is never outdated.
  const requests = FILES.map((file) => new Request(file, { cache: file.startsWith("web-") ? "default" : "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => {
    const former = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    return Promise.all(former.map((name) => caches.delete(name)));
  }));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  event.respondWith(caches.open(CACHE).then(async (cache) => {
    // The address of the page holds the game in its query.
    const found = await cache.match(request, { ignoreSearch: true });
    return found ?? fetch(request);
  }));
});
