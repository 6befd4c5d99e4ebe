"""Reads Chinese sentences."""

from __future__ import annotations

from graphmem.extraction.patterns.frame import Context, SentenceResult
from graphmem.extraction.patterns.sentences import Sentence


class ChineseReader:
    """Reads Chinese sentences; see ``LanguageReader``."""

    def extract_sentence(self, sentence: Sentence, context: Context) -> SentenceResult:
        """Read one sentence."""
        return SentenceResult(unmatched=True)
