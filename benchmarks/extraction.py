"""What is remembered of labelled conversations: read by a model, by recorded answers, or patterns.

``python -m benchmarks.extraction [--data FOLDER] [--json] [--errors] [--only TEXT]`` and
``[--patterns | --base-url URL --model NAME [--key-env VAR] [--record FILE] | --replay FILE]``.
The folder holds ``en.jsonl`` and ``zh.jsonl`` (``benchmarks.extraction_gold`` says how). Each
snippet is a tenant of its own in an embedded memory: first what was known before is told and
earlier turns are kept, then the turns are added in one call. Counted is what that call leaves.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import anyio

from benchmarks.extraction_gold import FILES, GoldError, Known, Snippet, load
from benchmarks.extraction_judge import USER, Before, Result, Score, judge
from benchmarks.readers import Chosen, Cost, add_options, choose, reading, tell_each
from benchmarks.running import SAMPLES, Figures, options, share, source, tell
from graphmem import AsyncMemory
from graphmem.model.fact import Fact
from graphmem.model.ontology import default_ontology
from graphmem.model.time import DAY

NAME = "extraction"
_MANY = 1000


async def tell_known(memory: AsyncMemory, snippet: Snippet, known: Known) -> Fact:
    """Tell what was known before, and return it as it is believed then."""
    receipt = await memory.add_fact(
        known.subject,
        known.predicate,
        known.object,
        user=USER,
        tenant=snippet.id,
        occurred_at=known.said,
        polarity=known.polarity,
        modality=known.modality,
        valid_from=known.valid_from,
        valid_to=known.valid_to,
    )
    return receipt.facts[0] if receipt.facts else receipt.ended[0]


async def read(memory: AsyncMemory, snippet: Snippet, cost: Cost) -> Result:
    """Let a memory read a snippet, and return what that left."""
    user, tenant = USER, snippet.id
    told = [(known, await tell_known(memory, snippet, known)) for known in snippet.known]
    before = {known.id: await memory.get(fact.id, user=user, tenant=tenant) for known, fact in told}
    claims = {claim for fact in before.values() for claim in fact.claims}
    if snippet.earlier:
        earlier = [turn.message(snippet.zone) for turn in snippet.earlier]
        await memory.add(earlier, user=user, tenant=tenant)
    with reading(snippet.id):
        turns = [turn.message(snippet.zone) for turn in snippet.turns]
        receipt = await memory.add(turns, user=user, tenant=tenant, me=snippet.me)
    cost.add(receipt)
    after = [
        Before(known, before[known.id], await memory.get(fact.id, user=user, tenant=tenant))
        for known, fact in told
    ]
    page = await memory.facts(
        user=user, tenant=tenant, include_ended=True, include_disputed=True, limit=_MANY
    )
    return Result(
        facts=tuple(fact for fact in page.items if not claims.issuperset(fact.claims)),
        known=tuple(after),
    )


def measure(snippets: Sequence[Snippet], chosen: Chosen) -> tuple[Figures, list[str]]:
    """Return the figures, and what is wrong, in words."""
    began = time.perf_counter()
    now = max(snippet.said for snippet in snippets) + DAY
    told = {snippet.id: snippet for snippet in snippets}
    results, cost = anyio.run(tell_each, chosen, told, now, read)
    ontology = default_ontology()
    whole = Score()
    by_kind: dict[str, Score] = {}
    by_language: dict[str, Score] = {}
    for snippet in snippets:
        score = judge(snippet, results[snippet.id], ontology)
        whole.add(score)
        by_language.setdefault(snippet.lang, Score()).add(score)
        for kind in snippet.kinds:
            by_kind.setdefault(kind, Score()).add(score)
    figures: Figures = {
        **whole.figures(),
        "seconds": round(time.perf_counter() - began, 1),
        **chosen.figures(),
        "misdated": whole.misdated,
        "undetailed": whole.undetailed,
        "importance_right": share(whole.weighed_right, whole.weighed),
        "silent": whole.silent,
        "silent_right": share(whole.silent_right, whole.silent),
        "updates": whole.updates,
        "updates_right": share(whole.updates_right, whole.updates),
        "kept": whole.kept,
        "false_endings": share(whole.false_endings, whole.kept),
        "forbidden": dict(whole.forbidden.most_common()),
        "turns": sum(len(snippet.turns) for snippet in snippets),
        **cost.figures(),
        "by_language": {name: each.figures() for name, each in sorted(by_language.items())},
        "by_kind": {name: each.figures() for name, each in sorted(by_kind.items())},
    }
    return figures, whole.errors


def rows(figures: Figures) -> list[list[object]]:
    """Lay the figures out for people."""
    columns = ("n", "gold", "stored", "precision", "recall", "f1", "forbidden")
    whole = {**figures, "forbidden": sum(figures["forbidden"].values())}
    parts = {"all": whole, **figures["by_language"], **figures["by_kind"]}
    return [["", *columns], *([name, *(row[k] for k in columns)] for name, row in parts.items())]


def summary(figures: Figures) -> list[str]:
    """Return what stands under the table, a line each."""
    named = ("reader", "changed", "missing", "static_share", "static_share_tokens")
    return [
        ", ".join(f"{name} {figures[name]}" for name in named if name in figures),
        f"updates right {figures['updates_right']} of {figures['updates']}, "
        f"false endings {figures['false_endings']} of {figures['kept']}",
        f"nothing wrong where nothing new is said {figures['silent_right']} of {figures['silent']}",
        f"misdated {figures['misdated']}, short {figures['undetailed']}, "
        f"importance right {figures['importance_right']}",
        f"forbidden: {_counts(figures['forbidden'])}",
        f"refused: {_counts(figures['refused'])}",
        f"turns {figures['turns']}, unread {figures['unread']}, calls {figures['calls']}, tokens "
        f"{figures['prompt_tokens']} + {figures['completion_tokens']}",
    ]


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = options(NAME, __doc__)
    add_options(parser)
    parser.add_argument("--errors", action="store_true", help="list what is wrong and missed")
    parser.add_argument(
        "--only", action="append", default=[], metavar="TEXT", help="snippets or kinds so named"
    )
    given = parser.parse_args(arguments)
    found = source(parser, given, name=NAME, corpus="labels", sample=SAMPLES / NAME, files=FILES)
    try:
        snippets = load(found.folder)
    except GoldError as error:
        parser.error(f"{str(found.folder)!r}: {error}")
    chosen_ones = [s for s in snippets if not given.only or {s.id, *s.kinds} & {*given.only}]
    if not chosen_ones:
        parser.error(f"--only: no snippet or kind is called {' or '.join(map(repr, given.only))}")
    figures, errors = measure(chosen_ones, choose(parser, given))
    tell({"corpus": found.corpus, **figures}, rows(figures), as_json=given.json)
    if not given.json:
        print("", *summary(figures), sep="\n")
    if given.errors and not given.json:
        print("", *errors, sep="\n")


if __name__ == "__main__":
    main()
