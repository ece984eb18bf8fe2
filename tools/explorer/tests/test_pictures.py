"""Tests heat maps and graphs: the visible part, labels at the edges, and touch gestures."""

import re

import pytest
from playwright.sync_api import expect
from waiting import arrives, drawn, eventually, press

SEEN = "document.querySelector('canvas.heat').dataset.seen"


def seen(page):
    """Returns the left and top edge of the visible part, and its size, in cells."""
    return [float(part) for part in page.evaluate(SEEN).split()]


def test_another_look_is_of_the_same_part(show):
    page = show("#table/end-nim/4/256/values")
    expect(page.locator("#status")).to_contain_text("256 × 256:")
    canvas = page.locator("canvas.heat")
    canvas.focus()
    press(page, "ArrowRight", times=30)
    press(page, "+", times=4)
    expect(page.locator("#cell")).to_contain_text("1,4,31: value")
    eventually(page, lambda: seen(page)[2] < 100)
    before = seen(page)
    for how, legend, cell in [
        ("differences", "−", "1,4,31: value − (a xor b)"),
        ("lost", "Light cells", "1,4,31: value "),
        ("value", "Light cells", "1,4,31: value "),
    ]:
        with arrives(page):
            page.locator("#how").select_option(how)
        expect(page.locator("#legend")).to_contain_text(legend)
        expect(page.locator("#cell")).to_contain_text(cell)
        expect(page.locator("#status .stop")).to_have_count(0)
        assert seen(page) == before, how
    with arrives(page):
        page.locator("#chosen").fill("7")
        page.locator("#chosen").press("Enter")
    expect(page).to_have_url(re.compile("value=7"))
    assert seen(page) == before
    # A different table is shown as a whole.
    page.locator("#fields summary").click()
    page.locator("#middle").fill("5")
    page.locator("#go").click()
    expect(page.locator("#cell")).to_have_text("Point at a cell.")
    expect(page.locator("#status")).to_contain_text("256 × 256:")
    eventually(page, lambda: seen(page), [0, 0, 256])


def test_two_tables_beside_each_other_show_the_same_part_and_cell(show):
    page = show("#table/end-nim/4/64/values")
    expect(page.locator("#status")).to_contain_text("64 × 64:")
    page.locator("#beside").click()
    one, other = (page.frame_locator(f"iframe >> nth={at}") for at in (0, 1))
    for frame in (one, other):
        expect(frame.locator("#status")).to_contain_text("64 × 64:")
    other.locator("#fields summary").click()
    other.locator("#game").select_option("loop-end-nim")
    expect(other.locator("#fields summary")).to_contain_text("Loop-End-Nim")
    one.locator("#nearer").click()
    one.locator("canvas.heat").press("ArrowRight")
    one.locator("canvas.heat").press(" ")
    eventually(page, lambda: other.locator("canvas.heat").get_attribute("data-seen"), "16.00 16.00 32.00")
    expect(other.locator("#pinned h3")).to_contain_text(re.compile(r"^\d+,4,\d+: value"))
    expect(page).to_have_url(re.compile(r"#two/table%2Fend-nim.*/table%2Floop-end-nim.*%2F17,17,32$"))
    page.reload()
    eventually(page, lambda: one.locator("canvas.heat").get_attribute("data-seen"), "16.00 16.00 32.00")


def test_a_cell_is_pinned_beside_the_map_and_in_the_address(show):
    page = show("#table/end-nim/4/64/values")
    expect(page.locator("#status")).to_contain_text("64 × 64:")
    box = page.locator("canvas.heat").bounding_box()
    page.mouse.click(box["x"] + 5.5 / 64 * box["width"], box["y"] + 4.5 / 64 * box["height"])
    # In the table of Albert and Nowakowski 5,4,6 has the value 3.
    expect(page.locator("#pinned h3")).to_have_text("5,4,6: value 3")
    expect(page.locator("#pinned")).to_contain_text("Wins: ")
    expect(page.locator(".beside .plot")).to_be_visible()
    expect(page).to_have_url(re.compile("#table/end-nim/4/64/values/5,6$"))
    page.locator("#nearer").click()
    page.locator("#nearer").click()
    expect(page).to_have_url(re.compile(r"/values/5,6/\d+,\d+,16$"))
    before = seen(page)
    page.reload()
    expect(page.locator("#pinned h3")).to_have_text("5,4,6: value 3")
    eventually(page, lambda: [round(part) for part in seen(page)] == [round(part) for part in before])
    # A second click opens the position.
    canvas = page.locator("canvas.heat")
    canvas.focus()
    press(page, "Enter")
    expect(page.locator("#shown")).to_have_text("5,4,6")


def test_numbers_stand_in_cells_that_are_large(show):
    page = show("#table/end-nim/4/64/values/1,1/1,1,16")
    expect(page.locator("#pinned h3")).to_have_text("1,4,1: value 0")
    eventually(page, lambda: page.evaluate("looks.colours(1.5 / 16, 2.5 / 16, 0.6 / 16)") > 2)
    assert page.evaluate("[...document.querySelectorAll('canvas.axis')].every((one) => looks.inked(one))")
    page.locator("#whole").click()
    eventually(page, lambda: page.evaluate("looks.colours(6.5 / 64, 10.5 / 64, 0.5 / 64)"), 1)
    expect(page).to_have_url(re.compile("/values/1,1$"))


@pytest.mark.parametrize(
    ("how", "legend"),
    [("seen", "92"), ("log", "92"), ("parity", "1, modulo 2"), ("mod", "3, modulo 4")],
)
def test_colours_show_what_is_asked(show, how, legend):
    page = show("#table/end-nim/4/64/values")
    expect(page.locator("#status")).to_contain_text("largest value 92")
    page.locator("#how").select_option(how)
    expect(page.locator("#legend")).to_contain_text(legend)
    if how == "seen":
        page.locator("#nearer").click()
        expect(page.locator("#legend")).not_to_contain_text("92")


def test_a_map_is_saved_as_a_picture_and_as_numbers(show):
    page = show("#table/partizan-end-nim/3/64/values")
    expect(page.locator("#status")).to_contain_text("64 × 64:")
    page.locator("#share").click()
    with page.expect_download() as saved:
        page.locator("#png").click()
    assert saved.value.suggested_filename == "partizan-end-nim-3-64.png"
    assert open(saved.value.path(), "rb").read(8) == b"\x89PNG\r\n\x1a\n"
    with page.expect_download() as saved:
        page.locator("#csv").click()
    lines = open(saved.value.path()).read().splitlines()
    assert lines[0] == "a,b,class" and len(lines) == 1 + 64 * 64
    assert lines[1].startswith("1,1,") and lines[1][-1] in "LRNP"


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_the_map_and_its_reading_are_on_the_screen_together(opens, address, size):
    page = opens(viewport={"width": size[0], "height": size[1]})
    page.goto(f"{address}#table/end-nim/4/64/values/5,6")
    expect(page.locator("#cell")).to_have_text("5,4,6: value 3")
    for one in ("canvas.heat", "#cell"):
        box = page.locator(one).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1], one


@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("width", [360, 1200])
def test_letters_on_axes_are_whole(opens, address, ratio, width):
    page = opens(viewport={"width": width, "height": 740}, device_scale_factor=ratio)
    for fragment, values in [("single/short-global-nim/1000000", "1000000"), ("row/end-nim/5,4/200", "200")]:
        page.goto(f"{address}#{fragment}")
        expect(page.locator("#status")).to_contain_text(f"{values} values", timeout=60_000)
        drawn(page)
        assert page.evaluate("looks.edges()") == {"left": False, "below": False, "right": False}, fragment


@pytest.fixture
def touched(opens, address):
    """Opens a page on a touch screen; returns it with a function that touches it."""
    page = opens(viewport={"width": 412, "height": 900}, has_touch=True, is_mobile=True)
    page.goto(f"{address}#table/end-nim/4/256/values")
    expect(page.locator("#status")).to_contain_text("256 × 256:")
    page.locator("canvas.heat").scroll_into_view_if_needed()
    client = page.context.new_cdp_session(page)

    def touch(*steps):
        """Touches the map. Each step gives the places of the fingers, as fractions of the map."""
        box = page.locator("canvas.heat").bounding_box()
        for at, fingers in enumerate(steps):
            points = [
                {"x": box["x"] + x * box["width"], "y": box["y"] + y * box["height"], "id": number}
                for number, (x, y) in enumerate(fingers)
            ]
            client.send(
                "Input.dispatchTouchEvent",
                {"type": "touchStart" if at == 0 else "touchMove", "touchPoints": points},
            )
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        drawn(page)

    yield page, touch


def test_a_tap_points_and_the_next_one_opens(touched):
    page, touch = touched
    touch([(0.502, 0.252)])
    expect(page.locator("#cell")).to_contain_text("65,4,129: value")
    touch([(0.1, 0.1)])
    expect(page.locator("#cell")).to_contain_text("26,4,26: value 0")  # a, b, a is lost
    assert "#table" in page.url
    touch([(0.1, 0.1)])
    expect(page.locator("#shown")).to_have_text("26,4,26")


def test_one_finger_scrolls_and_two_move_and_zoom(touched):
    page, touch = touched

    def near(*wanted):
        eventually(page, lambda: all(abs(one - other) < 3 for one, other in zip(seen(page), wanted, strict=True)))

    near(0, 0, 256)
    # Doubling the distance between the fingers halves the visible part, and keeps the cell between
    # them in its place.
    touch([(0.4, 0.5), (0.6, 0.5)], [(0.35, 0.5), (0.65, 0.5)], [(0.3, 0.5), (0.7, 0.5)])
    near(64, 64, 128)
    touch([(0.4, 0.5), (0.6, 0.5)], [(0.3, 0.4), (0.5, 0.4)], [(0.15, 0.25), (0.35, 0.25)])
    near(96, 96, 128)
    # A gesture of one finger changes nothing on the map, and opens no cell.
    touch([(0.5, 0.5)], [(0.4, 0.5)], [(0.25, 0.25)])
    near(96, 96, 128)
    # Moving the fingers together zooms out again.
    touch([(0.2, 0.5), (0.8, 0.5)], [(0.4, 0.5), (0.6, 0.5)], [(0.45, 0.5), (0.55, 0.5)])
    eventually(page, lambda: seen(page)[2], 256)
    assert "#table" in page.url
