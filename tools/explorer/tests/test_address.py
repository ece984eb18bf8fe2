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


def test_an_error_is_short(show):
    page = show("#position/end-nim/" + "1,x" * 900)
    expect(page.locator(".error")).to_be_visible()
    assert len(page.locator(".error").inner_text()) <= 200
    go(page, "#position/no-such-game-at-all/1")
    expect(page.locator(".error")).to_contain_text("no-such-game")
    assert len(page.locator(".error").inner_text()) <= 200


def test_a_size_that_is_not_offered_is_kept(show):
    page = show("#table/end-nim/4/100/values")
    expect(page.locator("#status")).to_contain_text("100 × 100:")
    page.locator("#how").select_option("lost")
    expect(page.locator("#legend")).to_contain_text("Light cells")
    expect(page).to_have_url(re.compile("#table/end-nim/4/100/lost$"))


def test_the_example_of_each_view_is_answered(show):
    page = show()
    # Five places at the head of the page lead to the examples, and some places have several views.
    places = [link.get_attribute("id") for link in page.locator("#views a").all()]
    assert len(places) == 5
    values = "#status:has-text(' values: ')"
    there = {**THERE, "row": values, "single": values, "sets": "#status:has-text('positions; ')",
             "check": "#verdict .verdict", "claims": ".claims li >> nth=0"}
    seen = []
    for place in places:
        page.locator(f"#{place}").click()
        expect(page.locator(f"#{place}")).to_have_attribute("aria-current", re.compile("page|true"))
        for link in [link.get_attribute("id") for link in page.locator("#ways a").all()] or [place]:
            page.locator(f"#{link}").click()
            expect(page.locator(f"#{link}")).to_have_attribute("aria-current", "page")
            seen.append(link.removeprefix("view-"))
            expect(page.locator(there[seen[-1]])).to_be_visible()
            expect(page.locator(".error")).to_have_count(0)
    assert sorted(seen) == sorted(GOOD)


#: The addresses that docs/EXPLORER.md mentions.
MENTIONED = sorted({
    found for found in re.findall(r"`(#[a-z]+(?:/[^`…]*)?)`", (Path(__file__).parents[3] / "docs/EXPLORER.md").read_text())
    if found.split("/")[0][1:] in GOOD
})


@pytest.mark.parametrize("fragment", MENTIONED)
def test_an_address_in_the_documents_leads_to_its_content(show, fragment):
    view = fragment[1:].split("/")[0]
    page = show(fragment)
    # Only examples have the fixed texts of the table above.
    there = "#status" if view in ("table", "row", "single", "sets") else "#verdict .verdict" if view == "check" else THERE[view]
    if view == "claims":
        there = "#claims h3 >> nth=0"
    expect(page.locator(there)).to_be_visible()
    expect(page.locator(f"#view-{view}")).to_have_attribute("aria-current", "page")
    expect(page.locator(".error")).to_have_count(0)


def test_the_doors_and_the_gallery_lead_somewhere(show):
    page = show()
    # Twelve pictures, three doors and the course.
    expect(page.locator("#home a")).to_have_count(16)
    links = [link.get_attribute("href") for link in page.locator("#home a").all()]
    for link in links:
        page = show(link)
        expect(page.locator("#board, #status, #failing, .badge.fails, #value").first).to_be_visible()
        expect(page.locator(".error")).to_have_count(0)


def test_the_example_of_each_game_is_answered(show):
    page = show("#position/end-nim/2,3,4")
    page.wait_for_selector("#moves")
    for game in page.locator("#game option").all():
        name = game.get_attribute("value")
        page.locator("#game").select_option(name)
        expect(page).to_have_title(re.compile(f" in {name} · Grundy explorer$"))
        expect(page.locator("main:has(#position:not([aria-busy])) #moves")).to_be_visible()
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
