"""Waiting for a page."""


def until(page, condition):
    """Waits for a condition; the page's policy does not let Playwright evaluate one inside it."""
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)
