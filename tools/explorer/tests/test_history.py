"""Undo, and the browser's Back and Forward, among positions and during a game."""

import pytest
from playwright.sync_api import expect
from waiting import until


def to(page, option):
    page.get_by_role("link", name=option, exact=True).click()


def settled(page):
    until(page, "() => !document.getElementById('position').hasAttribute('aria-busy')")


@pytest.fixture
def play(show):
    """Starts a game from a position; returns the page, its turn message, and its log."""

    def begin(position, against):
        page = show(f"#position/{position}")
        page.wait_for_selector("#moves")
        page.locator("#against").select_option(against)
        return page, page.locator("#turn p"), page.locator(".log li")

    return begin


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
    # More clicks than there were steps, and faster than the page.
    page.evaluate("() => { const undo = document.getElementById('undo'); for (let at = 0; at < 9; at++) undo.click(); }")
    expect(page.locator("#shown")).to_have_text("2,3,2")
    page.locator("#undo").click()
    expect(page.locator("#shown")).to_have_text("2,3,4")
    expect(page.locator("#undo")).to_be_disabled()
    # Forward and Back are steps, too; and a reloaded page knows them.
    page.go_forward()
    expect(page.locator("#shown")).to_have_text("2,3,2")
    expect(page.locator("#undo")).to_be_enabled()
    page.reload()
    expect(page.locator("#shown")).to_have_text("2,3,2")
    page.locator("#undo").click()
    expect(page.locator("#shown")).to_have_text("2,3,4")
    page.go_back()
    expect(page.locator("#status")).to_contain_text("64 × 64:")


def test_back_and_forward_keep_whose_turn_it_is(play):
    page, turn, log = play("nim/3,4,5", "beside")
    for at, option in enumerate(["2,4,5", "2,4,4", "1,4,4"]):
        to(page, option)
        expect(log).to_have_count(at + 1)
    expect(turn).to_have_text("Second is to move.")
    names = ["First", "Second", "First", "Second"]
    for way, counts in [(page.go_back, [2, 1, 0]), (page.go_forward, [1, 2, 3])]:
        for count in counts:
            way()
            expect(log).to_have_count(count)
            expect(turn).to_have_text(f"{names[count]} is to move.")
    # Two steps at once, and a move from there.
    page.evaluate("history.go(-2)")
    expect(log).to_have_count(1)
    to(page, "1,2,5")
    expect(log).to_have_count(2)
    expect(log.nth(1)).to_have_text("Second: 2,4,5 to 1,2,5.")
    expect(turn).to_have_text("First is to move.")


def test_back_and_forward_against_the_computer(play):
    page, turn, log = play("end-nim/2,3,4", "computer")
    to(page, "1,3,4")
    expect(log).to_have_count(2)
    expect(turn).to_have_text("It is your move.")
    settled(page)
    page.evaluate("window.seen = []; addEventListener('hashchange', (event) => window.seen.push(event.newURL))")
    page.go_back()
    until(page, "() => window.seen.length > 0")
    assert page.evaluate("window.seen[0]").endswith("/1,3,4")
    # At the computer's turn it moves again, in the same way.
    expect(log).to_have_count(2)
    expect(log.nth(1)).to_contain_text("Computer: 1,3,4 to 1,3,1")
    expect(log.nth(1)).to_contain_text("a, b, a with a = 1 and b = 3")
    settled(page)
    page.locator("#undo").click()
    expect(turn).to_have_text("It is your move.")
    expect(page.locator("#shown")).to_have_text("2,3,4")
    expect(log).to_have_count(0)


def test_what_was_there_before_the_game_is_no_part_of_it(show):
    page = show("#position/nim/3,4,5")
    page.wait_for_selector("#moves")
    to(page, "2,4,5")
    expect(page.locator("#shown")).to_have_text("2,4,5")
    page.locator("#against").select_option("beside")
    to(page, "1,4,5")
    expect(page.locator("#turn p")).to_have_text("Second is to move.")
    page.go_back()
    expect(page.locator("#turn p")).to_have_text("First is to move.")
    page.go_back()
    expect(page.locator("#against")).to_have_value("")
    expect(page.locator("#value")).to_have_text("2")  # 3 xor 4 xor 5
    page.go_forward()
    expect(page.locator("#against")).to_have_value("beside")
    expect(page.locator("#turn p")).to_have_text("First is to move.")
    # A typed position starts its own game.
    page.locator("#text").fill("7,7")
    page.locator("#text").press("Enter")
    expect(page.locator("#shown")).to_have_text("7,7")
    expect(page.locator("#turn p")).to_have_text("First is to move.")
    expect(page.locator(".log li")).to_have_count(0)


def test_the_computer_that_began_is_not_undone(play):
    page, turn, log = play("nim/1,2", "computer")
    page.locator("#second").click()
    expect(log).to_contain_text("Computer: 1,2 to 1,1")
    expect(turn).to_have_text("It is your move.")
    expect(page.locator("#undo")).to_be_disabled()


def test_a_theorem_decides_what_is_too_large(show):
    # By Bouton, as in the test of the session: only the nim-sum decides.
    page = show("#position/misere-nim/60,61,62,63,64,99")
    expect(page.locator("#outcome")).to_contain_text("N: who is to move wins")
    expect(page.locator("#beyond")).to_contain_text("too large")
    expect(page.locator("#value")).to_have_count(0)
    expect(page.locator(".reason").first).to_contain_text("60 xor 61 xor 62 xor 63 xor 64 xor 99 = 35")
    expect(page.locator("tr.winning")).to_have_count(5)
    page.locator("#against").select_option("computer")
    page.locator("#second").click()
    expect(page.locator(".log")).to_contain_text("which is lost for who is to move")
    expect(page.locator("#turn p")).to_have_text("It is your move.")


def test_who_is_quicker_than_the_page(opens, address):
    page = opens(late=400)
    page.goto(f"{address}#position/end-nim/2,3,4")
    page.wait_for_selector("#moves")
    # The new position belongs to the game just chosen.
    page.locator("#game").select_option("nim")
    page.locator("#text").fill("3,1,4")
    page.locator("#text").press("Enter")
    expect(page.locator("#shown")).to_have_text("1,3,4")
    expect(page.locator("#value")).to_have_text("6")  # 3 xor 1 xor 4
    # Undo after the browser's Back does not leave the page.
    page.locator("#against").select_option("beside")
    for option in ["1,2,4", "1,2,3"]:
        to(page, option)
        expect(page.locator("#shown")).to_have_text(option)
    page.evaluate("""() => {
        addEventListener("popstate", () => document.getElementById("undo").click(), {once: true});
        history.go(-4);
    }""")
    expect(page.locator("#shown")).to_have_text("2,3,4")
    expect(page.locator("#undo")).to_be_disabled()
