"""What a process accepts from its environment, and how it says no."""

import pytest
from limits import parse_many

from events.errors import MaliceError
from services.settings import BadSetting, Settings, broker_of, describe, read_settings

HOME = {"HOME": "/home/ada"}


def test_without_any_variable_every_default_holds():
    settings = read_settings(HOME)
    assert settings.redis_url is None
    assert settings.broker_url is None
    assert settings.admin_key is None
    assert settings.api_keys is None
    assert settings.open is False
    assert settings.url == "http://127.0.0.1:8000"
    assert settings.shards == 16
    assert settings.bots == ()
    assert settings.cors_origins == ()
    assert settings.rate_limit is None
    assert settings.log_requests is False


@pytest.mark.parametrize(
    ("environ", "data"),
    [
        ({}, "/home/ada/.local/share/malice"),
        ({"XDG_DATA_HOME": "/srv/xdg"}, "/srv/xdg/malice"),
        ({"XDG_DATA_HOME": "relative"}, "/home/ada/.local/share/malice"),
        ({"MALICE_DATA": "/srv/malice", "XDG_DATA_HOME": "/srv/xdg"}, "/srv/malice"),
        ({"MALICE_DATA": "~/games"}, "/home/ada/games"),
    ],
)
def test_data_lives_where_the_variable_says_else_in_the_users_data_home(environ: dict[str, str], data: str):
    assert str(read_settings(HOME | environ).data) == data


def test_a_variable_that_is_set_but_empty_counts_as_unset():
    settings = read_settings(HOME | {"MALICE_API_KEYS": "", "MALICE_ADMIN_KEY": "", "MALICE_SHARDS": ""})
    assert (settings.api_keys, settings.admin_key, settings.shards) == (None, None, 16)


def test_lists_are_separated_by_commas():
    settings = read_settings(HOME | {"MALICE_BOTS": "pack.one:choose, bruno = pack.two:Bot.choose"})
    assert settings.bots == (("pack.one:choose", "pack.one:choose"), ("bruno", "pack.two:Bot.choose"))


@pytest.mark.parametrize(
    ("value", "origins"),
    [
        ("*", ("*",)),
        ("https://play.example", ("https://play.example",)),
        (
            "http://localhost:3000, https://a-b.example:8443,http://[::1]:8080",
            ("http://localhost:3000", "https://a-b.example:8443", "http://[::1]:8080"),
        ),
    ],
)
def test_origins_are_written_as_browsers_send_them(value: str, origins: tuple[str, ...]):
    assert read_settings(HOME | {"MALICE_CORS_ORIGINS": value}).cors_origins == origins


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "play.example",
        "https://play.example/",
        "https://Play.example",
        "https://play.example:443",
        "http://x:80",
        "https://*.x",
        "file://",
        "https://u@x",
        "https://bücher.example",
        "https://x?y",
        "https://",
        "https://x:0",
    ],
)
def test_what_no_browser_would_send_as_an_origin_is_refused_by_name(origin: str):
    with pytest.raises(BadSetting, match=r"^MALICE_CORS_ORIGINS=") as refused:
        read_settings(HOME | {"MALICE_CORS_ORIGINS": f"https://fine.example,{origin}"})
    assert f"names {origin!r}" in str(refused.value)


@pytest.mark.parametrize(
    ("value", "limit"),
    [
        ("100/second", "100/1 second"),
        ("100 per 1 second; 2000 per 5 minutes", "100/1 second;2000/5 minute"),
        ("10/10seconds;9/hour;8/2 days", "10/10 second;9/1 hour;8/2 day"),
    ],
)
def test_limits_are_in_the_notation_of_the_library_that_counts(value: str, limit: str):
    settings = read_settings(HOME | {"MALICE_RATE_LIMIT": value})
    assert settings.rate_limit == limit
    assert parse_many(value) == parse_many(limit)


def test_an_api_key_may_have_a_name_and_may_end_in_padding():
    keys = read_settings(HOME | {"MALICE_API_KEYS": "league=s3cret, cGFkZGVk==,ci=cGFkZGVk="}).api_keys
    assert keys is not None
    assert [(key.name, key.secret.get_secret_value()) for key in keys] == [
        ("league", "s3cret"),
        ("key-d1ebc973", "cGFkZGVk=="),
        ("ci", "cGFkZGVk="),
    ]


def test_no_secret_shows_when_settings_are_printed():
    settings = read_settings(
        HOME
        | {
            "MALICE_ADMIN_KEY": "hush-admin",
            "MALICE_API_KEYS": "league=hush-key",
            "MALICE_REDIS_URL": "redis://:hush-redis@store:6379/0",
            "MALICE_BROKER_URL": "redis://:hush-broker@store:6379/1",
            "MALICE_ARCHIVE_URL": "s3://id:hush-archive@bucket",
        }
    )
    assert "hush" not in repr(settings) + str(settings)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("MALICE_SHARDS", "0", "MALICE_SHARDS=0 must be a whole number from 1 to 256"),
        ("MALICE_SHARDS", "257", "MALICE_SHARDS=257 must be a whole number from 1 to 256"),
        ("MALICE_SHARDS", "many", "MALICE_SHARDS=many must be a whole number from 1 to 256"),
        ("MALICE_OPEN", "perhaps", "MALICE_OPEN=perhaps must be 1 or 0"),
        ("MALICE_URL", "127.0.0.1:8000", "MALICE_URL=127.0.0.1:8000 must be a URL such as http://127.0.0.1:8000"),
        ("MALICE_URL", "http://x:port", "MALICE_URL=http://x:port must be a URL such as http://127.0.0.1:8000"),
        (
            "MALICE_BOTS",
            "a.b",
            "MALICE_BOTS=a.b names 'a.b', which is not an import path such as mypackage.mybot:choose",
        ),
        ("MALICE_BOTS", "a=b:c,a=b:d", "MALICE_BOTS=a=b:c,a=b:d gives two bots the same name"),
        ("MALICE_BOT_SECONDS", "0", "MALICE_BOT_SECONDS=0 must be a number of seconds from 0.05 to 10"),
        ("MALICE_BOT_SECONDS", "1e1", "MALICE_BOT_SECONDS=1e1 must be a number of seconds from 0.05 to 10"),
        ("MALICE_BOT_MEMORY_MB", "15", "MALICE_BOT_MEMORY_MB=15 must be a whole number from 16 to 65536"),
        (
            "MALICE_BOT_MEMORY_MB",
            "000000512000",
            "MALICE_BOT_MEMORY_MB=000000512000 must be a whole number from 16 to 65536",
        ),
        ("MALICE_API_KEYS", "a=hush,a=hush2", "MALICE_API_KEYS gives two keys the same name"),
        (
            "MALICE_CORS_ORIGINS",
            "*,https://x",
            "MALICE_CORS_ORIGINS=*,https://x names * and others; * alone is all of them",
        ),
        (
            "MALICE_RATE_LIMIT",
            "100/second;fast",
            "MALICE_RATE_LIMIT=100/second;fast holds 'fast', which is not a limit such as 100/second or 2000/5 minutes",
        ),
        (
            "MALICE_RATE_LIMIT",
            "0/second",
            "MALICE_RATE_LIMIT=0/second holds '0/second', which is not a limit such as 100/second or 2000/5 minutes",
        ),
        (
            "MALICE_RATE_LIMIT",
            "5/minute;6 per 1 minute",
            "MALICE_RATE_LIMIT=5/minute;6 per 1 minute limits the same time twice",
        ),
        ("MALICE_LOG_REQUESTS", "2", "MALICE_LOG_REQUESTS=2 must be 1 or 0"),
        ("MALICE_API_KEYS", " , ", "MALICE_API_KEYS has no key between its commas"),
        (
            "MALICE_REDIS_URL",
            "http://:hush@store",
            "MALICE_REDIS_URL=http://***@store must be a URL such as redis://host:6379/0, rediss://… or unix:///path/to/socket",
        ),
        (
            "MALICE_BROKER_URL",
            "store",
            "MALICE_BROKER_URL=store must be a URL that Celery knows, such as redis://host:6379/1 or redis+socket:///path",
        ),
    ],
)
def test_a_bad_value_is_refused_in_a_sentence_that_names_it_but_no_secret(name: str, value: str, sentence: str):
    with pytest.raises(BadSetting) as refused:
        read_settings(HOME | {name: value})
    assert str(refused.value) == sentence
    assert isinstance(refused.value, MaliceError)


def test_an_unknown_name_is_refused_with_the_nearest_known_one():
    with pytest.raises(BadSetting, match=r"^MALICE_SHARD is not a setting; did you mean MALICE_SHARDS\?$"):
        read_settings(HOME | {"MALICE_SHARD": "4"})


def test_names_for_the_tests_alone_are_let_through():
    read_settings(HOME | {"MALICE_FULL": "1", "MALICE_TEST_REDIS": "/usr/bin/redis-server", "PATH": "/bin"})


def test_settings_cannot_be_changed_after_they_were_read():
    with pytest.raises(ValueError, match="frozen"):
        read_settings(HOME).shards = 4  # pyright: ignore[reportAttributeAccessIssue] - what must fail


def test_every_setting_is_described_with_its_default():
    rows = describe()
    assert [name for name, _, _ in rows] == [f"MALICE_{field.upper()}" for field in Settings.model_fields]
    assert all(default and description for _, default, description in rows)
    assert {name: default for name, default, _ in rows}["MALICE_SHARDS"] == "16"


@pytest.mark.parametrize(
    ("redis_url", "broker_url"),
    [
        ("redis://:pw@store:6379/3", "redis://:pw@store:6379/3"),
        ("unix:///run/store.sock", "redis+socket:///run/store.sock"),
        ("unix:///run/a%20b.sock?db=3", "redis+socket:///run/a%20b.sock?virtual_host=3"),
    ],
)
def test_the_store_as_broker_is_spelled_as_celery_wants_it(redis_url: str, broker_url: str):
    assert broker_of(redis_url) == broker_url
