"""Words that leave with an erased claim, where the turn they stand in stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphmem.model.changes import Blanked
from graphmem.model.claim import Claim, LinkedClaim
from graphmem.model.episode import Episode
from graphmem.model.text import normal_key

BLANK = "‹erased›"


def blank(
    episodes: Iterable[Episode], gone: Mapping[str, LinkedClaim], beside: Sequence[LinkedClaim]
) -> tuple[tuple[Blanked, ...], dict[str, Claim]]:
    """Blank the erased quotes in turns, and write anew the claims that share words with them.

    Args:
        episodes: turns that stay.
        gone: the erased claims, by id.
        beside: the other claims of these turns.

    Returns:
        The blanked turns, and the changed claims by id.
    """
    blanked: list[Blanked] = []
    rewritten: dict[str, Claim] = {}
    for episode in episodes:
        erased = [c.claim for c in gone.values() if c.claim.episode == episode.id]
        quotes = {claim.quote for claim in erased if claim.quote}
        if not quotes:
            continue
        content = episode.content
        for quote in sorted(quotes, key=len, reverse=True):
            # A quote that is not found was blanked in part already: nothing of the turn is safe.
            content = content.replace(quote, BLANK) if quote in content else BLANK
        blanked.append(Blanked(episode.id, content))
        for linked in beside:
            if linked.claim.episode == episode.id:
                changed = _without(linked.claim, content, erased)
                if changed != linked.claim:
                    rewritten[linked.claim.id] = changed
    return tuple(blanked), rewritten


def _without(claim: Claim, content: str, erased: Sequence[Claim]) -> Claim:
    """Return a claim that stays, without words that the turn has no more."""
    kept = claim.quote in content
    parts = [claim.subject.text, claim.object.text if claim.object else ""]
    own = " ".join([*parts, claim.quote if kept else ""])
    words = {w for other in erased for w in _words(other)}
    told = claim.statement in own or (
        kept and not any(word in claim.statement and word not in own for word in words)
    )
    return replace(
        claim,
        quote=claim.quote if kept else "",
        statement=claim.statement if told else _plainly(claim),
    )


def _words(claim: Claim) -> list[str]:
    mentions = [claim.quote, claim.object.text if claim.object else ""]
    return [words for words in mentions if normal_key(words)]


def _plainly(claim: Claim) -> str:
    """Return a statement made of a claim's parts alone."""
    parts = [claim.subject.text, claim.predicate.replace("_", " ")]
    if claim.object is not None:
        parts.append(claim.object.text)
    return " ".join(parts)
