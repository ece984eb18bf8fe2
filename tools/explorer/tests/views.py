"""The views of the page, each with a valid address and an element that shows that it has loaded."""

from base64 import urlsafe_b64encode


def typed(text):
    """Returns the part of an address for the text of a rule file."""
    return "~" + urlsafe_b64encode(text.encode()).decode().rstrip("=")


GOOD = {
    "play": "#play/end-nim/first/2,4,3,5",
    "position": "#position/end-nim/2,3,4",
    "table": "#table/end-nim/4/64/values",
    "row": "#row/end-nim/5,4/50",
    "single": "#single/short-global-nim/50",
    "sets": "#sets/long-global-nim/6",
    "families": "#families/end-nim/3* 1 3*",
    "two": "#two/row%2Fend-nim%2F5,4%2F50/single%2Fshort-global-nim%2F50",
    "check": "#check/end-nim/g == 0/2/5",
    "claims": "#claims/ch.thm5.4",
    "game": "#game/kayles",
}

THERE = {
    "play": "#board .coin >> nth=0",
    "position": "#value",
    "table": "#status:has-text('P-positions')",
    "row": "#status:has-text('50 values')",
    "single": "#status:has-text('50 values')",
    "sets": "#status:has-text('64 positions')",
    "families": "#closing",
    "two": "iframe:visible >> nth=0",
    "check": "#counterexamples li >> nth=0",
    "claims": "h3:text('5.4')",
    "game": "#shows",
}
