"""Uses every feature as a reader would: by clicks, typing, dragging, or only by the keyboard."""

import os
import re
import urllib.request
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect
from views import GOOD, THERE
from waiting import eventually, go, press, until


def test_a_position_shows_its_value_and_moves(show):
    page = show("#position/end-nim/2,3,4")
    # The value is 5, and only the move to 2,3,2 wins: by hand, and in the README's table of moves.
    expect(page.locator("#value")).to_have_text("5")
    expect(page.locator("tr.winning")).to_have_count(1)
    expect(page.locator("#moves tbody tr")).to_have_count(6)
    page.locator("tr.winning").hover()
    expect(page.locator("#preview")).to_contain_text("After this move: 2,3,2")
    expect(page.locator("#preview")).to_contain_text("Why it wins")
    page.locator("tr.winning a").click()
    expect(page.locator("#value")).to_have_text("0")
    expect(page).to_have_url(re.compile("#position/end-nim/2,3,2$"))
    page.locator("#undo").click()
    expect(page.locator("#value")).to_have_text("5")


def test_a_position_is_typed_and_built(show):
    page = show("#position/end-nim/2,3,4")
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
    # The piles keep their places, although the position is written in ascending order.
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


def test_moves_that_win_come_first(show):
    page = show("#position/end-nim/2000,3,1500")
    # By the theorem on three piles a, b, a is lost.
    expect(page.locator("#moves tbody tr").first).to_contain_text("2000 → 1500")
    expect(page.locator("#moves tbody tr").first).to_contain_text("wins")
    expect(page.locator("#counted")).to_have_text("3,500 moves; 1 wins. 400 are listed, those that win first.")
    page = show("#position/nim/1")
    expect(page.locator("#counted")).to_have_text("1 move; 1 wins.")


def test_values_stand_with_their_convention(show):
    # The same as `grundy query misere-nim 3 --json`.
    page = show("#position/misere-nim/3")
    expect(page.locator("#value")).to_have_text("2")
    expect(page.locator("#convention")).to_have_text("Cairns and Ho: the last coin is never taken")
    expect(page.locator("#other")).to_contain_text("value 3")
    page = show("#table/misere-end-nim/4/64/values")
    expect(page.locator("#status")).to_contain_text("Convention: Cairns and Ho")


def test_classes_are_no_values(show):
    page = show("#table/partizan-end-nim/3/64/values")
    expect(page.locator("#status")).to_contain_text("P-positions. Computed")
    page = show("#row/partizan-end-nim/3,1/50")
    expect(page.locator("#status")).to_contain_text("50 outcome classes")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        # 5 xor 4 is 1, and 1 xor b grows by 2 every two columns.
        ("nim/5,4/200", "preperiod 0, period 2, saltus 2, observed"),
        ("end-wythoff/5/200", "preperiod 26, period 24, saltus 24, observed"),
        ("partizan-end-nim/3,1/50", "saltus 0, observed"),
        ("short-global-nim/5/60", "no period was found up to there"),
    ],
)
def test_periods_are_looked_for_in_every_game(show, row, said):
    page = show(f"#row/{row}")
    expect(page.locator("#status")).to_contain_text(said)


def test_a_table_zooms_and_tells_values(show):
    page = show("#table/end-nim/4/256/values")
    expect(page.locator("#status")).to_contain_text("256 × 256:")
    canvas = page.locator("canvas.heat")
    canvas.focus()
    press(page, "ArrowDown", times=4)
    press(page, "ArrowRight", times=5)
    # In the table of Cairns and Ho 5,4,6 has the value 3.
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
    page = show("#table/end-wythoff//1024/values")
    expect(page.locator("#status")).to_contain_text(re.compile("Computing (256|1024)"))
    page.locator("#stop").click()
    expect(page.locator("#status")).to_have_text(re.compile("^Stopped: (64 × 64|256 × 256) is shown, of 1024 × 1024.$"))


def test_a_long_row_has_a_clock_and_is_stopped(show):
    page = show("#row/end-wythoff/16,16,16/400")
    expect(page.locator("#status")).to_contain_text(re.compile(r"^Computing… [1-9]\d* s"))
    page.locator("#status .stop").click()
    expect(page.locator("#status")).to_have_text("Stopped.")


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
    # A column is a set of moves from 1 to 4. The set of 1, 3 and 4 has the index 1 + 4 + 8.
    # docs/COMMANDS.md prints its value 1.
    press(page, "ArrowRight", times=13)
    expect(page.locator("#cell")).to_have_text("8{1,3,4}: value 1")
    press(page, "Enter")
    expect(page.locator("#value")).to_have_text("1")


def test_a_conjecture_and_its_counterexamples(show):
    page = show()
    page.get_by_role("link", name="Conjecture").click()
    # The README has the counts up to 64. `grundy check` counted those up to 32.
    expect(page.locator("#verdict")).to_contain_text("Fails at")
    expect(page.locator("#counterexamples li").first).to_contain_text("1,3,3")
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
    expect(page.locator("#failing h3")).to_have_text("Seven published statements fail: see for yourself")
    expect(page.locator("#failing .badge.fails")).to_have_count(7)
    page.locator("#filter").fill("nothing says this")
    expect(page.locator("#nothing")).to_be_visible()
    expect(page.locator("#claims h3:visible")).to_have_count(0)
    page.locator("#filter").fill("an.period-pow2")
    expect(page.locator("#claims h3:visible")).to_have_count(1)
    expect(page.locator(".claims li:visible")).to_have_count(1)
    page.locator(".claims li:visible a").first.click()
    expect(page.locator("#claims")).to_contain_text("Least counterexample")
    page.locator("#claims a", has_text="5,4").first.click()
    expect(page.locator("#shown")).to_have_text("5,4")


def test_no_claim_shows_markup(show):
    page = show("#claims")
    page.wait_for_selector(".claims li")
    links = [link.get_attribute("href") for link in page.locator(".claims li > a:first-of-type").all()]
    assert len(links) >= 83
    for link in links:
        go(page, link)
        expect(page.locator("#claims > h3")).to_contain_text(f"· {link.removeprefix('#claims/')} ")
        text = page.locator("#claims").inner_text()
        assert not re.search(r"<a id|\]\(|\*\*|\|--", text), (link, text)


def test_words_are_put_into_a_statement_and_time_is_told(show):
    page = show("#check/end-nim/P/2/9")
    page.locator("#statement").press("End")
    page.locator("#words").get_by_role("button", name="->", exact=True).click()
    page.locator("#statement").press_sequentially("first == last")
    expect(page.locator("#statement")).to_have_value("P -> first == last")
    page.locator("#go").click()
    expect(page.locator("#verdict .verdict")).to_contain_text("Holds at 81 positions")
    # 64 + 64^2 + 64^3 positions.
    page.locator("#lengths").fill("1-3")
    page.locator("#max-pile").fill("64")
    expect(page.locator("#cost")).to_have_text("A check of 266,304 positions takes less than a second.")
    page.locator("#form").select_option(label="The same backwards")
    expect(page.locator("#statement")).to_have_value("g == g(reverse)")
    go(page, "#check/end-nim/g <= first + last/1-4/128")
    expect(page.locator("#count")).to_contain_text(re.compile(r"of [\d,]+ values; about [\d,]+ seconds are left"))
    page.locator("#stop").click()


def test_counterexamples_are_a_map(show):
    page = show("#check/end-nim/g == 1 -> abs(first - last) <= 1/3-3/64")
    page.locator("#map").click()
    canvas = page.locator("#where canvas.heat")
    canvas.focus()
    # The least counterexample is 1,3,3; a row and its reversal have the same value.
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator("#cell")).to_have_text("first pile 1, last pile 3: 1 counterexample")
    press(page, "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft")
    expect(page.locator("#live")).to_have_text("first pile 3, last pile 1: 1 counterexample")
    page = show("#check/end-nim/g <= total/2/9")
    expect(page.locator("#verdict .verdict")).to_contain_text("Holds")
    expect(page.locator("#map")).to_have_count(0)


def test_names_and_positions_are_understood_as_people_write_them(show):
    page = show("#position/End Nim/2 3 4")
    expect(page.locator("#value")).to_have_text("5")
    expect(page.locator("#game")).to_have_value("end-nim")
    for text, shown, game in [("Nim 3 4", "3,4", "nim"), ("Misère End-Nim", "2,3,4", "misere-end-nim"), ("2 2", "2,2", "misere-end-nim")]:
        page.locator("#text").fill(text)
        page.locator("#go").click()
        expect(page.locator("#shown")).to_have_text(shown)
        expect(page.locator("#game")).to_have_value(game)
    # If an address contains only the view, the page shows an example. A game without rows has no middle.
    page = show("#table")
    expect(page.locator("#status")).to_contain_text("256 × 256:")
    page.locator("#game").select_option("nim")
    expect(page).to_have_url(re.compile("#table/nim//256/values$"))
    expect(page.locator("#status")).to_contain_text("256 × 256: 256 P-positions")


def test_what_keys_select_is_heard(show):
    page = show("#table/end-nim/4/64/values")
    expect(page.locator("#status")).to_contain_text("64 × 64:")
    page.locator("canvas.heat").focus()
    press(page, "ArrowDown", times=4)
    press(page, "ArrowRight", times=5)
    expect(page.locator("#live")).to_have_text("5,4,6: value 3")
    press(page, "Space")
    expect(page.locator("#live")).to_contain_text("5,4,6: value 3. Wins: ")
    page = show("#row/end-nim/5,4/200")
    expect(page.locator("#status")).to_contain_text("period 12")
    page.locator("canvas.plot").focus()
    press(page, "ArrowRight", times=5)
    expect(page.locator("#live")).to_have_text("5,4,6: 3")


def test_other_games_and_sums(show):
    page = show("#position/end-nim/2,3,4")
    page.locator("#others summary").click()
    # 2 xor 3 xor 4 is 5, and 2,3,4 of End-Nim has the value 5, too.
    expect(page.locator("#others tr", has_text=re.compile("^Nim"))).to_contain_text("5")
    expect(page.locator("#others tbody tr")).to_have_count(page.locator("#game option").count() - 1)
    # The sum is computed beside the table: it neither waits for it nor cancels it.
    page.locator("#plus").fill("1,2,6")
    page.locator("#add").click()
    expect(page.locator("#sum")).to_have_text("5 xor 5 = 0: the player to move loses the sum.")
    go(page, "#position/misere-nim/1,2")
    expect(page.locator("#shown")).to_have_text("1,2")
    page.locator("#add").click()
    expect(page.locator("#sum")).to_contain_text("under normal play")


@pytest.mark.parametrize(
    ("alone", "framed", "view"),
    [
        ("#play/end-nim/first/2,3,4", "#embed/play/end-nim/first/2,3,4", "play/end-nim/first/2,3,4"),
        ("", "#embed", "play/end-nim/first/2,4,3,5"),
    ],
)
def test_a_link_is_copied_and_framed(opens, address, alone, framed, view):
    page = opens(permissions=["clipboard-read", "clipboard-write"])
    page.goto(address + alone)
    for button, copied in [("#copy", page.url), ("#frame", f'src="{address}#embed/{view}"')]:
        page.locator(button).click()
        expect(page.locator(button)).to_have_text("Copied")
        assert copied in page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(address + framed)
    expect(page.locator("#board .coin").first).to_be_visible()
    expect(page.locator("header")).to_be_hidden()
    with page.expect_popup() as opened:
        page.locator("#out a").click()
    expect(opened.value).to_have_url(f"{address}#{view}")


class Site(SimpleHTTPRequestHandler):
    """A web server that allows browsers to use their own copies of files for an hour."""

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()


def test_after_one_visit_it_works_without_a_network(opens, capsys):
    page = opens(service_workers="allow")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, directory=os.environ["EXPLORER"]))
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://site.localhost:{server.server_port}/"
    page.goto(f"{address}style.css")
    page.evaluate("Promise.all(['of others', 'grundy / 1-1'].map((name) => caches.open(name))).then(() => 0)")
    page.goto(address)
    page.locator("#board .coin").first.wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    # The files are kept as the server has them now.
    assert capsys.readouterr().err.count("GET /main.js ") == 2
    server.shutdown()
    server.server_close()
    page.reload()
    expect(page.locator("#board .coin")).to_have_count(14)
    assert "of others" in page.evaluate("caches.keys()")
    assert "grundy / 1-1" not in page.evaluate("caches.keys()")
    for view in GOOD:
        go(page, GOOD[view])
        expect(page.locator(f"#view-{view}")).to_have_attribute("aria-current", "page")
        expect(page.locator(THERE[view])).to_be_visible()
        expect(page.locator(".error")).to_have_count(0)
        if view in ("check", "game"):
            page.reload()
            expect(page.locator(THERE[view])).to_be_visible()


def test_claims_are_checked_here_with_the_same_verdict(show):
    page = show("#claims/lgn.thm27")
    text = page.evaluate("import('./statements.js').then((found) => Object.keys(found.STATEMENTS))")
    assert len(text) >= 33
    for claim in text:
        go(page, f"#claims/{claim}")
        expect(page.locator("#claims > h3")).to_contain_text(f"· {claim} ")
        verdict = page.locator("#claims h3 .badge").text_content().split(":")[0]
        page.locator("a.here").click()
        expect(page.locator("#verdict .verdict")).to_contain_text("positions")
        assert page.locator("#verdict .verdict").text_content().lower().startswith(verdict), claim
    # The least position on which the published and the corrected statement differ has 6 coins.
    go(page, "#claims/lgn.thm27")
    page.locator("a.here").click()
    expect(page.locator("#counterexamples li").first).to_contain_text("6{2..5}")


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
