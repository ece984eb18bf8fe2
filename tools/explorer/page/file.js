// A classic script, which browsers run even at a `file:` address. At such an address the script
// explains why the modules of the page do not run.
"use strict";
if (location.protocol === "file:") {
    document.addEventListener("DOMContentLoaded", () => {
        const starting = document.getElementById("starting");
        if (starting) {
            starting.className = "error";
            starting.textContent =
                "Browsers do not let a page that is opened as a file load its own modules. Serve this folder: " +
                "run “grundy explore”, or “python3 -m http.server” in it and open " +
                "http://localhost:8000, or put it on any web server. It then works without a network.";
        }
    });
}
