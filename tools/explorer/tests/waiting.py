"""Waiting for a page, where `expect` of Playwright does not."""

from contextlib import contextmanager

from playwright.sync_api import expect


def eventually(page, look, wanted=True):
    """Looks again until what is seen is what is wanted, and not a moment later."""
    for _ in range(1200):
        seen = look()
        if seen == wanted:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{seen} is seen, not {wanted}")


def until(page, condition):
    """Waits for a condition; the page's policy does not let Playwright evaluate one inside it."""
    eventually(page, lambda: bool(page.evaluate(condition)))


@contextmanager
def arrives(page):
    """Waits until the page has heard of another address, to which what is done here leads."""
    page.evaluate("""() => {
        window.arrived = false;
        addEventListener("hashchange", () => { window.arrived = true; }, {once: true});
    }""")
    yield
    until(page, "() => window.arrived")


def drawn(page):
    """Waits until all is drawn that the page has asked for so far."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")


def press(page, *keys, times=1, delay=0, shown=None):
    """Presses keys one after another, all of them so often, for so long; waits for the position after that."""
    for key in keys * times:
        page.keyboard.press(key, delay=delay)
    if shown:
        expect(page.locator("#shown")).to_have_text(shown)


def go(page, fragment):
    """Has the page show another address, as a link does."""
    page.evaluate("(hash) => { location.hash = hash; }", fragment)
