"""Waits for conditions of a page that Playwright's `expect` does not cover."""

from contextlib import contextmanager

from playwright.sync_api import expect


def eventually(page, look, wanted=True):
    """Repeats a check until it gives the wanted result."""
    for _ in range(1200):
        seen = look()
        if seen == wanted:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{seen} is seen, not {wanted}")


def until(page, condition):
    """Waits for a condition. Playwright's own method would need code that the page's policy forbids."""
    eventually(page, lambda: bool(page.evaluate(condition)))


@contextmanager
def arrives(page):
    """Waits until the page has processed the address change that the body of the `with` block causes."""
    page.evaluate("""() => {
        window.arrived = false;
        addEventListener("hashchange", () => { window.arrived = true; }, {once: true});
    }""")
    yield
    until(page, "() => window.arrived")


def drawn(page):
    """Waits until all requested pictures are drawn."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")


def press(page, *keys, times=1, delay=0, shown=None):
    """Presses keys, repeatedly and with delays. If `shown` is given, waits for this position."""
    for key in keys * times:
        page.keyboard.press(key, delay=delay)
    if shown:
        expect(page.locator("#shown")).to_have_text(shown)


def go(page, fragment):
    """Goes to another address, as a click on a link does."""
    page.evaluate("(hash) => { location.hash = hash; }", fragment)
