"""Every extractor passes the public contract."""

from __future__ import annotations

import json
import re

from graphmem.errors import ModelUnavailableError
from graphmem.extraction.model import ModelExtractor
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.ontology import default_ontology
from graphmem.ports.extractor import Extractor
from graphmem.testing.extractor import CLAIMS, ExtractorContract, FallibleExtractorContract
from graphmem.testing.models import Asked, Scripted, ScriptedModel

LINE = re.compile(r'^\{"label".*\}$', re.MULTILINE)


def gullible(asked: Asked) -> str:
    """Claim everything that any line of the prompt seems to say, context and questions too."""
    claims: list[dict[str, object]] = []
    for line in LINE.findall(asked.messages[-1].content):
        row = json.loads(line)
        for predicate, target in CLAIMS.get(row["text"], ()):
            claims.append(
                {
                    "turn": row["label"],
                    "quote": row["text"],
                    "subject": "me",
                    "predicate": predicate,
                    "object": target,
                }
            )
    return json.dumps({"claims": claims}, ensure_ascii=False)


def away(asked: Asked) -> Scripted:
    return ModelUnavailableError("it is away", step=asked.step, model="scripted")


class TestPatternExtractor(ExtractorContract):
    """Patterns, without a model."""

    def made(self) -> Extractor:
        return PatternExtractor()


class TestModelExtractor(FallibleExtractorContract):
    """A model that claims whatever it sees."""

    def made(self) -> Extractor:
        return ModelExtractor(ScriptedModel(gullible), default_ontology())

    def failing(self) -> Extractor:
        return ModelExtractor(ScriptedModel(away), default_ontology())


class TestModelExtractorThatRambles(FallibleExtractorContract):
    """A model whose answers need salvage, and one that talks without ever answering."""

    def made(self) -> Extractor:
        def answer(asked: Asked) -> str:
            return f"<think>Hm {{…}}</think>Sure!\n```json\n{gullible(asked)}\n```\nAnything else?"

        return ModelExtractor(ScriptedModel(answer), default_ontology())

    def failing(self) -> Extractor:
        return ModelExtractor(ScriptedModel(lambda _: "I cannot do that."), default_ontology())
