"""What the answers of a model may come to, before it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphmem.extraction.metered import prompt_tokens
from graphmem.extraction.prompts import Piece
from graphmem.model.estimate import Estimate
from graphmem.model.tokens import estimate
from graphmem.ports.language_model import Message

SAID_PER_FACT = 40
"""Tokens of talk in which a fact is told; dense texts tell one in 20, chatter one in 60."""
FACT = 150
"""Tokens of a fact in an answer, with its quote and statement."""


def forecast(static: Message, prompts: Iterable[tuple[Sequence[Piece], Message]]) -> Estimate:
    """Return what calls would cost that show ``static`` and then each of ``prompts``.

    A prompt comes with the pieces of turns that it asks about.
    """
    whole = Estimate()
    fixed = prompt_tokens([static])
    for pieces, prompt in prompts:
        said = sum(estimate(piece.text) for piece in pieces)
        whole += Estimate(
            read=len({piece.turn.id for piece in pieces if piece.begin == 0}),
            calls=1,
            prompt_tokens=fixed + prompt_tokens([prompt]),
            static_tokens=fixed,
            said_tokens=said,
            completion_tokens=FACT * max(1, round(said / SAID_PER_FACT)),
        )
    return whole
