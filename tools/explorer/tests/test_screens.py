"""Checks each view at three widths in both themes: nothing is cut off, and fingers can hit every button. Runs axe, too.

If $PICTURES names a folder, the test saves a picture of each checked view in this folder.
"""

import base64
import os
from pathlib import Path

import pytest
from playwright.sync_api import expect
from waiting import drawn, eventually

PICTURES = os.environ.get("PICTURES")

#: The states: an address, an element that appears when it has loaded, and clicks that lead to the state.
STATES = {
    "play": ("", "#board .coin >> nth=0", []),
    # The second player wins this game. Its address is written as in a link.
    "end": ("#play/end-nim/first/2,4,3,5/2,4,3/2,4,2/1,4,2/1,4,1/4,1/1,1/1/()", "#where", ["#where"]),
    "strategy": ("#play/end-nim/first/2,4,3,5", "#board .coin >> nth=0", ["#why summary", "#replies"]),
    "puzzle": ("#play/puzzle/2026-11-25", "#day:text('25 November 2026')", []),
    "position": ("#position/end-nim/2,3,4", "#value", []),
    "table": ("#table/end-nim/4/256/values", "#status:has-text('256 × 256:')", []),
    "numbers": ("#table/end-nim/4/64/parity/5,6/1,1,16", "#pinned a >> nth=2", []),
    "row": ("#row/end-nim/5,4/200", "#status:has-text('200 values')", []),
    "single": ("#single/short-global-nim/2000", "#status:has-text('2000 values')", []),
    "sets": ("#sets/long-global-nim/10", "#status:has-text('positions')", []),
    "families": ("#families/end-nim/3* 1 3*/4,5", "#pinned a >> nth=0", []),
    "check": ("#check/end-nim/g == 1 -> abs(first - last) <= 1/3-3/32", "#counterexamples", ["#map", "#where canvas.heat"]),
    "claims": ("#claims", ".claims li >> nth=0", []),
    "claim": ("#claims/lgn.thm27", "h3:text('27')", []),
    "game": ("#game/kayles", "#shows", []),
    "typed": ("#play/kayles/beside/5", "#board .coin >> nth=0", []),
    "bar": ("#play/chomp-3/beside/6,5,3", "#board .coin >> nth=0", ["#colours"]),
    "circle": ("#play/circular-nim-5-2/first/3,4,2,5,1", "#board .coin >> nth=0", ["#hint"]),
    "strip": ("#play/silver-dollar-3/first/3,7,12", "#board .coin >> nth=0", ["#colours"]),
    "pins": ("#play/kayles/beside/7,4", "#board .coin >> nth=0", ["#board .coin >> nth=2"]),
    "wrong": ("#nonsense", ".error", []),
    "misprint": ("#game/~bm8", ".error", []),
}

#: The states without a picture.
PLAIN = ("puzzle", "table", "single", "sets", "typed", "wrong", "misprint")

WIDTHS = {1440: 900, 1366: 768, 390: 844}

#: Finds elements to touch that are too small for a finger. It ignores links and words of the glossary within sentences.
SMALL = """[...document.querySelectorAll("button, select, input:not([type=checkbox]), textarea, summary, .check, nav a, .button")]
    .filter((one) => one.checkVisibility() && !one.closest(".board.tall, [data-shape=circle], .word"))
    .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])
    .filter(([, box]) => box.height < 43.5 || box.width < 43.5 && box.width > 0).map(([text]) => text)"""


AXE = "async () => (await axe.run()).violations.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 120))])"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", STATES)
def test_a_view_fits_and_can_be_touched(opens, address, name, width):
    fragment, there, clicks = STATES[name]
    size = {"width": width, "height": WIDTHS[width]}
    # The page's own policy would refuse the script of axe.
    page = opens(viewport=size, reduced_motion="reduce", has_touch=width < 500, bypass_csp=True)
    page.goto(address + fragment)
    page.locator(there).wait_for()
    for click in clicks:
        page.locator(click).click()
    assert page.evaluate(SMALL) == []
    page.add_script_tag(path=os.environ["AXE"])
    for scheme, narrow in [("light", width)] + [("dark", 360)] * (width < 500):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({**size, "width": narrow})
        assert page.evaluate("document.documentElement.scrollWidth") <= narrow
        assert page.evaluate(AXE) == []
    page.set_viewport_size(size)
    if not PICTURES or name in PLAIN:
        return
    expect(page.locator("[aria-busy]")).to_have_count(0)
    client = page.context.new_cdp_session(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.mouse.move(0, 0)
        page.evaluate("scrollTo(0, 0)")
        drawn(page)
        # Shrink the wide pictures, so that all pictures together take 1.7 MB.
        scale = 1 if width < 500 else 0.75
        part = {"x": 0, "y": 0, "width": width, "height": WIDTHS[width], "scale": scale}
        told = client.send("Page.captureScreenshot", {"format": "webp", "quality": 35, "clip": part})
        path = Path(PICTURES) / "explorer" / f"{name}-{width}-{scheme}.webp"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(base64.b64decode(told["data"]))


def test_the_preview_for_messengers_is_there(opens, address):
    page = opens(viewport={"width": 1200, "height": 630}, reduced_motion="reduce")
    page.goto(address)
    page.locator("#board .coin").first.wait_for()
    if PICTURES:
        page.screenshot(path=str(Path(__file__).parents[1] / "page/preview.png"))
    image = page.locator('meta[property="og:image"]').get_attribute("content")
    size = page.evaluate("async (name) => { const one = await createImageBitmap(await (await fetch(name)).blob()); return [one.width, one.height]; }", image)
    assert size == [1200, 630]


#: Pairs of elements that overlap.
OVERLAPS = """(selector) => [...document.querySelectorAll(selector)].map((one) => [one.textContent, one.getBoundingClientRect()])
    .flatMap(([text, a], at, all) => all.slice(at + 1).filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    .map(([other]) => [text, other]))"""


@pytest.mark.parametrize(("fragment", "there", "apart"), [
    ("", "#board .coin >> nth=0", "header a, header button"),
    ("#table/end-nim/4/256/values", "#status:has-text('256 × 256:')", "#ways a, .tick, .beside button"),
])
def test_words_do_not_overlap_in_large_letters(opens, address, fragment, there, apart):
    page = opens(viewport={"width": 390, "height": 844}, bypass_csp=True)
    page.goto(address + fragment)
    page.locator(there).wait_for()
    page.add_style_tag(content="html { font-size: 150% }")
    assert page.evaluate(OVERLAPS, apart) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(("fragment", "selector"), [
    ("#play/end-wythoff/beside/3,4,5/0", "#turn"),
    ("#play/nim/first/1000000000,5,7", "#board .bar"),
    ("#play/nim/first/1000000000,5,7", "#board input"),
    ("#table/end-nim/4/256/seen/121,81", "main"),
])
def test_nothing_is_cut_off(opens, address, fragment, selector):
    page = opens(viewport={"width": 820, "height": 900})
    page.goto(address + fragment)
    for width in (820, 390):
        page.set_viewport_size({"width": width, "height": 844})
        expect(page.locator(selector)).to_be_visible()
        # A map follows the width of the window a moment later.
        eventually(page, lambda: page.locator(selector).evaluate("(one) => one.scrollWidth - one.clientWidth > 1 || one.scrollHeight - one.clientHeight > 1"), False)
