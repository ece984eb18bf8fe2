// Keeps the files of the page, and serves them when there is no network. The build writes the files and their digest
// here, so that a changed page is kept again.

const NAME = "DIGEST";
const FILES = ["FILES"];

/** The types of a page do not include those of a service worker. @type {any} */
const worker = self;

worker.addEventListener("install", (/** @type {any} */ event) => {
    event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
    event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name))))
        .then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const url = new URL(event.request.url);
    const root = new URL("./", location.href).pathname;
    const file = url.pathname === root ? "index.html" : url.pathname.slice(root.length);
    if (event.request.method !== "GET" || url.origin !== location.origin || !FILES.includes(file)) return;
    event.respondWith(caches.open(NAME).then(async (cache) => {
        return await cache.match(file) ?? fetch(event.request);
    }));
});
