"""The suites put to judges, and a certificate made for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from audit import __version__
from audit.certificates.asking import Answer, Asked, ask_suites, is_missing
from audit.certificates.carrying import OWN_BENCHMARK, PEOPLE, carry_over
from audit.certificates.faults import measure_faults
from audit.certificates.labels import Known, find_known, measure_key, measure_ratings
from audit.certificates.measures import (
    Heard,
    measure_injection,
    measure_invariance,
    measure_sensitivity,
    measure_stability,
)
from audit.certificates.suite import Suite, make_offline_suite, make_suite
from audit.certified import find_certificate, identity_of, offline_identity
from audit.loaders.policy import read_policy
from audit.records.certificate import SUITE_VERSION, THRESHOLDS, Certificate, Gap, JudgeIdentity, Measure
from audit.records.rating import Rating
from audit.records.task import Benchmark
from audit.reports.certificate_json import write_certificate
from audit.reports.labels import trust_label
from audit.resources import resource
from audit.selftest import AnswerKey, read_answer_key
from audit.studies.ground import Ground, subject_of

OTHER_POLICY = "sample-gym"
"""The second policy that ships for the sample's world of rules, to be put in the place of its own."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be certified on.

    Parameters
    ----------
    sample
        The built-in sample, which is always there.
    own
        A benchmark of the user's; ``None`` for none.
    ratings
        People's ratings of the user's benchmark.
    """

    sample: Benchmark
    own: Benchmark | None = None
    ratings: tuple[Rating, ...] = ()


@dataclass(frozen=True, slots=True)
class Labels:
    """What is known of tasks beforehand: the sample's answer key, and people's ratings of the user's benchmark."""

    key: AnswerKey
    ratings: tuple[Rating, ...] = ()


@dataclass(frozen=True, slots=True)
class Issued:
    """Certificates, one a judge, and everything that they rest on."""

    certificates: tuple[Certificate, ...]
    asked: Asked
    suites: tuple[Suite, ...]
    labels: Labels

    @property
    def is_complete(self) -> bool:
        """Whether every verdict of every judge is there."""
        return all(each.is_complete for each in self.certificates) and not self.asked.stops


def make_suites(wish: Wish, *, trials: int, is_offline: bool) -> tuple[Suite, ...]:
    """Return the suite of the sample, and the one of the user's benchmark."""
    if is_offline:
        return tuple(make_offline_suite(each) for each in (wish.sample, wish.own) if each is not None)
    gym = with_other_policy(wish.sample)
    sample = make_suite(wish.sample, trials=trials, other=gym)
    if wish.own is None:
        return (sample,)
    is_under_sample = wish.own.policy.sha256 == wish.sample.policy.sha256
    return sample, make_suite(wish.own, trials=trials, other=gym if is_under_sample else wish.sample)


def with_other_policy(sample: Benchmark) -> Benchmark:
    """Return the sample with the second policy that ships beside it, of another domain."""
    return replace(sample, name=OTHER_POLICY, policy=read_policy(resource("policies", OTHER_POLICY, "policy.md")))


def certify(wish: Wish, ground: Ground) -> Issued:
    """Ask every judge the suites, measure the answers, and keep each certificate in the store.

    Parameters
    ----------
    ground
        Its settings say how many trials there are. Without judges the offline scorer is certified.
    """
    is_offline = not ground.panel.providers
    suites = make_suites(wish, trials=ground.settings.trials, is_offline=is_offline)
    asked = ask_suites(suites, ground)
    labels = Labels(read_answer_key(), wish.ratings)
    issued = (_issue(judge, asked, suites, ground=ground, labels=labels) for judge in asked.answers)
    certificates = tuple(carry_over(each, find_certificate(each.identity, ground.store)) for each in issued)
    for each in certificates:
        ground.store.add_certificate(
            each.identity.key, created_at=each.created_at, record=write_certificate(each).decode()
        )
    return Issued(certificates, asked, suites, labels)


def _issue(judge: str, asked: Asked, suites: Sequence[Suite], *, ground: Ground, labels: Labels) -> Certificate:
    by_suite = asked.answers[judge]
    verdicts = [verdict for answers in by_suite.values() for answer in answers for verdict in answer.verdicts]
    missing = Counter(verdict.state.value for verdict in verdicts if is_missing(verdict))
    heard = hear(judge, by_suite, key=labels.key)
    known = find_all_known(heard[0])
    measures = tuple(measure_heard(heard, known, labels=labels))
    if ground.panel.providers:
        faults = tuple(measure_faults([each for answers in by_suite.values() for each in answers], ground.store))
        measures = (*measures, *faults)
    return Certificate(
        judge=judge,
        identity=_identity(judge, ground),
        models=tuple(sorted({verdict.model for verdict in verdicts if verdict.model})),
        label=trust_label(verdicts[0].trust) if verdicts else "",
        suite=SUITE_VERSION,
        suite_sha256=suites[0].sha256,
        prompts=tuple(dict.fromkeys(_prompts(by_suite))),
        subjects=tuple(subject_of(suite.benchmark) for suite in suites),
        measures=measures,
        screens=tuple(each.screen for each in known),
        unmeasured=(*(gap for suite in suites for gap in suite.gaps), *_gaps(ground, labels, len(suites))),
        trials=ground.settings.trials if ground.panel.providers else 1,
        n_planned=sum(verdict.is_ok or is_missing(verdict) for verdict in verdicts),
        n_missing=missing.total(),
        missing=dict(sorted(missing.items())),
        tool_version=__version__,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def hear(judge: str, by_suite: Mapping[str, Sequence[Answer]], *, key: AnswerKey) -> tuple[Heard, ...]:
    """Return a judge's answers benchmark by benchmark, the sample first."""
    return tuple(
        Heard(name, judge, tuple(answers), frozenset(key.sound) if number == 0 else None)
        for number, (name, answers) in enumerate(by_suite.items())
    )


def find_all_known(sample: Heard) -> tuple[Known, ...]:
    """Return what the judge gave known tasks, for each metric that calls tasks flawed."""
    criteria = sample.untouched.probe.criteria
    return tuple(find_known(sample, metric) for metric in THRESHOLDS if metric in criteria)


def measure_heard(heard: Sequence[Heard], known: Sequence[Known], *, labels: Labels) -> Iterator[Measure]:
    """Yield everything that a judge's answers say, the sample's first."""
    yield from measure_key(heard[0], labels.key, known=known)
    for each in heard:
        yield from measure_sensitivity(each)
        yield from measure_invariance(each)
        if each.untouched.probe.trials > 1:
            yield from measure_stability(each)
        yield from measure_injection(each)
    for own in heard[1:]:
        yield from measure_ratings(own, labels.ratings)


def _identity(judge: str, ground: Ground) -> JudgeIdentity:
    if not ground.panel.providers:
        return offline_identity()
    return identity_of(ground.panel.providers[judge])


def _prompts(by_suite: Mapping[str, Sequence[Answer]]) -> Iterator[tuple[str, str]]:
    for answers in by_suite.values():
        for verdict in answers[0].verdicts:
            if verdict.prompt_hash:
                yield f"{verdict.criterion}.{answers[0].probe.benchmark.style}", verdict.prompt_hash


def _gaps(ground: Ground, labels: Labels, n_suites: int) -> Iterator[Gap]:
    if not ground.panel.providers:
        yield Gap("stability", "the offline scorer has no chance in it: it always says the same")
        yield Gap("injection", "the offline scorer follows no orders; words of an order count as words")
        yield Gap("format faults", "the offline scorer writes no replies")
        yield Gap("policy metrics", "the offline scorer reads no policy")
    elif ground.settings.trials == 1:
        yield Gap("stability", "each question was asked once; use --trials 2 or more")
    if n_suites == 1:
        yield Gap(OWN_BENCHMARK, "none was named")
    if not labels.ratings:
        yield Gap(PEOPLE, "no --ratings were given")
