"""Every setting, read once from the environment and ``.env``; nothing else reads the environment.

The table of settings in docs/settings.md is checked against this class by tests/test_docs.py.
"""

import difflib
import ipaddress
import json
import math
import os
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croniter import croniter
from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from domain import ids
from domain.consolidation import Policy
from domain.days import DayRule
from domain.errors import BadSettings

PREFIX = "HINDSIGHT_"


class Settings(BaseSettings):
    """The settings of one process; field ``x`` is the variable ``HINDSIGHT_X``."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    data: Annotated[
        Path, Field(description="Folder of all that is kept: event log, lake, index, Dagster's storage")
    ] = Path("data")
    lake: Annotated[
        Path | None, Field(description="Folder of the lake and the index; empty: `lake` in the data folder")
    ] = None
    database_url: Annotated[
        str, Field(description="SQLAlchemy URL of the event log; empty: `events.db` in the data folder")
    ] = ""
    models: Annotated[Path, Field(description="Folder of the converted embedding model")] = Path("models")
    timezone: Annotated[
        str, Field(description="Zone whose midnight parts the days of the tables; pinned at first use")
    ] = "UTC"
    first_day: Annotated[date, Field(description="First day there are tables for; pinned at first use")] = date(
        2020, 1, 1
    )
    buckets: Annotated[
        int, Field(ge=1, le=256, description="Index files that users are spread over; pinned at first use")
    ] = 4
    embedder: Annotated[
        str, Field(description="`bundled`, `st:NAME or FOLDER`, `openai:MODEL`, or `hash` (for trials only)")
    ] = "bundled"
    embed_threads: Annotated[int, Field(ge=1, le=256, description="Processor threads of the embedding model")] = 2
    openai_base_url: Annotated[
        str, Field(description="Base URL of an OpenAI-compatible API, for `openai:` embedders")
    ] = ""
    openai_api_key: Annotated[SecretStr, Field(description="Its key")] = SecretStr("")
    dedup_window: Annotated[
        timedelta, Field(description="How far apart the same words of a user count as said twice, in seconds")
    ] = timedelta(hours=1)
    batch_events: Annotated[int, Field(ge=1, description="Events outside the tables that start a run at once")] = 200
    batch_seconds: Annotated[
        float, Field(ge=0, description="Age in seconds of the oldest such event that starts a run")
    ] = 10.0
    nightly_cron: Annotated[str, Field(description="When the nightly run starts, in HINDSIGHT_TIMEZONE")] = "0 2 * * *"
    reflection_cron: Annotated[
        str, Field(description="When users are reflected on, in HINDSIGHT_TIMEZONE; `0 */4 * * *` is every four hours")
    ] = "0 2 * * *"
    reflect_after: Annotated[
        int, Field(ge=0, description="New salient episodes of a user that start a reflection at once; 0: never")
    ] = 50
    review: Annotated[
        Policy,
        Field(
            description="What becomes of new facts: `manual` they wait for review, `high` sure ones hold, `auto` all"
        ),
    ] = "manual"
    max_retired_share: Annotated[
        float,
        Field(
            ge=0,
            le=1,
            description="Share of all facts that one release may retire; more stops it, from 20 retired ones on",
        ),
    ] = 0.3
    llm_model: Annotated[str, Field(description="Model that reflects; empty: rules do, without a model")] = ""
    llm_base_url: Annotated[
        str, Field(description="Base URL of the OpenAI-compatible API of that model; empty: OpenAI's own")
    ] = ""
    llm_api_key: Annotated[SecretStr, Field(description="Its key")] = SecretStr("")
    llm_concurrency: Annotated[int, Field(ge=1, le=256, description="Calls of the model at one time")] = 4
    llm_timeout_seconds: Annotated[float, Field(gt=0, description="Longest wait for one answer")] = 120.0
    llm_input_tokens: Annotated[
        int, Field(ge=100, description="Words of a user in one question, in tokens; the instructions come on top")
    ] = 2_000
    llm_output_tokens: Annotated[int, Field(ge=50, description="Longest answer, in tokens")] = 2_000
    llm_prices: Annotated[
        dict[str, tuple[float, float]],
        NoDecode,  # so that a slip in it is answered below, in one sentence
        Field(description='Dollars a million tokens in and out, as JSON: `{"gpt-x": [0.5, 2.0]}`'),
    ] = {}
    llm_daily_budget: Annotated[
        float,
        Field(ge=0, description="Dollars a day (HINDSIGHT_TIMEZONE); users beyond it wait for tomorrow; 0: no limit"),
    ] = 0.0
    keep_releases: Annotated[int, Field(ge=1, description="Releases whose index versions are kept")] = 3
    vector_index: Annotated[
        Literal["none", "ivf_rq"], Field(description="Vector index of a bucket; `none` scans exactly")
    ] = "none"
    exact_rows: Annotated[
        int,
        Field(
            ge=0, description="Users with up to so many rows are scored exactly from memory; larger ones by the index"
        ),
    ] = 50_000
    mcp_host: Annotated[str, Field(description="Address the MCP server listens on")] = "127.0.0.1"
    mcp_port: Annotated[int, Field(ge=0, le=65535, description="Port of the MCP server")] = 8080
    dagster_port: Annotated[int, Field(ge=0, le=65535, description="Port of Dagster's web page")] = 3000

    @field_validator("timezone")
    @classmethod
    def _zone_exists(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError("no such time zone; give an IANA name such as Asia/Shanghai") from error
        return value

    @field_validator("dedup_window", mode="before")
    @classmethod
    def _seconds_are_numbers(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        if value.upper().startswith("P"):
            return value  # an ISO 8601 duration
        try:
            return float(value)
        except ValueError as error:
            raise ValueError("it must be seconds, such as 3600, or a duration such as PT1H") from error

    @field_validator("mcp_host")
    @classmethod
    def _host_is_loopback(cls, value: str) -> str:
        try:
            is_loopback = value == "localhost" or ipaddress.ip_address(value).is_loopback
        except ValueError:
            is_loopback = False
        if not is_loopback:
            raise ValueError(
                "it would open every memory to the network, and there are no tokens yet: only 127.0.0.1, ::1 and "
                "localhost are allowed"
            )
        return value

    @field_validator("nightly_cron", "reflection_cron")
    @classmethod
    def _cron_is_valid(cls, value: str) -> str:
        if not croniter.is_valid(value) or len(value.split()) != 5:
            raise ValueError("not a cron line of five fields, such as 0 2 * * *")
        return value

    @field_validator("llm_prices", mode="before")
    @classmethod
    def _prices_are_pairs(cls, value: object) -> object:
        try:
            given: Any = json.loads(value) if isinstance(value, str) else value
            return {str(model): (_price(put), _price(got)) for model, (put, got) in dict(given).items()}
        except (ValueError, TypeError) as error:
            raise ValueError(
                'it must be JSON such as {"gpt-x": [0.5, 2.0]}: dollars a million tokens in and out'
            ) from error

    @field_validator("llm_daily_budget")
    @classmethod
    def _budget_has_a_price(cls, value: float, info: ValidationInfo) -> float:
        model = info.data.get("llm_model", "")
        if value and model and model not in info.data.get("llm_prices", {}):
            raise ValueError(f"without a price of {model} in HINDSIGHT_LLM_PRICES nothing would ever count against it")
        return value

    @field_validator("first_day")
    @classmethod
    def _first_day_is_sane(cls, value: date, info: ValidationInfo) -> date:
        today = datetime.now(ZoneInfo(info.data.get("timezone", "UTC"))).date()
        if not date(1970, 1, 1) <= value <= today:
            raise ValueError("must lie between 1970-01-01 and today: an event of today needs a table")
        return value

    @property
    def lake_dir(self) -> Path:
        """Folder of the lake, absolute."""
        return (self.lake or self.data / "lake").absolute()

    @property
    def log_url(self) -> str:
        """SQLAlchemy URL of the event log."""
        return self.database_url or f"sqlite:///{(self.data / 'events.db').absolute()}"

    @property
    def index_dir(self) -> Path:
        """Folder of the index's buckets, absolute."""
        return self.lake_dir / "index"

    @property
    def config_hash(self) -> str:
        """What stands for the settings that shape the tables."""
        return ids.digest(
            self.timezone, self.first_day.isoformat(), str(self.buckets), self.embedder, self.vector_index
        )

    @property
    def day_rule(self) -> DayRule:
        """Return how events are filed by day."""
        return DayRule(ZoneInfo(self.timezone), self.first_day)


def _price(value: Any) -> float:
    price = float(value)
    if not (math.isfinite(price) and price >= 0):
        raise ValueError(f"{value} is no price")
    return price


def load(env_file: Path | None = None) -> Settings:
    """Return the settings of this process.

    Args:
        env_file: read instead of ``.env`` in the current folder.

    Raises:
        BadSettings: a value is wrong, or a ``HINDSIGHT_`` variable is no setting; names it in one sentence.
    """
    path = env_file or Path(".env")
    _refuse_unknown({*os.environ, *(dotenv_values(path) if path.is_file() else {})})  # noqa: TID251 - the one door
    try:
        return Settings(_env_file=path)  # type: ignore[call-arg]
    except ValidationError as error:
        first = error.errors()[0]
        name = PREFIX + str(first["loc"][0]).upper()
        reason = str(first["msg"]).removeprefix("Value error, ")
        raise BadSettings(f"{name}={first['input']} is wrong: {reason}.") from error


def _refuse_unknown(names: set[str]) -> None:
    known = [field.upper() for field in Settings.model_fields]
    for name in sorted(names):
        own = name.upper().removeprefix(PREFIX)
        if name.upper().startswith(PREFIX) and own not in known:
            near = difflib.get_close_matches(own, known, n=1)
            hint = f"did you mean {PREFIX}{near[0]}?" if near else "docs/settings.md lists them all."
            raise BadSettings(f"{name} is no setting of Hindsight; {hint}")
