"""What a model cost, in words."""

from __future__ import annotations

from graphmem.model.draft import Steps, Usage


def spent(steps: Steps) -> str:
    """Return what the steps cost, in all and each; nothing for none.

    "3 calls, 5,210 tokens, 4.1 s: extract 2 calls, 4,000 tokens, 3.0 s; repair 1 call, …"
    """
    whole = sum(steps.values(), Usage())
    if not whole.calls:
        return ""
    if len(steps) == 1:
        return f"{_words(whole)} ({next(iter(steps))})"
    each = "; ".join(f"{step} {_words(usage)}" for step, usage in steps.items())
    return f"{_words(whole)}: {each}"


def _words(usage: Usage) -> str:
    calls = f"{usage.calls} call" if usage.calls == 1 else f"{usage.calls:,} calls"
    about = "about " if usage.estimated else ""
    cached = f", {usage.cached_tokens:,} of them cached" if usage.cached_tokens else ""
    return f"{calls}, {about}{usage.tokens:,} tokens{cached}, {usage.seconds:.1f} s"
