"""What a model cost, in words."""

from __future__ import annotations

from graphmem.model.draft import Steps, Usage


def spent(steps: Steps) -> str:
    """Return "3 calls, 5,210 tokens, 4.1 s (extract 2 calls, repair 1 call)"; nothing for none."""
    whole = sum(steps.values(), Usage())
    if not whole.calls:
        return ""
    about = "about " if whole.estimated else ""
    words = [_calls(whole), f"{about}{whole.tokens:,} tokens", f"{whole.seconds:.1f} s"]
    if whole.cached_tokens:
        words[1] += f", {whole.cached_tokens:,} of them cached"
    each = ", ".join(f"{step} {_calls(usage)}" for step, usage in steps.items())
    return f"{', '.join(words)} ({each})"


def _calls(usage: Usage) -> str:
    return f"{usage.calls} call" if usage.calls == 1 else f"{usage.calls:,} calls"
