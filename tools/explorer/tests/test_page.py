"""Uses every feature as a user would: by clicks, or typing, or by the keyboard alone."""

import json
import os
import re
import shutil
import urllib.request
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect
from views import GOOD, THERE
from waiting import eventually, go, press, until


def test_a_table_zooms_and_tells_values(show):
    page = show("#table/end-nim/4/256/values")
    expect(page.locator("#status")).to_contain_text("256 × 256:")
    canvas = page.locator("canvas.heat")
    canvas.focus()
    press(page, "ArrowDown", times=4)
    press(page, "ArrowRight", times=5)
    # In the table of Albert and Nowakowski 5,4,6 has the value 3.
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
    # The page estimates the time of a slow table.
    page = show("#table/end-wythoff/30,20/1024/values")
    expect(page.locator("main")).to_contain_text(re.compile(r"about \d+ seconds"))
    # A long computation is cancelled if the user leaves the view.
    page = show("#table/long-global-nim//64/values")
    expect(page.locator("#status")).to_contain_text("Computing 64 × 64")
    go(page, "#position/end-nim/2,3,4")
    expect(page.locator("#value")).to_have_text("5", timeout=30_000)
    eventually(page, lambda: len(page.workers), 1)


def test_a_computation_is_stopped(show):
    page = show("#check/end-nim/g%20%3C%3D%20first%20%2B%20last/1-4/128")
    expect(page.locator("#verdict")).to_contain_text("Checking")
    until(page, "() => document.getElementById('progress').value > 0")
    page.locator("#stop").click()
    expect(page.locator("#verdict")).to_contain_text("Stopped")
    # With so many sets of moves, this table is much slower than the smaller tables suggest.
    page = show("#table/long-global-nim//64/values")
    expect(page.locator("#status")).to_contain_text("Computing 64 × 64")
    page.locator("#status .stop").click()
    expect(page.locator("#status")).to_have_text("Stopped: 16 × 16 is shown, of 64 × 64.")


def test_a_long_row_has_a_clock_and_is_stopped(show):
    page = show("#row/end-wythoff/16,16,16/400")
    expect(page.locator("#status")).to_contain_text(re.compile(r"^Computing, for about .* or more… [1-9]\d* s"))
    # A busy machine would wait too long for the button to be stable.
    page.locator("#status .stop").dispatch_event("click")
    expect(page.locator("#status")).to_have_text("Stopped.")


def test_claims(show):
    page = show()
    page.get_by_role("link", name="Theorems").click()
    page.wait_for_selector(".claims li")
    expect(page.locator("#failing h3").first).to_have_text("See for yourself: 6 published statements fail")
    expect(page.locator("#failing h3").nth(1)).to_have_text("Depending on the convention: 1 more")
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
    expect(page.locator("#status")).to_contain_text("period 12")


def test_no_claim_shows_markup(show):
    page = show("#claims")
    page.wait_for_selector(".claims li")
    links = [link.get_attribute("href") for link in page.locator(".claims li > a:first-of-type").all()]
    assert len(links) >= 83
    for link in links:
        go(page, link)
        expect(page.locator("#claims > h3")).to_contain_text(f"· {link.removeprefix('#claims/')} ")
        # In code, ** is a power.
        text = page.locator("#claims").evaluate("(one) => { const copy = one.cloneNode(true); copy.querySelectorAll('code').forEach((code) => code.remove()); return copy.textContent; }")
        assert not re.search(r"<a id|\]\(|\*\*|\|--", text), (link, text)


@pytest.mark.parametrize(
    ("alone", "framed", "view"),
    [
        ("#play/end-nim/first/2,3,4", "#embed/play/end-nim/first/2,3,4", "play/end-nim/first/2,3,4"),
        ("", "?embed", "play/end-nim/first/2,4,3,5"),
    ],
)
def test_a_link_is_copied_and_framed(opens, address, tmp_path, alone, framed, view):
    page = opens(permissions=["clipboard-read", "clipboard-write"])
    page.goto(address + alone)
    page.locator("#share").click()
    for button, copied in [("#copy", page.url), ("#frame", f'src="{address}?embed#{view}"')]:
        page.locator(button).click()
        expect(page.locator(button)).to_have_text("Copied")
        assert copied in page.evaluate("navigator.clipboard.readText()")
    # A page of the user's own notes shows the explorer in a frame.
    notes = tmp_path / "notes.html"
    notes.write_text(f'<iframe src="{address}?embed#{view}"></iframe>')
    page.goto(f"file://{notes}")
    expect(page.frame_locator("iframe").locator("#board .coin").first).to_be_visible()
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


@pytest.fixture
def site():
    """Serves a folder as a web server elsewhere would; returns a function that returns its address."""
    servers = []

    def serve(folder):
        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, directory=folder)))
        Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://site.localhost:{servers[-1].server_port}/"

    def end():
        for server in servers:
            server.shutdown()
            server.server_close()

    serve.end = end
    yield serve
    end()


KEPT = "caches.keys().then((all) => caches.open(all.find((name) => name.startsWith('grundy / ') && name !== 'grundy / 1-1')))" \
    ".then((one) => one.keys()).then((all) => all.some(({url}) => url.endsWith('/whole.wasm')))"


def test_after_one_visit_it_works_without_a_network(opens, site, capsys):
    page = opens(service_workers="allow")
    address = site(os.environ["EXPLORER"])
    page.goto(f"{address}style.css")
    page.evaluate("Promise.all(['of others', 'grundy / 1-1'].map((name) => caches.open(name))).then(() => 0)")
    page.goto(address)
    page.locator("#board .coin").first.wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    # The page keeps files that it has just fetched, not the browser's older copies; and only those of the first game.
    loaded = capsys.readouterr().err
    assert loaded.count("GET /main.js ") == 2
    assert "GET /whole.wasm " not in loaded and "GET /findings.md " not in loaded
    # A moment later it keeps the rest, too.
    eventually(page, lambda: page.evaluate(KEPT))
    site.end()
    page.goto(address)
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


def test_the_files_that_are_kept_first_import_no_others():
    folder = Path(os.environ["EXPLORER"])
    first = set(json.loads(re.search(r"FIRST = (\[.*\])", (folder / "keep.js").read_text())[1]))
    assert {"main.js", "play.js", "rounds.js"} <= first
    for file in first:
        if file.endswith(".js"):
            found = re.findall(r'^import .* from "\./(.*)";', (folder / file).read_text(), re.MULTILINE)
            assert set(found) <= first, file


def test_a_browser_that_saves_data_keeps_nothing_unless_it_is_asked(opens, site, capsys):
    page = opens(service_workers="allow")
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } });")
    page.goto(site(os.environ["EXPLORER"]))
    page.locator("#keep").wait_for()
    go(page, GOOD["position"])
    expect(page.locator("#value")).to_be_visible()
    assert "GET /keep.js " not in capsys.readouterr().err
    page.locator("#keep").click()
    expect(page.locator("#keep")).to_contain_text("works without a network")
    assert page.evaluate(KEPT)


def test_the_page_tells_that_a_new_version_waits(opens, site, tmp_path):
    shutil.copytree(os.environ["EXPLORER"], tmp_path / "site")
    page = opens(service_workers="allow")
    page.goto(site(tmp_path / "site"))
    page.locator("#keep").wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.reload()
    page.locator("#keep").wait_for()
    expect(page.locator("#newer")).to_have_count(0)
    script = tmp_path / "site/keep.js"
    script.write_text(script.read_text() + "// a new version\n")
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update()).then(() => 0)")
    expect(page.locator("#newer")).to_contain_text("A new version of this page waits.")
    page.locator("#newer button").click()
    expect(page.locator("#newer")).to_have_count(0)
    expect(page.locator("#board .coin").first).to_be_visible()


def test_claims_are_checked_here_with_the_same_verdict(show):
    page = show("#claims/lgn.thm27")
    page.wait_for_selector("#claims h3")
    of_page = "import('./claims.js').then((page) => page.findings())"
    stated = ".then((papers) => papers.flatMap((paper) => paper.claims).filter((claim) => claim.checks.length > 0))"
    claims = page.evaluate(f"{of_page}{stated}.then((all) => all.map((claim) => claim.id))")
    assert len(claims) >= 58
    for claim in claims:
        go(page, f"#claims/{claim}")
        expect(page.locator("#claims > h3")).to_contain_text(f"· {claim} ")
        verdict = page.locator("#claims h3 .badge").text_content().split(":")[0].split()[0]
        page.locator("a.here").first.click()
        expect(page.locator("#verdict .verdict")).to_contain_text("positions")
        assert page.locator("#verdict .verdict").text_content().lower().startswith(verdict), claim
    # The least position on which the published and the corrected statement differ has 6 coins.
    go(page, "#claims/lgn.thm27")
    page.locator("a.here").first.click()
    expect(page.locator("#counterexamples li").first).to_contain_text("6{2..5}")


def test_the_policy_lets_nothing_else_in(address):
    with urllib.request.urlopen(address) as response:
        policy = response.headers["Content-Security-Policy"]
        text = response.read().decode()
    for said in (policy, text):
        assert "default-src 'none'" in said
        assert "unsafe-inline" not in said and "unsafe-eval'" not in said.replace("'wasm-unsafe-eval'", "")
    with urllib.request.urlopen(f"{address}?embed") as response:
        assert response.headers["Content-Security-Policy"] == policy.removesuffix("; frame-ancestors 'none'") != policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    # The page loads nothing from other servers.
    assert "http:" not in text and "https:" not in text


def test_as_a_file_it_says_why_not(opens):
    page = opens()
    page.goto("file://" + os.path.abspath(os.environ["EXPLORER"]) + "/index.html")
    expect(page.locator(".error")).to_contain_text("grundy explore")


def test_a_proof_that_was_stopped_can_begin_again(opens, address):
    page = opens(late=1000)
    page.goto(f"{address}#check/end-nim/g == 1 -> abs(first - last) <= 2/3-3/18")
    page.locator("#prove").click()
    page.locator("#sizes .stop").click()
    expect(page.locator("#sizes .note")).to_have_text("Stopped.")
    page.locator("#prove").click()
    expect(page.locator("#sizes .verdict")).to_contain_text("proved for piles of all sizes")
    expect(page.locator("#prove")).to_have_count(0)
    # The map of an address begins by itself.
    page.goto("about:blank")
    page.goto(f"{address}#check/end-nim/g == 1 -> abs(first - last) <= 1/3-3/18/map")
    page.locator("#where .stop").click()
    page.locator("#map").click()
    expect(page.locator("#where #cell")).to_be_visible()
    expect(page.locator("#map")).to_have_count(0)


@pytest.mark.parametrize(("view", "word", "means"), [
    ("position", "Grundy value", "the least number"),
    ("position", "Outcome", "P the player who has just moved"),
    ("table", "P-positions", "loses against perfect play"),
    ("row", "period", "repeat"),
    ("row", "saltus", "adds to its values"),
    ("families", "regular set", "automaton"),
])
def test_a_word_has_a_meaning_where_it_stands(show, view, word, means):
    page = show(GOOD[view].replace("5,4/50", "5,4/200"))
    page.locator(f"main .word:text-is('{word}')").first.click()
    expect(page.locator("#meaning-of")).to_be_visible()
    expect(page.locator("#meaning-of")).to_contain_text(means)
    press(page, "Escape")
    expect(page.locator("#meaning-of")).to_be_hidden()
