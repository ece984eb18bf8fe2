// Keeps the files of the page, and serves them when there is no network. The build writes the names
// of the files and their digest into this script. So if the page changes, the script changes too,
// and the browser keeps the new files.

const ROOT = new URL("./", location.href).pathname;
/** The beginning of the names of this page's caches. The caches of its origin may belong to other pages, too. */
const OURS = `grundy ${ROOT} `;
const NAME = `${OURS}DIGEST`;
/** The files of the first game, and all files. */
const FIRST = ["FIRST"];
const FILES = ["FILES"];

/** The types of a page do not include those of a service worker. @type {any} */
const worker = self;

/** Keeps files. Fetches them from the server, because the browser's own cache may mix old and new files. @param {string[]} files */
async function keep(files) {
    const cache = await caches.open(NAME);
    const there = (await cache.keys()).map(({ url }) => new URL(url).pathname.slice(ROOT.length));
    await cache.addAll(files.filter((file) => !there.includes(file)).map((file) => new Request(file, { cache: "reload" })));
}

/** Keeps all files, unless the server has a new version, whose files do not belong to these. Returns whether it did. */
async function all() {
    const script = await (await fetch("keep.js", { cache: "reload" })).text();
    if (!script.includes("DIGEST")) return false;
    await keep(FILES);
    return true;
}

// An open page continues with the files of its own version: a new version waits until no page is open, or the user wants it.
worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep(FIRST)));

worker.addEventListener("message", (/** @type {any} */ event) => {
    if (event.data === "go") worker.skipWaiting();
    else event.waitUntil(all().then((done) => event.ports[0]?.postMessage(done), () => event.ports[0]?.postMessage(false)));
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
    event.respondWith(caches.open(NAME).then(async (cache) => await cache.match(file) ?? fetch(event.request)));
});
