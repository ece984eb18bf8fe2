"""A browser, and the program that serves the page to it.

The program is $GRUNDY, the page in $EXPLORER, the browser $CHROMIUM; `make explorer-test` sets them.
"""

import json
import os
import signal
import subprocess

import pytest
from playwright.sync_api import sync_playwright

GRUNDY = os.environ["GRUNDY"]
EXPLORER = os.environ["EXPLORER"]


@pytest.fixture(scope="session")
def address():
    command = [GRUNDY, "explore", "--port", "0", "--json", "--assets", EXPLORER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as served:
        yield json.loads(served.stdout.readline())["address"]
        served.send_signal(signal.SIGINT)
        assert served.wait(10) == 130


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser, address):
    """A page that must not write a mistake to its console, nor ask anybody else for anything."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.set_default_timeout(30_000)
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda told: wrong.append(told.text) if told.type == "error" else None)
    page.on(
        "request", lambda sent: wrong.append(sent.url) if not sent.url.startswith(address) else None
    )
    yield page
    context.close()
    assert wrong == []


@pytest.fixture
def show(page, address):
    """Goes to an address within the page."""

    def go(fragment=""):
        page.goto(address + fragment)
        page.wait_for_selector("nav a")
        return page

    return go
