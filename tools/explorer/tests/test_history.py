"""Tests that Undo, and the browser's Back and Forward, return to the right positions."""

from playwright.sync_api import expect


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
