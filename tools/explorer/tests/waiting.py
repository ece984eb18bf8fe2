"""Waiting for a page, where `expect` of Playwright does not."""


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


def drawn(page):
    """Waits until all is drawn that the page has asked for so far."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")
