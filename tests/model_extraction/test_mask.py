"""Secrets go, everything else stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extraction.mask import MARKER, mask
from tests.counting import calls

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\nabc=\n-----END RSA PRIVATE KEY-----"

SECRETS = [
    ("my key is sk-proj-abc123DEF456ghi789JKL0 ok", "sk-proj-abc123DEF456ghi789JKL0"),
    ("AWS AKIAIOSFODNN7EXAMPLE there", "AKIAIOSFODNN7EXAMPLE"),
    ("token ghp_abcdefghijklmnopqrstuvwxyz0123456789.", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
    ("glpat-abcdefghij1234567890", "glpat-abcdefghij1234567890"),
    ("use xoxb-12345678901-abcdefghij", "xoxb-12345678901-abcdefghij"),
    (f"jwt {JWT} end", JWT),
    (f"here:\n{KEY}\nthanks", KEY),
    ("Authorization: Bearer abcdef0123456789ABCDEF", "abcdef0123456789ABCDEF"),
    ("the wifi password: tulips", "tulips"),
    ("My password is hunter2.", "hunter2"),
    ("password for the router is Gr4pe!vine", "Gr4pe!vine"),
    ("PASSWORD=correct-horse", "correct-horse"),
    ('{"api_key": "0123abcd"}', "0123abcd"),
    ("client_secret: abcDEF123", "abcDEF123"),
    ("my pin is 4921, don't tell", "4921"),
    ("密码是abc12345，别告诉别人", "abc12345"),
    ("我的密码：tulips2020。", "tulips2020"),
    ("密码改成了 Qwerty!9", "Qwerty!9"),
    ("postgres://app:s3cretpw@db.local/x", "s3cretpw"),
    ("card 4111 1111 1111 1111 exp 12/27", "4111 1111 1111 1111"),
    ("卡号4111111111111111", "4111111111111111"),
    ("amex 3782-822463-10005", "3782-822463-10005"),
]

HARMLESS = [
    "Call me at +1 415 555 2671 or 138 0013 8000.",
    "我的手机号是13800138000。",
    "Order 1234567890123456 arrived.",
    "card 4111 1111 1111 1112 has a wrong check digit",
    "My password is too weak, I should change it.",
    "The password is required.",
    "password: required",
    "I forgot my password. Is it possible to reset it?",
    "我忘了密码，怎么办？",
    "密码是我的生日",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "I use scikit-learn and sk-learn-contrib-something-long-name here",
    "the bearer of good news arrived in Cork",
    "He pinned a note: 4921 steps",
    "My API key is still missing.",
    "timestamp 1717171717171717",
    "The key is under the mat.",
    "https://example.com:8080/path@home",
    "The PIN is wrong.",
    "My order of 2720992222222222220 grains",
]


@pytest.mark.parametrize(("text", "secret"), SECRETS, ids=[s for s, _ in SECRETS])
def test_a_secret_is_masked_and_its_surroundings_stay(text: str, secret: str) -> None:
    """Only the secret itself is replaced."""
    masked = mask(text)
    assert masked.text == text.replace(secret, MARKER)
    assert masked.count == 1


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    """Phone numbers, ids and talk about passwords are not touched."""
    assert mask(text).text == text


def test_every_secret_is_counted() -> None:
    """The count is the number of places replaced."""
    text = "password: tulips and sk-abc123DEF456ghi789JKL0 and AKIAIOSFODNN7EXAMPLE"
    assert mask(text).count == 3


def test_a_key_block_that_was_cut_off_goes_to_the_end() -> None:
    """What follows the first line of a key without its last line may be all key."""
    assert mask("see -----BEGIN PRIVATE KEY-----\nMIIEow").text == f"see {MARKER}"


PIECES = st.sampled_from([s for s, _ in SECRETS] + HARMLESS + [MARKER, " ", "\n", "password: "])


@given(st.lists(PIECES | st.text(max_size=20), max_size=6).map("".join))
def test_masking_twice_changes_nothing_more(text: str) -> None:
    """Masked text can be masked again."""
    once = mask(text).text
    assert mask(once).text == once
    assert mask(once).count == 0


@pytest.mark.parametrize(
    "unit",
    [
        "-----BEGIN PRIVATE KEY-----",
        "sk-",
        "eyJ" + "a" * 20 + ".",
        "4111 ",
        "password ",
        "a:b@://",
        "password for ",
        "bearer ",
        "1",
        "密码是",
    ],
)
def test_time_is_linear(unit: str) -> None:
    """Sixteen times the text takes no more than about sixteen times the work."""
    short, long = (calls(lambda n=n: mask((unit * n)[:n])) for n in (20_000, 320_000))
    assert long < 16 * 2 * short + 1000
