"""Tests that Undo, and the browser's Back and Forward, return to the right positions."""

import pytest
from playwright.sync_api import expect
from views import GOOD, THERE
from waiting import eventually, go, until


def to(page, option):
    page.get_by_role("link", name=option, exact=True).click()


def test_undo_stays_in_the_view(show):
    page = show("#table/end-nim/4/64/values")
    expect(page.locator("#status")).to_contain_text("64 × 64:")
    page.locator("#view-position").click()
    expect(page.locator("#value")).to_have_text("5")
    expect(page.locator("#undo")).to_be_disabled()
    to(page, "2,3,2")
    expect(page.locator("#value")).to_have_text("0")
    to(page, "1,3,2")
    expect(page.locator("#shown")).to_have_text("1,3,2")
    # Click more often than there are steps, and faster than the page reacts.
    page.evaluate("() => { const undo = document.getElementById('undo'); for (let at = 0; at < 9; at++) undo.click(); }")
    expect(page.locator("#shown")).to_have_text("2,3,2")
    page.locator("#undo").click()
    expect(page.locator("#shown")).to_have_text("2,3,4")
    expect(page.locator("#undo")).to_be_disabled()
    # Forward and Back count as steps, too. After a reload, the page still has the steps.
    page.go_forward()
    expect(page.locator("#shown")).to_have_text("2,3,2")
    expect(page.locator("#undo")).to_be_enabled()
    page.reload()
    expect(page.locator("#shown")).to_have_text("2,3,2")
    page.locator("#undo").click()
    expect(page.locator("#shown")).to_have_text("2,3,4")
    page.go_back()
    expect(page.locator("#status")).to_contain_text("64 × 64:")


@pytest.mark.parametrize(("fragment", "link", "there"), [
    ("", "#course", "#day:text('Lesson 1')"),
    ("#play/nim/second/4,4", "#next", "#day:text('Lesson 2')"),
    ("#claims", ".claims li > a >> nth=40", "#claims > p > a:text('All claims')"),
    ("#game", "#shows a >> nth=1", "#value"),
    ("#position/end-nim/9,8,9", "#moves a >> nth=-1", "#moves"),
])
def test_a_new_view_begins_at_its_top_and_back_returns_to_the_place(opens, address, fragment, link, there):
    page = opens(viewport={"width": 390, "height": 500})
    page.goto(address + fragment)
    page.locator(link).scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 40)")
    before = page.evaluate("scrollY")
    if before == 0:
        page.evaluate("scrollTo(0, 60)")
        before = page.evaluate("scrollY")
    page.locator(link).click()
    expect(page.locator(there).first).to_be_visible()
    eventually(page, lambda: page.evaluate("scrollY"), 0)
    page.go_back()
    eventually(page, lambda: abs(page.evaluate("scrollY") - before) < 60)


def test_a_typed_position_shows_the_board_or_its_error_at_the_field(opens, address):
    page = opens(viewport={"width": 390, "height": 500})
    page.goto(address)
    page.locator("#new summary").click()
    page.locator("#first").fill("2, -3")
    page.locator("#first").press("Enter")
    expect(page.locator("#new .error")).to_be_in_viewport()
    page.locator("#first").fill("2,3")
    page.locator("#first").press("Enter")
    expect(page.locator("#board .coin")).to_have_count(5)
    expect(page.locator("h2").first).to_be_in_viewport()
    expect(page.locator(".error")).to_have_count(0)


def test_the_focus_goes_to_the_new_view(show):
    page = show(GOOD["table"])
    page.locator(THERE["table"]).wait_for()
    page.locator("canvas.heat").focus()
    page.keyboard.press("Enter")
    expect(page.locator(THERE["position"])).to_be_visible()
    until(page, "() => document.activeElement.closest('main')")
    go(page, "#claims")
    until(page, "() => document.getElementById('live').textContent === 'Published statements'")
