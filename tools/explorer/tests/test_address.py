"""What an address may say, view by view; and that nothing of one address is seen under another."""

import re

import pytest
from playwright.sync_api import expect
from waiting import drawn

#: What is wrong with an address, and what may stand there.
WRONG = [
    *(
        (f"#table/end-nim/4/{side}/values", f"the size is “{side}”", "from 1 to 1024")
        for side in ["abc", "0", "1025", "-1", "12.5", "1e2", "0x10", "99999999999999"]
    ),
    ("#table/end-nim/4//values", "the size is empty", "from 1 to 1024"),
    ("#table/end-nim/4/64/nonsense", "what is shown is “nonsense”", "differences"),
    ("#table/end-nim/4/64/value=x", "the value that is shown is “x”", "from 0"),
    ("#table/end-nim/4/64/value=", "the value that is shown is empty", "from 0"),
    ("#table/end-nim/4/64/values/more", "“more” behind its end", "a size"),
    ("#row/end-nim/5,4/x", "the last pile is “x”", "from 1 to 100000"),
    ("#row/end-nim/5,4/0", "the last pile is “0”", "from 1 to 100000"),
    ("#row/end-nim/5,4/100001", "the last pile is “100001”", "from 1 to 100000"),
    ("#row/end-nim/5/4/9", "“9” behind its end", "a word"),
    ("#single/short-global-nim/x", "the last pile is “x”", "from 1 to 1000000"),
    ("#single/short-global-nim/1000001", "the last pile is “1000001”", "from 1 to 1000000"),
    ("#single/short-global-nim/9/9", "“9” behind its end", "the last pile"),
    ("#sets/long-global-nim/x", "the pile is “x”", "from 1 to 20"),
    ("#sets/long-global-nim/0", "the pile is “0”", "from 1 to 20"),
    ("#sets/long-global-nim/21", "the pile is “21”", "from 1 to 20"),
    ("#sets/long-global-nim/9/9", "“9” behind its end", "a pile"),
    ("#check/nim/P/a/8", "the number of piles is “a”", "1-4"),
    ("#check/nim/P/1-2-3/8", "the number of piles is “1-2-3”", "1-4"),
    ("#check/nim/P/3/x", "the largest pile is “x”", "from 1"),
    ("#check/nim/P/3/0", "the largest pile is “0”", "from 1"),
    ("#check/nim/P/3/8/8", "“8” behind its end", "%2F"),
    ("#claims/ch.thm5.4/more", "“more” behind its end", "a claim"),
    ("#position/end-nim/2,3/4/5", "2,3/4/5", ""),
]

#: An address of each view that has an answer.
GOOD = {
    "position": "#position/end-nim/2,3,4",
    "table": "#table/end-nim/4/64/values",
    "row": "#row/end-nim/5,4/50",
    "single": "#single/short-global-nim/50",
    "sets": "#sets/long-global-nim/6",
    "check": "#check/end-nim/g == 0/2/5",
    "claims": "#claims/ch.thm5.4",
}

#: What says that it is there, and what is gone once something else is refused.
THERE = {
    "position": "#value",
    "table": "#status:text('P-positions')",
    "row": "#status:text('50 values')",
    "single": "#status:text('50 values')",
    "sets": "#status:text('64 positions')",
    "check": "#counterexamples li >> nth=0",
    "claims": "h3:text('5.4')",
}

BLANK = """() => [...document.querySelectorAll("canvas:not(.scale)")].every((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.every((byte) => byte === 0);
})"""


def view_of(fragment):
    return fragment[1:].split("/")[0]


@pytest.mark.parametrize(("fragment", "what", "may"), WRONG)
def test_what_is_wrong_is_said_and_what_may_stand_there(show, fragment, what, may):
    page = show(fragment)
    error = page.locator(".error")
    expect(error).to_have_count(1)
    expect(error).to_contain_text(what)
    expect(error).to_contain_text(may)
    # The same view goes on.
    view = view_of(fragment)
    page.evaluate("(hash) => { location.hash = hash; }", GOOD[view])
    expect(page.locator(THERE[view])).to_be_visible()
    expect(error).to_have_count(0)


#: Refused by the page, and by the crates.
REFUSED = [
    "#position/end-nim/3,0,4",
    "#table/end-nim/4/abc/values",
    "#table/end-nim/0/64/values",
    "#row/end-nim/5,4/x",
    "#row/end-nim/x/50",
    "#single/short-global-nim/x",
    "#single/end-nim/50",
    "#sets/long-global-nim/x",
    "#sets/end-nim/6",
    "#check/end-nim/g == 0/a/5",
    "#check/end-nim/g ==/2/5",
    "#claims/no.claim",
]


@pytest.mark.parametrize("fragment", REFUSED)
def test_what_is_refused_leaves_nothing_of_what_was_there(show, fragment):
    view = view_of(fragment)
    page = show(GOOD[view])
    expect(page.locator(THERE[view])).to_be_visible()
    page.evaluate("(hash) => { location.hash = hash; }", fragment)
    expect(page.locator(".error")).to_have_count(1)
    expect(page.locator(THERE[view])).to_have_count(0)
    drawn(page)
    assert page.evaluate(BLANK)


def test_a_size_that_is_not_offered_is_kept(show):
    page = show("#table/end-nim/4/100/values")
    expect(page.locator("#status")).to_contain_text("100 × 100:")
    page.locator("#how").select_option("lost")
    expect(page.locator("#legend")).to_contain_text("Light cells")
    expect(page).to_have_url(re.compile("#table/end-nim/4/100/lost$"))


def test_the_example_of_each_view_is_answered(show):
    page = show()
    # They are what the head of the page leads to.
    links = [link.get_attribute("id") for link in page.locator("#views a").all()]
    assert len(links) == 7
    there = {**THERE, "row": "#status:text('values in')", "single": "#status:text('values in')",
             "sets": "#status:text('positions in')", "check": "#verdict .verdict", "claims": ".claims li >> nth=0"}
    for link in links:
        page.locator(f"#{link}").click()
        expect(page.locator(f"#{link}")).to_have_attribute("aria-current", "page")
        expect(page.locator(there[link.removeprefix("view-")])).to_be_visible()
        expect(page.locator(".error")).to_have_count(0)


def test_the_example_of_each_game_is_answered(show):
    page = show()
    page.wait_for_selector("#moves")
    for game in page.locator("#game option").all():
        name = game.get_attribute("value")
        page.locator("#game").select_option(name)
        expect(page).to_have_title(re.compile(f" in {name} · Grundy explorer$"))
        expect(page.locator("#position:not([aria-busy]) #moves")).to_be_visible()
        text = page.locator("#text").input_value()
        expect(page).to_have_title(f"{text} in {name} · Grundy explorer")


def test_the_examples_of_statements_are_answered(show):
    page = show("#check")
    examples = page.locator("main > ul a")
    expect(examples.nth(3)).to_be_visible()
    for example in examples.all():
        example.click()
        game, statement = example.text_content().split(": ", 1)
        expect(page.locator("#statement")).to_have_value(statement)
        expect(page.locator("#verdict .verdict")).to_contain_text("positions")
        expect(page.locator("#verdict .note")).to_contain_text(f"{game}: piles up to")


def test_what_is_too_long_for_an_address_is_refused(show):
    page = show()
    page.wait_for_selector("#moves")
    page.locator("#text").fill(", ".join(["1"] * 900))
    page.locator("#text").press("Enter")
    expect(page.locator(".error")).to_contain_text("too long")
