"""What is sent to an OpenAI-compatible endpoint to have an answer in JSON, and what refuses it."""

from __future__ import annotations

import re
from typing import Any, Literal

import openai

from graphmem.adapters.models.openai_answers import is_too_long
from graphmem.ports.language_model import Json

ResponseFormat = Literal["json_schema", "json_object", "tool", "text"]
LADDER: tuple[ResponseFormat, ...] = ("json_schema", "json_object", "tool", "text")
"""From what binds the model most to what every endpoint can."""

# What servers answer to a response format, or a field, they do not know.
_REFUSALS = frozenset({400, 404, 405, 406, 415, 422, 501})
_CANNOT_BIND = re.compile(r"grammar|schema|response.?format|guided|structured|tools?\b", re.I)
# Servers that add the output limit to the prompt, and refuse what would not fit if all were used.
_LIMIT = re.compile(r"max_(?:completion_)?tokens.{0,60}too large|in the completion\)", re.I)
_NO_THINKING = re.compile(r"enable.thinking.*(?:false|stream)", re.IGNORECASE)


def bound(rung: ResponseFormat, step: str, schema: Json | None) -> dict[str, Any]:
    """Return the fields that ask for JSON in a schema.

    Any: a JSON request body.
    """
    if rung == "json_schema":
        wanted = {"name": step, "strict": True, "schema": schema}
        return {"response_format": {"type": rung, "json_schema": wanted}}
    if rung == "json_object":
        return {"response_format": {"type": rung}}
    if rung == "tool":
        function = {"name": step, "description": "Gives the answer.", "parameters": schema}
        choice = {"type": "function", "function": {"name": step}}
        return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
    return {}


def refuses(error: openai.APIStatusError, rung: ResponseFormat) -> bool:
    """Say whether a request may be taken if it is made in another way."""
    if error.code == "model_not_found":
        return False
    if error.status_code in _REFUSALS:
        return True
    # A grammar that cannot be made of the schema is a fault of the server to some.
    is_fault = error.status_code >= 500 and rung != "text"
    return is_fault and bool(_CANNOT_BIND.search(str(error)))


def too_long(error: openai.APIStatusError) -> bool:
    """Say whether the messages do not fit."""
    if error.status_code == 413 or error.code == "context_length_exceeded":
        return True
    return error.status_code in (400, 422, 500) and is_too_long(str(error))


def limit_too_large(message: str) -> bool:
    """Say whether it is the output limit that does not fit."""
    return bool(_LIMIT.search(message))


def wants_no_thinking(message: str) -> bool:
    """Say whether a model that thinks must be told not to."""
    return bool(_NO_THINKING.search(message))
