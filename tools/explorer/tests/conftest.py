"""Starts a browser, and the program that serves the page.

The program is $GRUNDY, the page in $EXPLORER, the browser $CHROMIUM; `make explorer-test` sets them.

A test must wait for everything that the page computes (with `expect`, or with `waiting` for other
conditions). $LATE finds tests that do not wait. It delays each change of the address and each
question by this many milliseconds, as on a busy machine.
"""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

GRUNDY = os.environ["GRUNDY"]
EXPLORER = os.environ["EXPLORER"]

#: The longest wait in milliseconds.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)

#: Helper functions of the tests within a page.
LOOKS = Path(__file__).with_name("looks.js").read_text()


@pytest.fixture(scope="session")
def address():
    command = [GRUNDY, "explore", "--port", "0", "--json", "--assets", EXPLORER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as served:
        yield json.loads(served.stdout.readline())["address"]
        served.send_signal(signal.SIGINT)
        assert served.wait(60) == 130


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def opens(browser):
    """Opens pages, each in its own window. Takes a delay in ms and the options of `new_context`."""
    windows = []

    def go(late=int(os.environ.get("LATE") or 0), service_workers="block", **means):
        windows.append(browser.new_context(service_workers=service_workers, **means))
        page = windows[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(LOOKS + (f"looks.late({late});" if late else ""))
        return page

    yield go
    for window in windows:
        window.close()


@pytest.fixture
def page(opens, address):
    """A page. It must not write an error to its console, use another server, or keep files."""
    page = opens(viewport={"width": 1200, "height": 900})
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda told: wrong.append(told.text) if told.type == "error" or "Service Worker" in told.text else None)
    page.on(
        "request", lambda sent: wrong.append(sent.url) if not sent.url.startswith(address) else None
    )
    yield page
    page.close()
    assert wrong == []


@pytest.fixture
def show(page, address):
    """Loads the page at an address, even if the page is already open."""

    def go(fragment=""):
        page.goto("about:blank")
        page.goto(address + fragment)
        page.wait_for_selector("nav a")
        return page

    return go
