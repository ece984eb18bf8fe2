"""Every feature is used like a reader would: clicked, typed, dragged, by the keyboard alone."""

import os
import re
import urllib.request

import pytest
from playwright.sync_api import expect
from views import GOOD, THERE
from waiting import eventually, go, press, until

PICTURES = os.environ.get("PICTURES")


def picture(page, name):
    """Saves a picture for docs/COMMANDS.md, if requested."""
    if PICTURES:
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=f"{PICTURES}/{name}.png")


def test_a_position_shows_its_value_and_moves(show):
    page = show("#position/end-nim/2,3,4")
    # By hand, and in the README's table of moves: the value is 5, and only 2,3,2 wins.
    expect(page.locator("#value")).to_have_text("5")
    expect(page.locator("tr.winning")).to_have_count(1)
    expect(page.locator("#moves tbody tr")).to_have_count(6)
    page.locator("tr.winning").hover()
    expect(page.locator("#preview")).to_contain_text("After this move: 2,3,2")
    expect(page.locator("#preview")).to_contain_text("Why it wins")
    picture(page, "explorer-position")
    page.locator("tr.winning a").click()
    expect(page.locator("#value")).to_have_text("0")
    expect(page).to_have_url(re.compile("#position/end-nim/2,3,2$"))
    page.locator("#undo").click()
    expect(page.locator("#value")).to_have_text("5")


def test_a_position_is_typed_and_built(show):
    page = show()
    page.locator("#game").select_option("nim")
    page.locator("#text").fill("3,1,4")
    page.locator("#text").press("Enter")
    expect(page.locator("#value")).to_have_text("6")  # 3 xor 1 xor 4
    expect(page.locator("#shown")).to_have_text("1,3,4")
    page.get_by_label("One coin more on pile 1").click()
    expect(page.locator("#shown")).to_have_text("2,3,4")
    page.get_by_label("One coin less on pile 3").click()
    expect(page.locator("#shown")).to_have_text("2,3,3")
    page.get_by_role("button", name="Add a pile on the right").click()
    # Piles stay in place, although the position is written in ascending order.
    expect(page.locator("#shown")).to_have_text("1,2,3,3")
    pile = page.locator('[data-pile="3"]')
    expect(pile).to_have_attribute("aria-valuenow", "1")
    pile.focus()
    press(page, "ArrowUp", shown="2,2,3,3")
    press(page, "ArrowLeft", "Delete", shown="2,2,3")
    press(page, "PageUp", shown="2,3,12")
    press(page, "Home", shown="1,2,3")
    box = page.locator('[data-pile="2"]').bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 10, box["y"] - 17)  # three coins up
    page.mouse.up()
    expect(page.locator("#shown")).to_have_text("2,3,4")


def test_what_a_game_remembers_is_part_of_the_address(show):
    # docs/COMMANDS.md has both values.
    page = show("#position/short-global-nim/20,20%2F3")
    expect(page.locator("#value")).to_have_text("2")
    page = show("#position/long-global-nim/8%7B1,3,4%7D")
    expect(page.locator("#value")).to_have_text("1")
    expect(page.locator("#moves tbody tr")).to_have_count(3)
    page = show("#position/partizan-end-nim/3,1,2")
    expect(page.locator("#outcome")).to_contain_text("L: Left wins")
    expect(page.locator("#value")).to_have_count(0)


def test_play_against_the_computer(show):
    page = show("#position/end-nim/2,3,4")
    page.locator("#against").select_option("computer")
    expect(page.locator("#turn")).to_contain_text("It is your move")
    expect(page.locator("#value")).to_have_count(0)  # hidden from who plays
    page.locator("#hint").click()
    expect(page.locator("#turn")).to_contain_text("The marked moves win")
    # After a losing move the computer moves to 0, and explains it.
    page.get_by_role("link", name="1,3,4", exact=True).click()
    expect(page.locator(".log")).to_contain_text("Computer: 1,3,4 to 1,3,1")
    expect(page.locator(".log")).to_contain_text("lost for who is to move")
    page.locator("#undo").click()  # takes both moves back
    expect(page.locator("#shown")).to_have_text("2,3,4")
    expect(page.locator(".log li")).to_have_count(0)
    page.get_by_role("link", name="1,3,4", exact=True).click()
    expect(page.locator(".log li")).to_have_count(2)
    for played in range(2, 26, 2):
        until(
            page,
            f"""() => /won/.test(document.querySelector('#turn p')?.textContent ?? '') ||
            document.querySelectorAll('.log li').length >= {played} &&
            !document.getElementById('position').hasAttribute('aria-busy')""",
        )
        if page.locator("#turn").get_by_text("won").count():
            break
        page.locator("#moves tbody a").first.click()
    expect(page.locator("#turn")).to_contain_text("Computer has won")


def test_a_table_zooms_and_tells_values(show):
    page = show("#table/end-nim/4/256/values")
    expect(page.locator("#status")).to_contain_text("256 × 256:")
    picture(page, "explorer-table")
    canvas = page.locator("canvas.heat")
    canvas.focus()
    press(page, "ArrowDown", times=4)
    press(page, "ArrowRight", times=5)
    # 5,4,6 has the value 3: the table of Cairns and Ho.
    expect(page.locator("#cell")).to_have_text("5,4,6: value 3")
    expect(page.locator("#period")).to_contain_text("period 12")  # the finding on 5,4,b
    page.locator("#nearer").click()
    press(page, "+")
    page.locator("#whole").click()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.wheel(0, -300)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 40)
    page.mouse.up()
    for how, legend in [("differences", "−"), ("lost", "Light cells"), ("value", "Light cells")]:
        page.locator("#how").select_option(how)
        expect(page.locator("#legend")).to_contain_text(legend)
    canvas.focus()
    press(page, "Enter")
    page.wait_for_selector("#moves")
    page = show("#table/partizan-end-nim/3/64/values")
    expect(page.locator("#legend")).to_contain_text("L R N P")


def test_a_large_table_is_whole_and_can_be_left(show):
    page = show("#table/end-nim/4/1024/differences")
    expect(page.locator("#status")).to_contain_text("1024 × 1024:")
    print(page.locator("#status").text_content())
    # A long computation is cancelled if the reader moves on.
    page = show("#table/end-wythoff//1024/values")
    expect(page.locator("#status")).to_contain_text(re.compile("^Computing (256|1024) × "))
    go(page, "#position/end-nim/2,3,4")
    expect(page.locator("#value")).to_have_text("5", timeout=30_000)
    eventually(page, lambda: len(page.workers), 1)


def test_a_computation_is_stopped(show):
    page = show("#check/end-nim/g%20%3C%3D%20first%20%2B%20last/1-4/128")
    expect(page.locator("#verdict")).to_contain_text("Checking")
    until(page, "() => document.getElementById('progress').value > 0")
    page.locator("#stop").click()
    expect(page.locator("#verdict")).to_contain_text("Stopped")


def test_a_row_and_single_piles(show):
    page = show("#row/end-nim/5,4/200")
    expect(page.locator("#status")).to_contain_text("period 12")
    page.locator("canvas.plot").focus()
    press(page, "ArrowRight", times=5)
    expect(page.locator("#cell")).to_have_text("5,4,6: 3")
    page.locator("#nearer").click()
    press(page, "+", "0")
    page.locator("#last").fill("50")
    page.locator("#go").click()
    expect(page.locator("#status")).to_contain_text("50 values")
    page = show("#single/short-global-nim/1000000")
    # docs/COMMANDS.md has 16 for a pile of 34.
    expect(page.locator("#status")).to_contain_text("1000000 values")
    print(page.locator("#status").text_content())
    canvas = page.locator("canvas.plot")
    canvas.focus()
    press(page, "ArrowRight", times=33)
    expect(page.locator("#cell")).to_have_text("34: 16")


def test_sets_of_moves(show):
    page = show("#sets/long-global-nim/10")
    # Conjecture 34: with all moves the value is the largest k with 1 + ... + k <= 10.
    expect(page.locator("#status")).to_contain_text("with all moves 4")
    page.locator("#pile").fill("8")
    page.locator("#go").click()
    expect(page.locator("#status")).to_contain_text("256 positions")
    canvas = page.locator("canvas.heat")
    canvas.focus()
    # Columns are the sets of 1 to 4: 1, 3, 4 is 1 + 4 + 8. docs/COMMANDS.md has the value 1.
    press(page, "ArrowRight", times=13)
    expect(page.locator("#cell")).to_have_text("8{1,3,4}: value 1")
    press(page, "Enter")
    expect(page.locator("#value")).to_have_text("1")


def test_a_conjecture_and_its_counterexamples(show):
    page = show()
    page.get_by_role("link", name="Conjecture").click()
    # As in the README: fails at 62 of 262,144 up to 64; up to 32, counted by `grundy check`.
    expect(page.locator("#verdict")).to_contain_text("Fails at")
    expect(page.locator("#counterexamples li").first).to_contain_text("1,3,3")
    picture(page, "explorer-conjecture")
    page.locator("#statement").fill("P <-> first == last and p2 != first")
    page.locator("#lengths").fill("3")
    page.locator("#max-pile").fill("20")
    page.locator("#go").click()
    expect(page.locator("#verdict")).to_contain_text("Holds at 8,000 positions")
    page.locator("#statement").fill("g == 0 -> 1 < 0")
    page.locator("#go").click()
    page.locator("#counterexamples a").first.click()
    page.wait_for_selector("#moves")


def test_claims(show):
    page = show()
    page.get_by_role("link", name="Claims").click()
    page.wait_for_selector(".claims li")
    page.locator("#filter").fill("an.period-pow2")
    expect(page.locator(".claims li:visible")).to_have_count(1)
    page.locator(".claims li:visible a").first.click()
    expect(page.locator("#claims")).to_contain_text("Least counterexample")
    page.locator("#claims a", has_text="5,4").first.click()
    expect(page.locator("#shown")).to_have_text("5,4")


def test_the_policy_lets_nothing_else_in(address):
    with urllib.request.urlopen(address) as response:
        policy = response.headers["Content-Security-Policy"]
        text = response.read().decode()
    for said in (policy, text):
        assert "default-src 'none'" in said
        assert "unsafe-inline" not in said and "unsafe-eval'" not in said.replace("'wasm-unsafe-eval'", "")
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    # The page loads nothing from elsewhere.
    assert "http:" not in text and "https:" not in text


def test_as_a_file_it_says_why_not(opens):
    page = opens()
    page.goto("file://" + os.path.abspath(os.environ["EXPLORER"]) + "/index.html")
    expect(page.locator(".error")).to_contain_text("grundy explore")


VIEWS = [
    *((GOOD[view], THERE[view]) for view in GOOD),
    ("#claims", ".claims li >> nth=0"),
    ("#nonsense", ".error"),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("fragment", "there"), VIEWS)
def test_axe_has_nothing_to_say(opens, address, fragment, there, scheme):
    # The page's own policy would refuse the script of axe.
    page = opens(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page.goto(address + fragment)
    page.wait_for_selector(there)
    page.add_script_tag(path=os.environ["AXE"])
    found = page.evaluate("axe.run()")
    said = [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found["violations"]]
    assert said == []


@pytest.mark.parametrize(("fragment", "there"), VIEWS)
def test_a_phone_is_wide_enough(opens, address, fragment, there):
    page = opens(viewport={"width": 360, "height": 740}, color_scheme="dark")
    page.goto(address + fragment)
    page.wait_for_selector(there)
    if PICTURES and fragment == VIEWS[0][0]:
        page.screenshot(path=f"{PICTURES}/explorer-phone.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
