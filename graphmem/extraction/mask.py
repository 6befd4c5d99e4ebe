"""Masks secrets, before anything is hashed, quoted, stored, indexed or sent to a model.

Held to precision: a phone number, an order number, an id or the sentence "my password is too weak"
stays as it is. Every pattern has a fixed beginning and bounded or possessive repetition, so the
time taken is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.extraction.patterns.sentences import words

MARKER = "‹secret›"


@dataclass(frozen=True, slots=True)
class Masked:
    """A text in which ``count`` secrets were replaced by ``MARKER``."""

    text: str
    count: int


# Tokens that say by their own form what they are.
_TOKENS = re.compile(
    r"""(?<![A-Za-z0-9_])(?:
      sk-(?=[\w-]{0,200}\d)[\w-]{20,256}+                     # OpenAI and many compatible ones
    | (?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])      # AWS
    | gh[pousr]_[A-Za-z0-9]{30,255}+                          # GitHub
    | github_pat_\w{22,255}+
    | gl(?:pat|rt|dt)-[\w-]{20,255}+                          # GitLab
    | xox[abeoprs]-[A-Za-z0-9-]{10,255}+                      # Slack
    | AIza[\w-]{35}(?![\w-])                                  # Google
    | [srp]k_(?:live|test)_[A-Za-z0-9]{16,255}+               # Stripe
    | hf_[A-Za-z0-9]{30,64}+                                  # Hugging Face
    | (?:npm|pypi|dop_v1|shpat|lin_api)[_-][A-Za-z0-9_-]{30,255}+
    | SG\.[\w-]{16,64}+\.[\w-]{16,64}+                        # SendGrid
    | eyJ[\w-]{8,4096}+\.[\w-]{8,8192}+\.[\w-]{8,4096}+       # JSON web token
    )""",
    re.VERBOSE | re.ASCII,
)
_BEARER = re.compile(
    r"(?<![A-Za-z\d_])(?:bearer|authorization:[ \t]{0,3}(?:basic|token))[ \t]{1,3}"
    r"(?=[^\s]{0,200}\d)([A-Za-z0-9._~+/-]{16,4096}+=*+)",
    re.IGNORECASE | re.ASCII,
)
_URL_PASSWORD = re.compile(r"://[^\s/:@]{1,64}+:([^\s/@‹›]{3,128}+)@")

# "password: …": a label, then a value. After a colon or "=" the value may be any word but those
# that are plainly not one; after "is" it must look like a secret, since people also say "my
# password is too short".
_LABEL = re.compile(
    r"""(?<![A-Za-z\d_])(?=[acprsw])(?:  # their first letters: five times as fast on other text
      pass(?:word|wd|phrase|code)|pwd|api[ _-]?key|(?:secret|access|private)[ _-]?key
    | (?:access|auth|api|refresh|secret)[ _-]?token|client[ _-]?secret|aws_secret_access_key
    | wi-?fi[ ](?:key|code)|(?:pin|cvv|cvc)(?:[ ](?:code|number))?
    )(?![A-Za-z])["'”’]?"""
    r"(?:[ ](?:for|to|of|on)[ ][^\n:=：]{1,30}?)?"
    r"[ \t]{0,3}(?P<sep>[:=：]|is(?:\s+now)?(?=[\s:])[ \t]{0,3}:?|was(?=\s))[ \t]{0,3}"
    r"[\"'“‘`]?(?P<value>[^\s\"'“”‘’`,，。；;<>]{4,256}+)",
    re.VERBOSE | re.IGNORECASE,
)
_LABEL_HAN = re.compile(
    r"(?:密码|口令|密钥|秘钥|暗号|验证码|安全码|パスワード|비밀번호)"
    r"还?[ \t]{0,3}(?:是|为|改成了?|换成了?|设为|设成了?|は|[:：=])[ \t]{0,3}[:：]?[ \t]{0,3}"
    r"[\"'“‘「`]?(?P<value>[\x21\x23-\x26\x28-\x2b\x2d-\x3a\x3c-\x7e]{4,256}+)"
)
_NO_VALUE = words(
    "required optional none null true false string undefined missing wrong correct incorrect"
    " invalid empty blank hidden reset changed expired forgotten unknown here below above please"
    " protected saved stored encrypted hashed disabled enabled length minimum something your"
)
_PIN = re.compile(r"(?:pin|cvv|cvc)", re.IGNORECASE)
_CARD = re.compile(
    r"(?<![A-Za-z\d_+.#-])"
    r"(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{5})"
    r"(?![A-Za-z\d_]|[.-]\d)"
)
_CARD_START = re.compile(r"4|5[1-5]|2[2-7]|3[47]|6(?:011|5|4[4-9]|2)")
_KEY_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----")


def mask(text: str) -> Masked:
    """Return ``text`` with every secret replaced by ``MARKER``; masking again changes nothing."""
    parts: list[str] = []
    at = count = 0
    for begin, stop in sorted(_spans(text)):
        if begin >= at:
            parts += (text[at:begin], MARKER)
            count += 1
        at = max(at, stop)
    parts.append(text[at:])
    return Masked("".join(parts), count)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    yield from _key_blocks(text)
    for match in _TOKENS.finditer(text):
        yield match.span()
    for pattern in (_BEARER, _URL_PASSWORD):
        for match in pattern.finditer(text):
            yield match.span(1)
    for match in _LABEL.finditer(text):
        begin, stop = match.span("value")
        stop = begin + len(match["value"].rstrip(".!?)]"))
        if _is_secret(text[begin:stop], match["sep"], pin=bool(_PIN.match(match.group()))):
            yield begin, stop
    for match in _LABEL_HAN.finditer(text):
        yield match.span("value")
    for match in _CARD.finditer(text):
        digits = [int(char) for char in match.group() if char.isdigit()]
        if _CARD_START.match("".join(map(str, digits))) and _luhn(digits):
            yield match.span()


def _key_blocks(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while begin := _KEY_BEGIN.search(text, at):
        end = _KEY_END.search(text, begin.end())
        # A block that was cut off runs to the end: what follows may be nothing but key.
        at = end.end() if end else len(text)
        yield begin.start(), at


def _is_secret(value: str, separator: str, *, pin: bool) -> bool:
    if len(value) < 4 or value.casefold() in _NO_VALUE or not any(map(str.isalnum, value)):
        return False
    if not value.isascii():
        return False
    if pin:
        return value.isdigit() and len(value) <= 8
    if separator[0] in ":=：":
        return True
    return any(char.isdigit() for char in value) or any(char in "!@#$%^&*_+=|~" for char in value)


def _luhn(digits: list[int]) -> bool:
    doubled = (d * 2 - 9 * (d > 4) for d in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
