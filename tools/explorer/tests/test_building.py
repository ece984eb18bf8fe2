"""Edits positions. The page loses no key press, no focus, and nothing that a game remembers."""

import re

import pytest
from playwright.sync_api import expect
from waiting import eventually, press


def test_no_key_is_lost_however_quick(show):
    page = show("#position/end-nim/2,3,4")
    page.wait_for_selector("#moves")
    page.locator("#edit summary").click()
    page.locator('[data-pile="1"]').focus()
    # The event loop handles all key presses in one turn, so nothing is computed between them.
    page.evaluate("""() => {
        for (let press = 0; press < 25; press++) {
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true }));
        }
    }""")
    expect(page.locator("#shown")).to_have_text("2,28,4")
    expect(page.locator('[data-pile="1"]')).to_be_focused()
    # Now keys are pressed while the page computes.
    press(page, "ArrowUp", times=15, delay=20)
    press(page, "ArrowRight")
    press(page, "ArrowUp", times=10, delay=40, shown="2,43,14")
    expect(page.locator('[data-pile="2"]')).to_be_focused()
    expect(page).to_have_url(re.compile("#position/end-nim/2,43,14$"))
    # The last pile is gone, and the focus is on another pile.
    press(page, "Delete", shown="2,43")
    expect(page.locator('[data-pile="1"]')).to_be_focused()
    more = page.get_by_label("One coin more on pile 1")
    more.focus()
    press(page, "Enter", times=6, delay=20, shown="8,43")
    expect(more).to_be_focused()


def test_what_is_too_large_is_built_smaller_again(show):
    page = show("#position/short-global-nim/3000")
    page.wait_for_selector("#shown")
    page.locator("#edit summary").click()
    page.get_by_role("button", name="Add a pile on the right").click()
    page.locator('[data-pile="1"]').focus()
    press(page, "PageUp", times=20)
    expect(page.locator(".error")).to_contain_text("201,3000 is too large")
    expect(page.locator('[data-pile="1"]')).to_be_focused()
    press(page, "Delete", shown="3000")
    expect(page.locator('[data-pile="0"]')).to_be_focused()


@pytest.mark.parametrize(
    ("fragment", "keys", "shown"),
    [
        ("#position/short-global-nim/20,20/3", ["ArrowUp"], "20,21/3"),
        ("#position/long-global-nim/8{1,3,4}", ["ArrowUp"], "9{1,3,4}"),
        # Moves that exceed the smaller pile disappear, and return when the pile grows.
        ("#position/long-global-nim/8{1,3,4}", ["ArrowDown"] * 6, "2{1}"),
        ("#position/long-global-nim/8{1,3,4}", ["ArrowDown"] * 6 + ["ArrowUp"] * 6, "8{1,3,4}"),
        # A pile with all moves still has all moves when it grows.
        ("#position/long-global-nim/8", ["ArrowUp"], "9{1..9}"),
    ],
)
def test_what_a_game_remembers_is_kept(show, fragment, keys, shown):
    page = show(fragment)
    page.wait_for_selector("#moves")
    page.locator("#edit summary").click()
    page.locator('[data-pile="0"]').focus()
    press(page, *keys, delay=30, shown=shown)


def test_what_is_built_is_a_step_that_is_undone(show):
    page = show("#position/end-nim/2,3,4")
    page.wait_for_selector("#moves")
    page.locator("#edit summary").click()
    expect(page.locator("#undo")).to_be_disabled()
    page.locator('[data-pile="0"]').focus()
    press(page, "ArrowUp")
    expect(page.locator("#shown")).to_have_text("3,3,4")
    press(page, "ArrowUp")
    # Click before the page goes to the new address.
    page.locator("#undo").click()
    # A click has no effect while the page is still going back.
    eventually(page, lambda: (page.evaluate("document.getElementById('undo').click()"), page.locator("#shown").inner_text())[1], "2,3,4")
    expect(page.locator("#undo")).to_be_disabled()
