"""Which runs start now: batches by number or age, failures apart and ever more seldom."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.batching import MAX_DAYS_A_RUN, MAX_RETRIES, Trouble, due, is_time, pause, plan

NOW = datetime(2026, 3, 10, tzinfo=UTC)
LONG_AGO = NOW - timedelta(hours=5)


def days(first: str, n: int) -> list[str]:
    return [(date.fromisoformat(first) + timedelta(days=i)).isoformat() for i in range(n)]


def test_a_day_is_due_when_the_log_is_ahead_of_its_tables() -> None:
    assert due({"a": 5, "b": 7, "c": 9}, {"a": 5, "b": 6, "d": 1}) == {"b": 7, "c": 9}


@pytest.mark.parametrize(
    ("n_events", "age", "expected"),
    [(0, 99.0, False), (199, 9.9, False), (200, 0.0, True), (1, 10.0, True), (1, 9.9, False)],
)
def test_a_batch_starts_by_size_or_age(n_events: int, age: float, *, expected: bool) -> None:
    assert is_time(n_events, age, batch_events=200, batch_seconds=10.0) is expected


def test_pauses_double_up_to_an_hour() -> None:
    assert [pause(n).total_seconds() for n in (1, 2, 3, 7, 8, 50)] == [30, 60, 120, 1920, 3600, 3600]


def test_days_without_trouble_go_together_and_those_at_work_wait() -> None:
    all_days = set(days("2026-03-01", 6))
    assert plan(all_days, set(), {}, NOW) == [("2026-03-01", "2026-03-06")]
    assert plan(all_days, {"2026-03-03"}, {}, NOW) == [("2026-03-01", "2026-03-02"), ("2026-03-04", "2026-03-06")]
    assert plan(all_days, all_days, {}, NOW) == []


def test_a_day_that_failed_goes_alone_when_it_has_rested() -> None:
    trouble = {"2026-03-03": Trouble(2, NOW - timedelta(seconds=59))}
    others = [("2026-03-01", "2026-03-02"), ("2026-03-04", "2026-03-06")]
    assert plan(set(days("2026-03-01", 6)), set(), trouble, NOW) == others
    later = NOW + timedelta(seconds=1)
    assert plan(set(days("2026-03-01", 6)), set(), trouble, later) == sorted([*others, ("2026-03-03", "2026-03-03")])


def test_days_that_failed_for_one_reason_go_together() -> None:
    """A model that is away fails every day of every run: no run for each of them, for however long it is away."""
    year = days("2025-03-01", 365)
    for failures in (1, 2, 5, 50):
        trouble = dict.fromkeys(year, Trouble(failures, LONG_AGO, "run"))
        runs = plan(set(year), set(), trouble, NOW)
        assert len(runs) == MAX_RETRIES
        assert sum((date.fromisoformat(b) - date.fromisoformat(a)).days + 1 for a, b in runs) == 3 * MAX_DAYS_A_RUN


def test_the_day_that_ends_its_run_is_found_by_quartering() -> None:
    year = days("2025-03-01", 120)
    sizes = []
    for failures in (1, 2, 3, 4, 9):
        first, last = plan(set(year), set(), dict.fromkeys(year, Trouble(failures, LONG_AGO, "crash")), NOW)[0]
        sizes.append((date.fromisoformat(last) - date.fromisoformat(first)).days + 1)
    assert sizes == [120, 30, 7, 1, 1]


def test_only_so_many_are_tried_again_at_once_the_longest_waiting_first() -> None:
    trouble = {day: Trouble(1, LONG_AGO - timedelta(minutes=n)) for n, day in enumerate(days("2026-03-01", 8))}
    assert plan(set(trouble), set(), trouble, NOW) == [(day, day) for day in days("2026-03-06", 3)]
    assert plan(set(trouble), {"2026-03-08", "2026-03-07"}, trouble, NOW) == [("2026-03-06", "2026-03-06")]
    assert plan(set(trouble), set(days("2026-03-06", 3)), trouble, NOW) == []


DAYS = st.sampled_from(days("2026-01-01", 40))
TROUBLE = st.builds(
    Trouble,
    st.integers(1, 12),
    st.integers(0, 7200).map(lambda s: NOW - timedelta(seconds=s)),
    st.sampled_from(["day", "run", "crash"]),
)


@given(st.sets(DAYS), st.sets(DAYS), st.dictionaries(DAYS, TROUBLE))
def test_no_plan_repeats_a_day_or_meets_one_that_is_at_work_or_resting(
    wanted: set[str], running: set[str], trouble: dict[str, Trouble]
) -> None:
    planned: list[Any] = plan(wanted, running, trouble, NOW)
    spans = [{d for d in days("2026-01-01", 40) if first <= d <= last} for first, last in planned]
    assert sum(map(len, spans)) == len(set().union(*spans))
    touched = set().union(*spans)
    assert not touched & running
    assert not {d for d in touched & set(trouble) if trouble[d].last_at + pause(trouble[d].failures) > NOW}
    assert wanted - running - set(trouble) <= touched
    for span in spans:  # one that is to go alone is in no run with others
        alone = {d for d in span & set(trouble) if trouble[d].cause == "day"}
        assert not alone or span == alone
