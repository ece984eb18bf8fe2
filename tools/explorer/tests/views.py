"""The views of the page: a valid address of each, and a sign that it is shown."""

GOOD = {
    "position": "#position/end-nim/2,3,4",
    "table": "#table/end-nim/4/64/values",
    "row": "#row/end-nim/5,4/50",
    "single": "#single/short-global-nim/50",
    "sets": "#sets/long-global-nim/6",
    "check": "#check/end-nim/g == 0/2/5",
    "claims": "#claims/ch.thm5.4",
}

THERE = {
    "position": "#value",
    "table": "#status:text('P-positions')",
    "row": "#status:text('50 values')",
    "single": "#status:text('50 values')",
    "sets": "#status:text('64 positions')",
    "check": "#counterexamples li >> nth=0",
    "claims": "h3:text('5.4')",
}
