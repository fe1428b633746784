"""Which settings does this process run with, and what is wrong with those it was given?

Law kept: the environment is read once, at the edge, by `read_settings`; everything below receives a frozen `Settings`.
`environ` is an argument and never looked up, so a test or a child process gets exactly the settings it is handed.

The model is plain pydantic: a settings loader that reads `os.environ` by itself would be a second edge, and the one
at hand costs every process of `malice up` another 0.15 s of imports.

    MaliceError ← BadSetting    one variable, its value (never a secret's) and what would have been right
"""

import difflib
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

from events.errors import MaliceError
from workers.own_bots.naming import read_entry

PREFIX = "MALICE_"
TEST_ONLY = re.compile(r"MALICE_(FULL|TEST_\w+)")
NAMED_KEY = re.compile(r"([\w.-]{1,64})=([^=].*)")  # `abc==` is a secret that ends in padding, not one named abc
ORIGIN = re.compile(r"(https?)://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::([1-9][0-9]{0,4}))?")
LIMIT = re.compile(r"([1-9][0-9]{0,8})\s*(?:/|per)\s*([1-9][0-9]{0,4})?\s*(second|minute|hour|day)s?")


class BadSetting(MaliceError):
    """A `MALICE_*` variable holds what it cannot hold, or is not a setting at all."""


class ApiKey(NamedTuple):
    """A caller that may create games: `name` appears in logs and limits, `secret` is the Bearer token."""

    name: str
    secret: SecretStr


class NamedBot(NamedTuple):
    """Somebody's own bot: its name, and the import path of its function."""

    name: str
    path: str


def _keys(value: object) -> object:
    if not isinstance(value, str):
        return value
    keys: list[ApiKey] = []
    for entry in _entries(value):
        named = NAMED_KEY.fullmatch(entry)
        name, secret = named.groups() if named else (f"key-{sha256(entry.encode()).hexdigest()[:8]}", entry)
        keys.append(ApiKey(name, SecretStr(secret)))
    if not keys:
        raise ValueError("has no key between its commas")
    if len({key.name for key in keys}) < len(keys):
        raise ValueError("gives two keys the same name")
    return tuple(keys)


def _bots(value: object) -> object:
    if not isinstance(value, str):
        return value
    bots = tuple(NamedBot(*read_entry(entry)) for entry in _entries(value))
    if len({bot.name for bot in bots}) < len(bots):
        raise ValueError("gives two bots the same name")
    return bots


def _origins(value: object) -> object:
    if not isinstance(value, str):
        return value
    origins = tuple(_entries(value))
    if "*" in origins and len(origins) > 1:
        raise ValueError("names * and others; * alone is all of them")
    for origin in origins:
        found = ORIGIN.fullmatch(origin)
        usual = found is not None and found.groups() in (("http", "80"), ("https", "443"))
        if origin != "*" and (found is None or usual):
            raise ValueError(
                f"names {origin!r}, which is not an origin as browsers write it, such as https://play.example or "
                "http://localhost:3000: small letters, no path, no port where it is the usual one"
            )
    return origins


def _limits(value: object) -> object:
    if not isinstance(value, str):
        return value
    found = {part.strip(): LIMIT.fullmatch(part.strip()) for part in value.split(";")}
    for part, limit in found.items():
        if limit is None:
            raise ValueError(f"holds {part!r}, which is not a limit such as 100/second or 2000/5 minutes")
    times = [(int(limit[2] or 1), limit[3]) for limit in found.values() if limit]
    if len(set(times)) < len(times):
        raise ValueError("limits the same time twice")
    return ";".join(f"{limit[1]}/{limit[2] or 1} {limit[3]}" for limit in found.values() if limit)


def _entries(text: str) -> list[str]:
    return [entry for entry in (part.strip() for part in text.split(",")) if entry]


def _whole(low: int, high: int) -> BeforeValidator:
    def whole(value: object) -> object:
        text = str(value)
        if not text.isascii() or not text.isdigit() or len(text) > 9 or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return BeforeValidator(whole)


def _seconds(value: object) -> object:
    text = str(value)
    if not text.isascii() or not text.isdigit() or len(text) > 10:
        raise ValueError("must be a whole number of seconds, 0 for none")
    return int(text)


def _bot_seconds(value: object) -> object:
    text = str(value)
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,3})?", text, re.ASCII) or not 0.05 <= float(text) <= 10:
        raise ValueError("must be a number of seconds from 0.05 to 10")
    return float(text)


def _switch(value: object) -> object:
    known = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if isinstance(value, str) and value.lower() not in known:
        raise ValueError("must be 1 or 0")
    return known[value.lower()] if isinstance(value, str) else value


def _redis_url(value: object) -> object:
    if value is not None and not re.match(r"(redis|rediss)://[^/?#]+(/\d*)?([?#].*)?$|unix:///", str(value)):
        raise ValueError("must be a URL such as redis://host:6379/0, rediss://… or unix:///path/to/socket")
    return value


def _broker_url(value: object) -> object:
    if value is not None and not re.match(r"[a-z][a-z0-9+]*://", str(value)):
        raise ValueError("must be a URL that Celery knows, such as redis://host:6379/1 or redis+socket:///path")
    return value


def _service_url(value: object) -> object:
    url = str(value).rstrip("/")
    try:
        fine = urlsplit(url).scheme in {"http", "https"} and bool(urlsplit(url).hostname) and urlsplit(url).port != 0
    except ValueError:  # a port that is no number
        fine = False
    if not fine:
        raise ValueError("must be a URL such as http://127.0.0.1:8000")
    return url


class Settings(BaseModel):
    """Every setting of contract section 8. URLs may hold passwords: they and the secrets stay out of the repr."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    redis_url: Annotated[str | None, BeforeValidator(_redis_url)] = Field(
        default=None, repr=False, description="the store: redis://, rediss:// or unix://; unset starts an embedded one"
    )
    broker_url: Annotated[str | None, BeforeValidator(_broker_url)] = Field(
        default=None, repr=False, description="Celery's broker; unset means the same store (never a Redis Cluster)"
    )
    data: Path = Field(description="directory of the embedded store; default $XDG_DATA_HOME/malice")
    admin_key: SecretStr | None = Field(
        default=None, description="Bearer token that may see and seed everything; unset: nobody"
    )
    api_keys: Annotated[tuple[ApiKey, ...] | None, BeforeValidator(_keys)] = Field(
        default=None,
        description="who may create games: comma-separated secrets or name=secret; "
        "unset binds 127.0.0.1 only, where anybody may",
    )
    open: Annotated[bool, BeforeValidator(_switch)] = Field(
        default=False, description="1 lets anybody create games on any address, without keys"
    )
    cors_origins: Annotated[tuple[str, ...], BeforeValidator(_origins)] = Field(
        default=(),
        description="pages of which origins may use the API in a browser: comma-separated, such as "
        "https://play.example, or * for all (with keys or MALICE_OPEN=1 only: any page that somebody visits on this "
        "machine could create games here)",
    )
    rate_limit: Annotated[str | None, BeforeValidator(_limits)] = Field(
        default=None,
        description="how many requests to /v1 a caller may make, such as 100/second;2000/minute; counted by API key, "
        "seat or address, in the store, for all API processes together; the admin key is not counted",
    )
    log_requests: Annotated[bool, BeforeValidator(_switch)] = Field(
        default=False, description="1 writes a line for every request to the API, without queries, tokens and keys"
    )
    url: Annotated[str, BeforeValidator(_service_url)] = Field(
        default="http://127.0.0.1:8000", description="the service that the command line talks to"
    )
    shards: Annotated[int, _whole(1, 256)] = Field(
        default=16, description="how many shards new games are spread over, 1 to 256; old games keep theirs"
    )
    abandon_seconds: Annotated[int, BeforeValidator(_seconds)] = Field(
        default=604800, description="a game that nobody has moved in for so long is ended (aborted); 0 for never"
    )
    spectator_delay: Annotated[int, BeforeValidator(_seconds)] = Field(
        default=0, description="how many seconds late a running game is seen by who has no seat in it; 0 for at once"
    )
    bots: Annotated[tuple[NamedBot, ...], BeforeValidator(_bots)] = Field(
        default=(),
        description="further bots, comma-separated: package.module:function, or name=package.module:function; for the "
        "workers, which play them in processes of their own, and the API, which lists and accepts them",
    )
    bot_seconds: Annotated[float, BeforeValidator(_bot_seconds)] = Field(
        default=2.0, description="how many seconds such a bot may think about a move, 0.05 to 10; later it forfeits"
    )
    bot_memory_mb: Annotated[int, _whole(16, 65536)] = Field(
        default=512, description="how much memory each of its games may take, in MB beyond its import, 16 to 65536"
    )
    archive_url: str | None = Field(
        default=None,
        repr=False,
        description="not in this version, refused where set: where ended games are archived",
    )


def variable(field: str) -> str:
    """`shards` → `MALICE_SHARDS`."""
    return PREFIX + field.upper()


def read_settings(environ: Mapping[str, str]) -> Settings:
    """The settings in `environ`; a variable that is set but empty counts as unset. Raises `BadSetting`."""
    known = {variable(field): field for field in Settings.model_fields}
    for name in environ:
        if name.startswith(PREFIX) and name not in known and not TEST_ONLY.fullmatch(name):
            raise BadSetting(_unknown(name, list(known)))
    given: dict[str, object] = {field: environ[name] for name, field in known.items() if environ.get(name)}
    given["data"] = _data(environ)
    try:
        return Settings.model_validate(given)
    except ValidationError as errors:
        first = errors.errors()[0]
        raise BadSetting(_wrong(str(first["loc"][0]), given, str(first["msg"]))) from None


def broker_of(redis_url: str) -> str:
    """The same store as Celery's broker: redis-py and kombu spell a Unix socket differently."""
    path, _, query = redis_url.removeprefix("unix://").partition("?")
    if not redis_url.startswith("unix://"):
        return redis_url
    database = re.search(r"(?:^|&)db=(\d+)", query)
    return f"redis+socket://{path}" + (f"?virtual_host={database[1]}" if database else "")


def describe() -> list[tuple[str, str, str]]:
    """(variable, default as text, description) of every setting, for `malice up --help` and the documentation."""
    rows: list[tuple[str, str, str]] = []
    for field, info in Settings.model_fields.items():
        default = "~/.local/share/malice" if field == "data" else _as_text(info.default)
        rows.append((variable(field), default, info.description or ""))
    return rows


def _data(environ: Mapping[str, str]) -> Path:
    """XDG: a relative XDG_DATA_HOME is to be ignored. Made absolute, since child processes may run elsewhere."""
    home = Path(environ.get("HOME") or Path.home())
    if given := environ.get(variable("data")):
        return (home / given[2:] if given.startswith("~/") else Path(given)).absolute()
    xdg = Path(environ.get("XDG_DATA_HOME") or "")
    return (xdg if xdg.is_absolute() else home / ".local" / "share") / "malice"


def _unknown(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    return f"{name} is not a setting; did you mean {near[0]}?"


def _wrong(field: str, given: Mapping[str, object], complaint: str) -> str:
    complaint = complaint.removeprefix("Value error, ")
    shown = "" if field in {"admin_key", "api_keys"} else f"={_without_password(str(given[field]))}"
    return f"{variable(field)}{shown} {complaint}"


def _without_password(value: str) -> str:
    return re.sub(r"://.*@", "://***@", value)


def _as_text(default: object) -> str:
    match default:
        case None | ():
            return "unset"
        case bool():
            return str(int(default))
        case _:
            return str(default)
