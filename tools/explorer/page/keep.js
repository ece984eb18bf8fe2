// Keeps the files of the page, and serves them when there is no network. The build writes the names
// of the files and their digest into this script. So if the page changes, the script changes too,
// and the browser keeps the new files.

const ROOT = new URL("./", location.href).pathname;
/** The beginning of the names of this page's caches. The caches of its origin may belong to other pages, too. */
const OURS = `grundy ${ROOT} `;
const NAME = `${OURS}DIGEST`;
const FILES = ["FILES"];

/** The types of a page do not include those of a service worker. @type {any} */
const worker = self;

worker.addEventListener("install", (/** @type {any} */ event) => {
    // Fetch all files from the server, because the browser's own cache may mix old and new files.
    const asked = FILES.map((file) => new Request(file, { cache: "reload" }));
    // An open page continues with the files of its own version: a new version waits until no page is open.
    event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(asked)));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
    const isOld = (/** @type {string} */ name) => name.startsWith(OURS) && name !== NAME;
    event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
        .then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const url = new URL(event.request.url);
    const file = url.pathname === ROOT ? "index.html" : url.pathname.slice(ROOT.length);
    if (event.request.method !== "GET" || url.origin !== location.origin || !FILES.includes(file)) return;
    event.respondWith(caches.open(NAME).then(async (cache) => {
        return await cache.match(file) ?? fetch(event.request);
    }));
});
