"""Opens valid and invalid addresses for each view. Nothing of the previous page stays visible."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from views import GOOD, THERE
from waiting import drawn, go

#: The lines of addresses.txt: an address, words of its error, and words of the advice.
WRONG = [
    (line.split(" | ") + ["", ""])[:3]
    for line in Path(__file__).with_name("addresses.txt").read_text().splitlines()
    if line and line[0] != "#"
]
WRONG.append(["position/" + "x" * 9000, "", ""])


@pytest.mark.parametrize(("fragment", "what", "may"), WRONG)
def test_what_is_wrong_is_said_and_leaves_nothing_of_what_was_there(show, fragment, what, may):
    view = fragment.split("/")[0]
    view = view if view in GOOD else "position"
    page = show(f"#{fragment}")
    error = page.locator(".error")
    for _ in range(2):
        expect(error).to_have_count(1)
        expect(error).to_contain_text(re.compile(r"\w+ \w+"))
        expect(error).to_contain_text(what, ignore_case=True)
        expect(error).to_contain_text(may)
        expect(page.locator(THERE[view])).to_have_count(0)
        drawn(page)
        assert page.evaluate("looks.blank()")
        # Go to a valid address of the same view, and back to the invalid address.
        go(page, GOOD[view])
        expect(page.locator(THERE[view])).to_be_visible()
        expect(error).to_have_count(0)
        go(page, f"#{fragment}")


def test_a_size_that_is_not_offered_is_kept(show):
    page = show("#table/end-nim/4/100/values")
    expect(page.locator("#status")).to_contain_text("100 × 100:")
    page.locator("#how").select_option("lost")
    expect(page.locator("#legend")).to_contain_text("Light cells")
    expect(page).to_have_url(re.compile("#table/end-nim/4/100/lost$"))


def test_the_example_of_each_view_is_answered(show):
    page = show()
    # The links in the head of the page lead to the examples.
    links = [link.get_attribute("id") for link in page.locator("#views a").all()]
    assert len(links) == len(GOOD)
    rows = "#status:text('values in')"
    there = {**THERE, "row": rows, "single": rows, "sets": "#status:text('positions in')",
             "check": "#verdict .verdict", "claims": ".claims li >> nth=0"}
    for link in links:
        page.locator(f"#{link}").click()
        expect(page.locator(f"#{link}")).to_have_attribute("aria-current", "page")
        expect(page.locator(there[link.removeprefix("view-")])).to_be_visible()
        expect(page.locator(".error")).to_have_count(0)


def test_the_example_of_each_game_is_answered(show):
    page = show("#position/end-nim/2,3,4")
    page.wait_for_selector("#moves")
    for game in page.locator("#game option").all():
        name = game.get_attribute("value")
        page.locator("#game").select_option(name)
        expect(page).to_have_title(re.compile(f" in {name} · Grundy explorer$"))
        expect(page.locator("#position:not([aria-busy]) ~ div #moves")).to_be_visible()
        text = page.locator("#text").input_value()
        expect(page).to_have_title(f"{text} in {name} · Grundy explorer")


def test_the_examples_of_statements_are_answered(show):
    page = show("#check")
    examples = page.locator("aside > ul a")
    expect(examples.nth(3)).to_be_visible()
    for example in examples.all():
        example.click()
        game, statement = example.text_content().split(": ", 1)
        expect(page.locator("#statement")).to_have_value(statement)
        expect(page.locator("#verdict .verdict")).to_contain_text("positions")
        expect(page.locator("#verdict .note")).to_contain_text(f"{game}: piles up to")


def test_what_is_too_long_for_an_address_is_refused(show):
    page = show("#position/end-nim/2,3,4")
    page.wait_for_selector("#moves")
    page.locator("#text").fill(", ".join(["1"] * 900))
    page.locator("#text").press("Enter")
    expect(page.locator(".error")).to_contain_text("too long")
