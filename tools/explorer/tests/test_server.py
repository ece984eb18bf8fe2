"""The policy of the page, in its head and in what the server says."""

import urllib.request


def test_the_policy_lets_nothing_else_in(address):
    with urllib.request.urlopen(address) as response:
        policy = response.headers["Content-Security-Policy"]
        text = response.read().decode()
    for said in (policy, text):
        assert "default-src 'none'" in said
        assert "unsafe-inline" not in said and "unsafe-eval'" not in said.replace("'wasm-unsafe-eval'", "")
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    # Nothing on the page is loaded from elsewhere.
    assert "http:" not in text and "https:" not in text
