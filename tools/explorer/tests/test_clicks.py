"""Runs the scripts in clicks.txt, which use the page as a user would. The file explains them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from waiting import eventually, go

#: The scripts by their titles, as lists of lines.
SCRIPTS = {
    title: [line for line in lines if line and line[0] != "#"]
    for title, *lines in (part.split("\n") for part in Path(__file__).with_name("clicks.txt").read_text().split("\n== ")[1:])
}


def matching(text):
    """Returns a pattern if the text is written as `/.../`, and otherwise the text itself."""
    return re.compile(text[1:-1]) if text[:1] == text[-1:] == "/" and len(text) > 1 else text


def saved(page, button, name):
    with page.expect_download() as download:
        button.click()
    assert download.value.suggested_filename == name


@pytest.mark.parametrize("title", SCRIPTS)
def test_a_script_of_clicks(show, title):
    page = show(SCRIPTS[title][0].removeprefix("show").strip())
    one = page.locator
    commands = {
        "show": show,
        "go": lambda at: go(page, at),
        "back": lambda: page.go_back(),
        "reload": lambda: page.reload(),
        "size": lambda size: page.set_viewport_size(dict(zip(("width", "height"), map(int, size.split("x")), strict=True))),
        "click": lambda at: one(at).first.click(),
        "hover": lambda at: one(at).first.hover(),
        "focus": lambda at: one(at).first.focus(),
        "press": lambda keys: [page.keyboard.press(key) for word in keys.split() for key, _, times in [word.partition("*")]
                               for _ in range(int(times or 1))],
        "saved": lambda at, name: saved(page, one(at), name),
        "type": lambda text: page.keyboard.type(text),
        "fill": lambda at, text: one(at).fill(text),
        "choose": lambda at, option: one(at).select_option(option),
        "heard": lambda text: expect(one("#live")).to_contain_text(matching(text)),
        "see": lambda at, text="": expect(one(at).first).to_contain_text(matching(text)),
        "text": lambda at, text: expect(one(at)).to_have_text(matching(text)),
        "value": lambda at, text: expect(one(at)).to_have_value(matching(text)),
        "count": lambda at, number: expect(one(at)).to_have_count(int(number)),
        "check": lambda at: one(at).check(),
        "hidden": lambda at: expect(one(at).first).to_be_hidden(),
        "fits": lambda at: eventually(page, lambda: one(at).first.evaluate("(box) => box.scrollWidth <= box.clientWidth")),
        "address": lambda text: expect(page).to_have_url(re.compile(re.escape(text) + "$")),
    }
    for line in SCRIPTS[title][1:]:
        command, _, rest = line.partition(" ")
        print(line)
        commands[command](*rest.split(" | ") if rest else [])
