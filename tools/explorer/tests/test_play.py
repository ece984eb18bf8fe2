"""Plays games with coins by mouse, touch, keyboard and screen reader, to the end and beyond."""

import os
import re

import pytest
from playwright.sync_api import expect
from waiting import eventually, press


def coin(page, at, left):
    """Returns the coin whose touch leaves `left` coins in the pile."""
    return page.locator(f'#board [data-at="{at}"][data-left="{left}"]')


def ready(page):
    """Waits until the user may move, or the game is over."""
    page.locator("#board:not([aria-busy]) button:not(:disabled), #repeat").first.wait_for()


def hint(page):
    """Asks for the pile, and then for the coins."""
    page.locator("#hint").click()
    page.locator("#hint").click()


def play_well(page):
    """Plays to the end, with the moves that the hints give."""
    for _ in range(60):
        ready(page)
        if page.locator("#repeat").count():
            return
        hint(page)
        page.locator("#board .coin.wins").first.click()
    raise AssertionError("the game does not end")


def test_the_first_screen_is_a_game_that_can_be_won(show):
    page = show()
    expect(page.locator("#rule")).to_contain_text("Whoever takes the last coin wins")
    expect(page.locator("#board .coin")).to_have_count(14)
    for one in page.locator("#board .coin").all():
        assert one.bounding_box()["width"] >= 44
    play_well(page)
    expect(page.locator("#turn")).to_have_text("You win!")
    expect(page.locator("#where")).to_have_count(0)
    # The harder game has more coins, and the user can win it, too.
    page.locator("#harder").click()
    eventually(page, lambda: page.locator("#board .coin").count() > 14)
    hint(page)
    expect(page.locator("#clue")).to_contain_text("To win, take ")


def test_a_hint_in_a_small_position_says_how_long_the_play_lasts(show):
    # The winner takes all coins of the larger pile except one. Two single coins are left.
    page = show("#play/end-nim/first/1,3")
    hint(page)
    expect(page.locator("#clue")).to_contain_text("To win, take 2 coins from the last pile. You need at most 2 moves of your own.")


def test_what_the_computer_takes_is_seen_and_heard_once(show):
    page = show("#play/end-nim/first/2,3,4")
    expect(coin(page, 0, 1)).to_be_enabled()
    page.evaluate("looks.hear()")
    coin(page, 0, 1).click()
    expect(page.locator("#board .coin.going")).to_have_count(3)
    expect(page.locator("#board .coin")).to_have_count(5)
    expect(page.locator("#log li")).to_have_text(["You: 2,3,4 → 1,3,4", "The computer: 1,3,4 → 1,3,1"])
    ready(page)
    heard = page.evaluate("window.heard")
    assert heard == ["You took 1 coin from the first pile. The computer took 3 coins from the last pile. Your move: 1,3,1."]


def test_where_it_was_lost_is_marked(show):
    page = show("#play/end-nim/first/2,3,4")
    coin(page, 0, 1).click()
    for _ in range(20):
        ready(page)
        if page.locator("#repeat").count():
            break
        page.locator("#board button:not(:disabled)").first.click()
    expect(page.locator("#turn")).to_have_text("The computer wins.")
    page.locator("#where").click()
    expect(page.locator(".losing")).to_contain_text("You: 2,3,4 → 1,3,4 — here you lost. 2,3,2 wins.")
    page.locator("#retry").click()
    expect(page).to_have_url(re.compile("#play/end-nim/first/2,3,4$"))
    coin(page, 2, 2).click()  # to 2,3,2
    play_well(page)
    expect(page.locator("#turn")).to_have_text("You win!")
    page.locator("#repeat").click()
    expect(page.locator("#log li")).to_have_count(0)
    expect(page.locator("#board .coin")).to_have_count(9)


def test_a_game_that_was_never_won_is_told_so(show):
    page = show("#play/nim/first/1,1")
    expect(page.locator("#turn")).to_have_text("You are to move.")
    coin(page, 0, 0).click()
    expect(page.locator("#turn")).to_have_text("The computer wins.")
    page.locator("#where").click()
    expect(page.locator("#lost")).to_contain_text("never had a move that wins")
    # The other side can win.
    page.locator("#second").click()
    expect(page.locator("#against")).to_have_value("second")
    play_well(page)
    expect(page.locator("#turn")).to_have_text("You win!")


def test_nothing_is_won_before_anything_is_played(show):
    page = show("#play/nim/first/()")
    expect(page.locator("#turn")).to_contain_text("There is no move here.")
    expect(page.locator("#log li")).to_have_count(0)


def test_back_takes_a_move_back(show):
    page = show("#play/nim/beside/3,4,5")
    for at, left in [(0, 2), (2, 4), (0, 1)]:
        expect(page.locator("#board:not([aria-busy])")).to_be_visible()
        coin(page, at, left).click()
    expect(page.locator("#log li")).to_have_count(3)
    expect(page.locator("#turn")).to_have_text("The first player took 1 coin from a pile of 2. The second player is to move.")
    for way, counts in [(page.go_back, [2, 1, 0]), (page.go_forward, [1, 2, 3])]:
        for count in counts:
            way()
            expect(page.locator("#log li")).to_have_count(count)
    # A link contains the whole game.
    page.reload()
    expect(page.locator("#log li")).to_have_count(3)
    page.locator("#undo").click()
    expect(page.locator("#log li")).to_have_count(2)


def test_back_leads_to_the_piles_of_its_address(show):
    page = show("#play/end-nim/beside/3,5")
    coin(page, 0, 2).click()
    page.locator("#undo").click()
    expect(page.locator("#log li")).to_have_count(0)
    coin(page, 0, 1).click()
    page.go_back()
    page.go_back()
    expect(page).to_have_url(re.compile("#play/end-nim/beside/3,5/2,5$"))
    expect(page.locator("#board .count")).to_have_text(["2", "5"])


def test_by_the_keyboard_alone(show):
    page = show("#play/end-nim/first/2,3,4")
    coin(page, 0, 0).focus()
    press(page, "ArrowRight", "ArrowUp", "ArrowUp")
    # The middle pile cannot be touched.
    assert page.evaluate("document.activeElement.dataset.at") == "2"
    expect(coin(page, 2, 2)).to_be_focused()
    press(page, "Enter")
    expect(page.locator("#log li")).to_have_count(2)
    ready(page)
    assert page.evaluate("document.getElementById('board').contains(document.activeElement)")


@pytest.mark.parametrize(
    ("fragment", "rows", "said"),
    [
        # By Bouton's theorem 1,2,3 is lost, because its nim-sum is 0. Each of its six moves has an
        # answer.
        ("play/nim/first/1,2,3", 6, "loses: each move has an answer"),
        ("play/nim/first/1,2,5", 6, "5 → 3 leaves 1,2,3"),
        ("play/end-nim/first/2,3,4", 4, "the last pile: 4 → 2 leaves 2,3,2"),
        ("play/nim/first/1", 0, "1 → 0 leaves ()"),
        # Left moves first. Only a move of Right can be an answer.
        ("play/partizan-end-nim/first/1,1", 1, "loses: each move has an answer"),
        ("play/partizan-end-nim/first/2,1", 1, "2 → 1 leaves 1,1"),
    ],
)
def test_the_strategy_is_a_table_of_answers(show, fragment, rows, said):
    page = show(f"#{fragment}")
    page.locator("#why summary").click()
    expect(page.locator("#advice")).to_contain_text(said)
    expect(page.locator("#replies tbody tr")).to_have_count(rows)
    expect(page.locator("#why #over")).to_have_text(["Then no move is left."] * (rows == 0))
    expect(page.locator("#columns")).to_have_count(1 if "/nim/" in fragment else 0)
    expect(page.locator("#board .coin.wins")).to_have_count(0 if "loses" in said else 1)


def test_an_answer_may_be_the_same_elsewhere(show):
    page = show("#play/nim/first/3,3")
    page.locator("#why summary").click()
    expect(page.locator("#same")).to_have_text("Whatever you do, they do the same in another pile.")
    page = show("#play/end-nim/first/2,3,2")
    page.locator("#why summary").click()
    expect(page.locator("#same")).to_have_text("2 of 4 answers do the same at the other end.")


def test_large_piles_are_played_by_number(show):
    page = show("#play/nim/first/500,300")
    # If the order of the piles does not matter, the smaller pile is on the left.
    expect(page.locator("#board .coin.bar")).to_have_text(["300", "500"])
    # The heights of the bars are as their numbers.
    one, other = (page.locator("#board .coin.bar").nth(at).bounding_box()["height"] for at in (0, 1))
    assert abs(one / other - 3 / 5) < 0.02
    hint(page)
    expect(page.locator("#leave-1")).to_have_value("300")
    expect(page.locator("#board button").nth(1)).to_have_text("★ Leave")
    expect(page.locator("#sent")).to_be_hidden()
    page.locator("#leave-1").fill("600")
    leave = page.locator("#board button").nth(1)
    leave.click()
    expect(page.locator("#board [role=status]").nth(1)).to_have_text("Leave 0 to 499 coins in this pile. That takes 1 to 500 coins.")
    page.locator("#leave-1").fill("300")
    page.locator("#leave-1").press("Enter")
    expect(page.locator("#log li")).to_have_count(2)
    expect(page.locator("#sent")).to_be_visible()
    expect(page.locator("#log li").first).to_have_text("You: 300,500 → 300,300")
    # A new game begins without the text about the last turn of the previous game.
    page = show("#play/nim/first/9,7")
    expect(page.locator("#turn")).to_have_text("You are to move.")
    # Enter makes only one move, even if the page already knows the next position.
    page = show("#play/nim/beside/300,500")
    for _ in range(2):
        page.locator("#leave-1").fill("300")
        page.locator("#leave-1").press("Enter")
        expect(page.locator("#log li")).to_have_text(["The first player: 300,500 → 300,300"])
        ready(page)
        page.locator("#undo").click()
        expect(page.locator("#log li")).to_have_count(0)
    # Only the ends of a row may be taken.
    page = show("#play/end-nim/first/20,20,20")
    expect(page.locator("#board input")).to_have_count(2)


def test_nim_with_any_number_of_coins_is_played(show):
    # 3 xor 5 is 6, and 3 xor 1000000000 is 1000000003, which is more than 5.
    page = show("#position/nim/1000000000,3,5")
    expect(page.locator("#unlisted")).to_contain_text("these win: 1000000000 → 6, to 3,5,6.")
    page.locator("#playing").click()
    hint(page)
    expect(page.locator("#leave-2")).to_have_value("6")
    page.locator("#leave-2").fill("999999999")
    page.locator("#board button", has_text="Leave").click()
    expect(page.locator("#log li")).to_have_text(["You: 3,5,1000000000 → 3,5,999999999", "The computer: 3,5,999999999 → 3,5,6"])
    ready(page)
    page.reload()
    expect(page.locator("#log li")).to_have_count(2)
    coin(page, 0, 0).click()
    expect(page.locator("#log li")).to_have_count(4)
    page.goto(page.url.split("#")[0] + "#play/nim/first/3,1000000000/3,4,5")
    expect(page.locator(".error")).to_contain_text("no move leads from")


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_the_board_stays_where_it_is(opens, address, size):
    page = opens(viewport={"width": size[0], "height": size[1]})
    page.goto(f"{address}#play/end-nim/first/2,4,3,5")
    seen = set()
    for _ in range(20):
        ready(page)
        box = page.locator("#board").bounding_box()
        seen.add((round(box["y"]), round(box["height"])))
        if page.locator("#repeat").count():
            break
        hint(page)
        box = page.locator("#board").bounding_box()
        seen.add((round(box["y"]), round(box["height"])))
        page.locator("#board .coin.wins").first.click()
    assert len(seen) == 1, seen


def test_taken_coins_leave_visibly_unless_motion_is_reduced(opens, address):
    for motion, ghosts in (("no-preference", True), ("reduce", False)):
        page = opens(reduced_motion=motion)
        page.goto(f"{address}#play/end-nim/beside/4,5")
        page.locator("#board .coin").first.wait_for()
        page.evaluate("""() => {
            window.ghosts = 0;
            new MutationObserver(() => { ghosts = Math.max(ghosts, document.querySelectorAll(".ghost").length); })
                .observe(document.getElementById("board"), { childList: true, subtree: true });
        }""")
        coin(page, 0, 1).click()
        expect(page.locator("#log li")).to_have_count(1)
        expect(page.locator(".ghost")).to_have_count(0)
        assert page.evaluate("ghosts") == (3 if ghosts else 0)


def test_both_ends_of_a_game_look_different(show):
    colours = []
    for fragment in ("#play/nim/first/1/()", "#play/nim/second/1/()"):
        page = show(fragment)
        expect(page.locator("#turn.over")).to_contain_text("win")
        colours.append(page.locator("#turn").evaluate("(one) => getComputedStyle(one).color"))
        # One button of the page is the one to press.
        assert page.locator(".primary:visible").all_inner_texts() == ["Play again"]
    assert colours[0] != colours[1]


def test_each_game_says_its_rules_and_is_played(show):
    page = show()
    page.locator("#new summary").click()
    for name in [one.get_attribute("value") for one in page.locator("#game option").all()]:
        page.locator("#game").select_option(name)
        expect(page).to_have_url(re.compile(f"#play/{name}/first/"))
        expect(page.locator("#rule")).to_contain_text(re.compile(r"wins\.|loses\."))
        if name.startswith("blocking-"):
            expect(page.locator(".error")).to_contain_text("players forbid moves")
            continue
        coins = page.locator("#board:not([aria-busy]) button:not(:disabled)")
        coins.last.click()
        # In Wythoff's game several moves may fit the touched coin.
        page.locator("#choices button, #log li").first.wait_for()
        for choice in page.locator("#choices button").all()[:1]:
            choice.click()
        # The computer answers, unless the game is over.
        expect(page.locator("#log li:nth-child(2), #repeat").first).to_be_visible()


def test_the_puzzle_of_a_day_is_the_same_for_everybody(show, opens, address):
    page = show()
    page.locator("#new summary").click()
    page.locator("#puzzle").click()
    expect(page.locator("#day")).to_contain_text("The puzzle of ")
    hint(page)
    expect(page.locator("#clue")).to_contain_text("To win, take ")
    other = opens()
    other.goto(f"{address}#play/puzzle")
    expect(other).to_have_url(page.url)
    days = set()
    for day in ("2026-11-25", "2026-11-26", "2026-11-27"):
        other.goto("about:blank")
        other.goto(f"{address}#play/puzzle/{day}")
        expect(other.locator("#day")).to_contain_text(f"The puzzle of {day[-2:]} November 2026")
        assert other.url == f"{address}#play/puzzle/{day}"
        days.add(other.locator("#first").input_value())
    assert len(days) == 3


def test_a_won_puzzle_has_a_result_and_a_streak(opens, address):
    page = opens()
    for day, told in (("2026-11-25", "with"), ("2026-11-26", "2 days in a row")):
        page.goto(f"{address}#play/puzzle/{day}")
        expect(page.locator("#day")).to_contain_text("The puzzle of")
        play_well(page)
        expect(page.locator("#result")).to_contain_text(f"Grundy, the puzzle of {day}: ●")
        expect(page.locator("#result")).to_contain_text(told)
    expect(page.locator("#paste")).to_be_visible()


def test_another_position_is_chosen_or_typed(show):
    page = show("#play/nim/first/3,4,5")
    expect(page.locator("#first")).to_have_value("3,4,5")
    page.locator("#new summary").click()
    page.locator("#first").fill("1 1 2")
    page.locator("#begin").click()
    expect(page.locator("#board .coin")).to_have_count(4)
    page.locator("#size").select_option("24")
    eventually(page, lambda: page.locator("#board .coin").count() >= 23)
    before = page.url
    page.locator("#another").click()
    expect(page).not_to_have_url(before)
    # The position can be won.
    hint(page)
    expect(page.locator("#clue")).to_contain_text("To win, take ")


def test_what_keeps_a_game_from_beginning_is_said(show):
    page = show("#play/nim/first/3,4,5")
    ready(page)
    page.evaluate("() => { Worker.prototype.postMessage = () => { throw new Error('no memory is left'); }; }")
    page.locator("#new summary").click()
    page.locator("#another").click()
    expect(page.locator(".error")).to_have_text("no memory is left")


def test_a_long_computation_has_a_clock_and_is_stopped(show):
    page = show("#play/end-wythoff/first/100,100,100,100,100")
    expect(page.locator("#turn")).to_contain_text(re.compile(r"^Computing… [1-9]\d* s"))
    page.locator("#turn .stop").click()
    expect(page.locator("#turn")).to_have_text("Stopped.")


def test_right_and_both_ends_are_played(show):
    # Left begins, so the user is Right, and takes from the last pile.
    page = show("#play/partizan-end-nim/second/3,1,2")
    expect(page.locator("#log li")).to_have_count(1)
    ready(page)
    expect(page.locator("#log li")).to_contain_text("The computer (Left)")
    expect(coin(page, 2, 1)).to_be_enabled()
    page = show("#play/end-wythoff/first/2,5,4")
    page.locator("#both").check()
    expect(coin(page, 0, 0)).to_be_enabled()
    coin(page, 2, 3).click()
    expect(page.locator("#log li").first).to_contain_text("2,5,4 → 1,5,3")
    # A hint may tick the check box, and the user may then change the box.
    page = show("#play/end-wythoff/first/2,3,4")
    hint(page)
    checked = page.locator("#both").is_checked()
    page.locator("#both").click()
    expect(page.locator("#both")).to_be_checked(checked=not checked)


def test_a_finger_takes_coins(opens, address):
    page = opens(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{address}#play/end-nim/first/2,3,4")
    coin(page, 2, 2).tap()
    expect(page.locator("#log li")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # No name of a view is wider than its link.
    assert page.evaluate("[...document.querySelectorAll('nav a')].every((link) => link.scrollWidth <= link.clientWidth)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_to_say_of_a_game(opens, address, scheme):
    page = opens(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page.goto(f"{address}#play/nim/first/1,2,1")
    page.locator("#why summary").click()
    page.wait_for_selector("#replies")
    page.locator("#hint").click()
    page.add_script_tag(path=os.environ["AXE"])
    check = "async () => (await axe.run()).violations.map((one) => [one.id, one.nodes.map((node) => node.html)])"
    assert page.evaluate(check) == []
    coin(page, 0, 0).click()
    for _ in range(9):
        ready(page)
        if page.locator("#repeat").count():
            break
        page.locator("#board button:not(:disabled)").first.click()
    page.locator("#where").click()
    assert page.evaluate(check) == []
