"""Suites from a file and from flags."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError, UsageError
from audit.records.suite import Member
from audit.suites.reading import read_suite, suite_from_flags
from tests.suites.runs import write_file

WHOLE = """
title = "Ferries"
tiers = ["top", "small"]
data-dir = "data"

[domain.ferries]
policy = "rules.md"
policy-items = "items.json"

[[benchmark]]
path = "a"
name = "First"
tier = "small"
domain = "ferries"
generator = "gpt-5.4"
title = "The first"
db = "db.json"
tools = "tools.json"

[[benchmark]]
benchmark = "sample/library"
data-dir = "other"
policy = "own.md"
policy-items = "own.json"
family = "Meta"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the file above names."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (tmp_path / "rules.md").write_text("Be kind.")
    (tmp_path / "items.json").write_text("{}")
    return tmp_path


def test_a_file_says_members_tiers_and_policies_with_paths_relative_to_it(folder: Path) -> None:
    suite = read_suite(write_file(folder, WHOLE))
    assert (suite.title, suite.tiers, suite.domains) == ("Ferries", ("top", "small"), ("ferries", ""))
    assert suite.where == str(folder / "suite.toml")
    assert suite.members == (
        Member(
            "First",
            str(folder / "a"),
            "small",
            "ferries",
            "gpt-5.4",
            "openai",
            "The first",
            folder / "data",
            folder / "rules.md",
            folder / "db.json",
            folder / "tools.json",
            folder / "items.json",
        ),
        Member(
            "sample/library",
            "sample/library",
            author_family="meta",
            data_dir=folder / "other",
            policy=folder / "own.md",
            items=folder / "own.json",
        ),
    )
    assert suite.in_tier("small", domain="ferries") == suite.members[:1]
    assert suite.in_tier("small") == suite.in_tier("top", domain="ferries") == ()


def test_tiers_are_in_order_of_first_mention_where_the_file_does_not_list_them(folder: Path) -> None:
    text = '[[benchmark]]\npath = "a"\ntier = "weak"\n[[benchmark]]\npath = "b"\ntier = "strong"'
    assert read_suite(write_file(folder, text)).tiers == ("weak", "strong")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"suite\.toml: has no \[\[benchmark\]\] table\. Add one a benchmark"),
        ("benchmark = []", r"has no \[\[benchmark\]\] table"),
        ("benchmark = 1", r"'benchmark' is not a list"),
        ("benchmark = [1]", r"\[\[benchmark\]\] 1 is not a table"),
        ("x = [", "not TOML"),
        ('titel = "x"\n[[benchmark]]\npath = "a"', "unknown setting 'titel'. Perhaps you meant title"),
        ('[[benchmark]]\npaht = "a"', r"\[\[benchmark\]\] 1: unknown setting 'paht'. Perhaps you meant path"),
        ('[[benchmark]]\npath = "a"\nzzzzzz = 1', r"unknown setting 'zzzzzz'. Known: benchmark, path, name"),
        ("[[benchmark]]\npath = 1", r"\[\[benchmark\]\] 1: 'path' is not a text"),
        ('[[benchmark]]\npath = ""', "'path' is empty"),
        ('[[benchmark]]\nname = "x"', "names neither a path nor a benchmark"),
        ('[[benchmark]]\npath = "a"\nbenchmark = "sample/library"', "names both a path and a benchmark"),
        ('[[benchmark]]\npath = "nowhere"', "there is no nowhere. Paths are relative to the suite's own folder"),
        ('[[benchmark]]\npath = "a"\n[[benchmark]]\npath = "a"', "two benchmarks are called 'a'"),
        ('tiers = ["x"]\n[[benchmark]]\npath = "a"\ntier = "y"', "the tier 'y' is not listed. Known: x"),
        ('tiers = ["x", "x"]\n[[benchmark]]\npath = "a"', "tiers has an empty name, or one twice"),
        ('tiers = [" "]\n[[benchmark]]\npath = "a"', "tiers has an empty name, or one twice"),
        (
            '[[benchmark]]\npath = "a"\n[domain.x]\npolicy = "rules.md"',
            "no benchmark is of the domain 'x'. Known: none",
        ),
        ('[[benchmark]]\npath = "a"\ndomain = "x"\n[domain.x]\npolicy = "no.md"', r"\[domain\.x\]: there is no policy"),
        ('[[benchmark]]\npath = "a"\ndomain = "x"\n[domain.x]\npolicy-items = "n"', "there is no item file n"),
        ('[[benchmark]]\npath = "a"\ndomain = "x"\n[domain.x]\nrules = "r"', r"\[domain\.x\]: unknown setting 'rules'"),
        ('[[benchmark]]\npath = "a"\n[domain]\nx = 1', "'x' is not a table"),
    ],
)
def test_a_fault_of_the_file_is_one_line_with_its_place(folder: Path, text: str, message: str) -> None:
    with pytest.raises((LoadError, UsageError), match=message):
        read_suite(write_file(folder, text))


def test_a_domain_without_a_policy_only_groups(folder: Path) -> None:
    text = '[[benchmark]]\npath = "a"\ndomain = "x"\n[domain.x]'
    assert read_suite(write_file(folder, text)).members[0].policy is None


def test_flags_name_tiers_the_best_first(folder: Path) -> None:
    suite = suite_from_flags(["c"], ["top=a", "small = x=y", "top=b"])
    assert [(member.name, member.tier) for member in suite.members] == [
        ("c", None),
        ("a", "top"),
        ("x=y", "small"),
        ("b", "top"),
    ]
    assert suite.tiers == ("top", "small")
    assert (suite_from_flags(["c"]).where, suite.where) == ("the command line", "--tier")


@pytest.mark.parametrize(
    ("benchmarks", "tiers", "message"),
    [
        ([], [], "no benchmark is named. Name some, as BENCHMARK or --tier TIER=BENCHMARK"),
        ([], ["a"], "--tier: 'a' names no tier and benchmark"),
        ([], ["=a"], "'=a' names no tier and benchmark"),
        ([], ["a="], "'a=' names no tier and benchmark"),
        (["a"], ["top=a"], "the command line: two benchmarks are called 'a'"),
    ],
)
def test_flags_that_name_nothing_or_one_twice_are_one_line(
    benchmarks: list[str], tiers: list[str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        suite_from_flags(benchmarks, tiers)
