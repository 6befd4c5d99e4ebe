"""What reading turns would cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What reading turns would cost if every answer is good: no repair, no answer cut off.

    Attributes:
        turns: how many were given. known: of these, stored already. read: to be shown to the model.
        calls: of the model.
        prompt_tokens: of all calls. static_tokens: of these, in the part that is the same in each
            call, which endpoints can keep cached. said_tokens: of these, the turns' own words.
        completion_tokens: what the answers may come to.
    """

    turns: int = 0
    known: int = 0
    read: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    static_tokens: int = 0
    said_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Those of prompts and answers."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(
            turns=self.turns + other.turns,
            known=self.known + other.known,
            read=self.read + other.read,
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            static_tokens=self.static_tokens + other.static_tokens,
            said_tokens=self.said_tokens + other.said_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )
