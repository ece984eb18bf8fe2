"""Types games on the page. The page answers correctly, and bad rules do no harm."""

import csv
import json
import os
import re
import subprocess

import pytest
from playwright.sync_api import expect
from views import typed

GRUNDY = os.environ["GRUNDY"]

#: End-Nim, but no move takes more than three coins.
RULES = """name: slow-end-nim
title: Slow End-Nim
source: a test
rule: Take 1, 2 or 3 coins from an end.
piles: row
move: t in 1..min(3, first): first -= t
move: t in 1..min(3, last) if k >= 2: last -= t
"""

#: If two piles are equal, two moves take the same coin.
WYTHOFF = """name: wythoff
title: Wythoff
source: a test
piles: heaps
length: 1..2
move: i in 1..k, t in 1..piles[i]: piles[i] -= t
move: t in 1..min(p1, p2) if k == 2: p1 -= t, p2 -= t
"""

#: What the page says of an arrangement.
KINDS = {
    "row": "a row of piles", "heaps": "heaps in any order",
    "places": "piles at fixed places", "sum": "piles that are games by themselves",
}


def test_rules_are_typed_and_become_an_address(show):
    page = show("#game")
    expect(page.locator("#understood")).to_contain_text("My game is understood")
    page.locator("#rules").fill(RULES.replace("-= t", "-= s", 1))
    # The mark is below the unknown name.
    expect(page.locator("#understood pre")).to_contain_text(re.compile(r"first -= s\n.*\^"))
    page.locator("#rules").fill(RULES)
    expect(page.locator("#understood")).to_contain_text("Slow End-Nim is understood: a row of piles")
    expect(page).to_have_url(re.compile(re.escape(f"#game/{typed(RULES.strip())}") + "$"))
    page.locator("#ruleset").select_option("kayles")
    expect(page.locator("#understood")).to_contain_text("Kayles is understood")
    expect(page.locator("#rules")).to_have_value(re.compile("code: 0.77"))
    page.go_back()
    expect(page.locator("#rules")).to_have_value(re.compile("slow-end-nim"))
    page.locator("#rules").fill(RULES + "#" * 4000)
    expect(page.locator("#understood .error")).to_contain_text("too long for an address")


def test_choices_write_the_rules_and_a_board_tries_them(show):
    page = show("#game")
    for field, chosen in (("#piles", "heaps"), ("#from", "1"), ("#ends", "misere")):
        page.locator(field).select_option(chosen)
    page.locator("#title").fill("Two heaps, and one more")
    page.locator("#coins").fill("1, 4")
    page.locator("#coins").press("Enter")
    expect(page.locator("#rules")).to_have_value(
        "name: two-heaps-and-one-more\ntitle: Two heaps, and one more\n"
        "rule: Take 1 or 4 coins from any pile, or as many from a second one too.\npiles: heaps\nplay: misere\n"
        "move: i in 1..k, t in {1,4} if t <= piles[i]: piles[i] -= t\n"
        "move: i in 1..k, j in i + 1..k, t in {1,4} if t <= min(piles[i], piles[j]): piles[i] -= t, piles[j] -= t\n")
    expect(page.locator("#understood")).to_contain_text("Two heaps, and one more is understood")
    page.reload()
    # The link is the game: the choices come from its text.
    expect(page.locator("#coins")).to_have_value("1,4")
    expect(page.locator("#by-hand")).to_be_hidden()
    live = page.frame_locator("iframe")
    expect(live.locator("#turn")).to_contain_text("The first player is to move")
    live.locator("#board .coin:not(:disabled)").last.click()
    if live.locator("#choices button").count():
        live.locator("#choices button").first.click()
    expect(live.locator("#log li")).to_have_count(1)
    live.locator("#undo").click()
    expect(live.locator("#log li")).to_have_count(0)
    page.locator("#rules").fill(RULES)
    expect(page.locator("#by-hand")).to_be_visible()


def test_the_choices_write_rules_that_are_understood(show):
    page = show("#game")
    seen = set()
    for piles in ("row", "heaps", "places", "sum"):
        page.locator("#piles").select_option(piles)
        for at in range(page.locator("#from option").count()):
            page.locator("#from").select_option(str(at))
            for coins, said in (("any", "any number of coins"), ("2-3", "2 to 3 coins"), ("1,4", "1 or 4 coins")):
                page.locator("#coins").fill(coins)
                page.locator("#coins").press("Enter")
                text = page.locator("#rules").input_value()
                rule = re.search("^rule: (.*)$", text, re.MULTILINE)[1]
                assert said in rule
                seen.add(text)
                expect(page.locator("#understood:not([aria-busy])")).to_contain_text(f"is understood: {KINDS[piles]}")
                expect(page.locator("#understood")).to_contain_text(rule)
                live = page.frame_locator("iframe")
                expect(live.locator("#rule")).to_contain_text(rule)
                expect(live.locator("#turn")).to_contain_text("The first player is to move")
                expect(page.locator(".error")).to_have_count(0)
    assert len(seen) == 27


@pytest.mark.parametrize("coins", ["0", "0-2", "3-1", "1,0,4", "abc", "1,", "-3", "1234567"])
def test_numbers_of_coins_that_make_no_game_are_refused(show, coins):
    page = show("#game")
    page.locator("#coins").fill(coins)
    page.locator("#coins").press("Enter")
    expect(page.locator("#trouble .error")).to_contain_text(f"The number of coins is “{coins}”; write any")
    expect(page.locator("#rules")).to_have_value(re.compile("1..min"))
    # Another arrangement has other moves; the numbers are still refused.
    page.locator("#piles").select_option("heaps")
    expect(page.locator("#trouble .error")).to_be_visible()
    page.locator("#coins").fill("2")
    page.locator("#coins").press("Enter")
    expect(page.locator(".error")).to_have_count(0)
    expect(page.locator("#understood")).to_contain_text("Take 2 coins from any pile.")


def test_a_title_that_begins_like_a_comment_is_a_title(show):
    page = show("#game")
    page.locator("#title").fill("## 1 game")
    page.locator("#title").press("Enter")
    expect(page.locator("#understood")).to_contain_text("1 game is understood")
    expect(page.locator("#rules")).to_have_value(re.compile("^title: 1 game$", re.MULTILINE))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (RULES, "Slow End-Nim is understood"),
        (RULES + "#" * 4000, "too long for an address"),
        (RULES.replace("-= t", "-= s", 1), "first -= s"),
    ],
)
@pytest.mark.parametrize("waits", [True, False])
def test_a_choice_overwrites_a_typed_text_and_back_brings_it_back(show, text, what, waits):
    page = show("#game")
    expect(page.locator("#understood")).to_contain_text("My game is understood")
    page.locator("#rules").fill(text)
    # The page says so before it reads the text.
    expect(page.locator("#by-hand")).to_be_visible()
    if waits:
        expect(page.locator("#understood")).to_contain_text(what)
        expect(page.locator("#by-hand")).to_be_visible()
    page.locator("#piles").select_option("heaps")
    expect(page.locator("#rules")).to_have_value(re.compile("piles: heaps"))
    expect(page.locator("#understood")).to_contain_text("heaps in any order")
    expect(page.locator("#by-hand")).to_be_hidden()
    page.go_back()
    expect(page.locator("#rules")).to_have_value(re.compile(re.escape(text.strip()) + r"\s*$"))
    expect(page.locator("#understood")).to_contain_text(what)
    expect(page.locator("#by-hand")).to_be_visible()
    page.go_forward()
    expect(page.locator("#understood")).to_contain_text("heaps in any order")
    expect(page.locator("#by-hand")).to_be_hidden()


def test_lists_that_did_not_load_are_loaded_by_the_next_view(opens, address):
    page = opens()
    page.route("**/lists.txt", lambda sent: sent.fulfill(status=404, body="\n== lines of rules\nno\tlist\n\n"), times=1)
    page.goto(f"{address}#game")
    expect(page.locator("#understood")).to_contain_text("My game is understood")
    assert page.locator("#words dt").count() == 0
    page.locator("#place-claims").click()
    page.locator("#view-check").click()
    expect(page.locator("#words .keys button").first).to_be_attached()


def test_each_view_shows_a_typed_game(show):
    shown = {0: "#board .coin >> nth=0", 1: "#moves", 2: "#status:has-text('P-positions')",
             3: "#status:has-text('100 values')", 4: "#verdict .verdict"}
    for at, there in shown.items():
        page = show(f"#game/{typed(RULES)}")
        page.locator("#shows a").nth(at).click()
        expect(page.locator(there)).to_be_visible()
        expect(page.locator("#game")).to_have_value(typed(RULES))
        expect(page.locator(".error")).to_have_count(0)


def test_the_table_has_the_values_of_the_program(show, tmp_path):
    file = tmp_path / "slow.game"
    file.write_text(RULES)
    page = show(f"#table/{typed(RULES)}/5/64/values")
    expect(page.locator("#status")).to_contain_text("64 × 64:")
    page.locator("#share").click()
    with page.expect_download() as download:
        page.locator("#csv").click()
    assert download.value.suggested_filename == "slow-end-nim-5-64.csv"
    with open(download.value.path()) as lines:
        found = [tuple(map(int, row)) for row in list(csv.reader(lines))[1:]]
    assert len(found) == 64 * 64
    told = subprocess.run(
        [GRUNDY, "query", str(file), "-", "--json", "--db", str(tmp_path)],
        input="\n".join(f"{a},5,{b}" for a, b, _ in found), capture_output=True, text=True, check=True,
    )
    expected = [json.loads(line)["grundy"] for line in told.stdout.splitlines()]
    assert [value for _, _, value in found] == expected


def test_a_coin_that_several_moves_take_offers_them(show):
    page = show(f"#play/{typed(WYTHOFF)}/beside/3,5")
    expect(page.locator("#turn")).to_contain_text("to move")
    page.locator('.coin[data-at="0"][data-left="2"]').click()
    expect(page.locator("#choices button")).to_have_text(
        ["take 1 coin from pile 1", "take 1 coin from pile 1 and 1 coin from pile 2"])
    page.locator("#choices button").nth(1).click()
    expect(page).to_have_url(re.compile("3,5/2,4$"))
    # Only one move takes four coins.
    page.locator('.coin[data-at="1"][data-left="0"]').click()
    expect(page.locator("#log li")).to_have_count(2)
    page.locator("#why summary").click()
    expect(page.locator("#advice")).to_contain_text("The player to move wins: 2 → 0 leaves ()")


def test_a_game_that_outgrows_its_address_goes_on_in_another(show):
    # An address has 4096 characters. These rules leave only seven of them for further positions.
    page = show(f"#play/{typed(RULES.ljust(3055, '#'))}/beside/9")
    for left in (8, 7, 6, 5):
        page.locator(f'#board:not([aria-busy]) .coin[data-left="{left}"]').click()
    expect(page.locator(".error")).to_contain_text("too many moves for an address")
    expect(page).to_have_url(re.compile("/beside/9/8/7/6$"))
    page.locator("#further").click()
    # After an even number of moves the first player is to move again.
    expect(page).to_have_url(re.compile("/beside/5$"))
    expect(page.locator("#turn")).to_contain_text("The first player is to move.")


def test_the_computer_plays_a_ruleset_by_its_name(show):
    page = show("#play/kayles/first/3")
    expect(page.locator("#rule")).to_contain_text("Take one coin or two from a pile")
    page.locator('.coin[data-left="1"]').click()
    page.locator("#choices button", has_text="leaving 1 and 1").click()
    expect(page.locator("#turn")).to_contain_text("It is your move")
    page.locator(".coin").click()
    expect(page.locator("#turn")).to_contain_text("You win!")


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        (RULES.replace("Slow End-Nim", "<img src=x onerror=alert(1)>"), None),
        (RULES.replace("min(3, first)", "10^18"), "10^18"),
        (RULES.replace("min(3, first)", "(" * 2000 + "first"), "deep"),
        (RULES + "example: g(1000000000,1000000000) = 4\n", None),
        (RULES.replace("min(3, first)", "10 // (first - 3)"), "divi"),
    ],
)
def test_hostile_rules_end_in_a_sentence(show, rules, what):
    page = show(f"#position/{typed(rules)}/3,3")
    expect(page.locator(".error, #moves").first).to_be_visible()
    if what:
        expect(page.locator(".error")).to_contain_text(what)
    assert page.locator("main img").count() == 0


def test_the_second_module_is_loaded_for_statements_and_typed_games_alone(show):
    page = show("#position/end-nim/2,3,4")
    loaded = []
    page.on("request", lambda sent: loaded.append(sent.url.rsplit("/", 1)[1]))
    page.locator("#game").select_option("nim")
    expect(page.locator("#value")).to_have_text("5")
    page.locator("#place-table").click()
    expect(page.locator("#status")).to_contain_text("P-positions")
    assert "whole.wasm" not in loaded
    page.evaluate("location.hash = '#position/kayles/5'")
    expect(page.locator("#value")).to_have_text("4")
    page.locator("#place-claims").click()
    page.locator("#view-check").click()
    expect(page.locator("#verdict .verdict")).to_contain_text("positions")
    assert loaded.count("whole.wasm") == 1
