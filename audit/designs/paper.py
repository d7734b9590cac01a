"""The design by which judges and metrics of benchmark quality were validated: what it takes, and its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from audit import pipeline
from audit.certificates.asking import suite_questions
from audit.certificates.issuing import Wish, certify, make_suites
from audit.certificates.study_form import to_study
from audit.designs.agreeing import PEOPLE_METRICS, agree
from audit.designs.desk import Desk
from audit.designs.merging import merge_studies
from audit.designs.steps import Made, Step
from audit.perturbations.registry import perturb
from audit.records.rating import RatingFile
from audit.records.study import Setting, StudyResult
from audit.records.suite import Member, Suite
from audit.records.task import Benchmark
from audit.reports.registry import HTML
from audit.studies.codebook import START
from audit.studies.ground import ask, close
from audit.studies.matrix import study_matrix
from audit.studies.ordering import study_ordering
from audit.studies.pattern_groups import CRITERIA, collect_reasons, group_reasons
from audit.studies.patterns import study_patterns
from audit.studies.sensitivity import SensitivityOptions, make_sets, study_sensitivity
from audit.suites.loading import Loaded

RATES = (0.0, 0.2, 0.4, 0.6, 0.8)
TIERS = ("untouched", "good", "medium", "small", "poor")
"""Of one benchmark by perturbation, the best first: at each of the rates, behaviors are swapped among so many tasks."""
DESCRIPTION = ("desc_alignment",)
POLICY = ("policy_alignment", "violation_count", "violation_coverage")
LOW = 7.0
"""Scores below it have reasons that are grouped."""
_NO_JUDGE = "it takes a judge (--judge)"
TITLES = {
    "certificate": "How far can the judges be trusted?",
    "ordering-offline": "Does the offline score order the tiers?",
    "ordering": "Do the judges' metrics order the tiers?",
    "metrics": "What do the metrics say of each benchmark?",
    "behavior-swap-offline": "Does the offline score fall where behaviors are swapped?",
    "behavior-swap": "Do the judges' scores fall where behaviors are swapped?",
    "policy-swap": "Do the policy metrics fall under another domain's policy?",
    "agreement": "Do the judges agree with people?",
    "patterns": "What do low scores have in common?",
}
"""Every part by the name of its folder, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class PaperWish:
    """What the design is to look at.

    Parameters
    ----------
    suite, loaded
        Benchmarks in tiers; others beside them are judged and shown.
    is_made
        Whether the tiers were made of one benchmark by perturbation.
    swapped
        Benchmarks whose behaviors and policies are swapped.
    others
        By the name of each of these, the benchmark whose policy it is judged under.
    sample
        The built-in sample, for certificates.
    ratings
        People's.
    is_simulating
        Whether raters are made up where there are no ratings.
    skipped
        Names of parts to leave out.
    """

    suite: Suite
    loaded: tuple[Loaded, ...]
    is_made: bool
    swapped: tuple[Benchmark, ...]
    others: Mapping[str, Benchmark]
    sample: Benchmark
    ratings: tuple[RatingFile, ...] = ()
    is_simulating: bool = False
    skipped: frozenset[str] = field(default=frozenset())

    @property
    def shown(self) -> tuple[Loaded, ...]:
        """The benchmarks that all metrics are told of: those that were given, not those made of them."""
        return self.loaded[:1] if self.is_made else self.loaded

    @property
    def ordering_metrics(self) -> tuple[str, ...]:
        """What the tiers must show in: swapped behaviors lower one metric alone."""
        return DESCRIPTION if self.is_made else ()


def make_tiers(benchmark: Benchmark, *, seed: int) -> tuple[Suite, tuple[Loaded, ...]]:
    """Return five tiers of one benchmark: as it is, and with ever more expected behaviors swapped among its tasks."""
    loaded = []
    for tier, rate in zip(TIERS, RATES, strict=True):
        name = f"{benchmark.name}, {rate:.0%} swapped" if rate else benchmark.name
        made = perturb(benchmark, "swap-behavior", rate=rate, seed=seed).benchmark if rate else benchmark
        loaded.append(Loaded(Member(name, benchmark.name, tier), replace(made, name=name)))
    return Suite(tuple(each.member for each in loaded), TIERS, where="the tiers"), tuple(loaded)


def paper_steps(wish: PaperWish, desk: Desk) -> tuple[Step, ...]:
    """Return the steps in the order in which they are made and shown; what can't be made says why."""
    made = {step.name: step for step in _steps(wish, desk)}
    return tuple(
        Step(name, title, left_out="--skip names it")
        if name in wish.skipped
        else made.get(name, Step(name, title, left_out=_why_not(name, wish, desk)))
        for name, title in TITLES.items()
    )


def _why_not(name: str, wish: PaperWish, desk: Desk) -> str:
    if desk.has_judges and name == "agreement" and not wish.ratings:
        return "no --ratings were given; bench-audit annotate export draws the sheet"
    return _NO_JUDGE


def _steps(wish: PaperWish, desk: Desk) -> Iterator[Step]:
    yield _certificate(wish, desk)
    yield _ordering_offline(wish)
    yield _behavior_swap_offline(wish)
    if desk.has_judges:
        yield _ordering(wish, desk)
        yield _metrics(wish, desk)
        yield _swap(wish, desk, "behavior-swap", DESCRIPTION)
        yield _swap(wish, desk, "policy-swap", POLICY)
        yield _patterns(wish, desk)
        if wish.ratings or wish.is_simulating:
            yield _agreement(wish, desk)


def _certificate(wish: PaperWish, desk: Desk) -> Step:
    wanted, trials = Wish(wish.sample), max(2, desk.settings.trials)

    def make(desk: Desk) -> Made:
        ground = desk.judged(trials=trials) if desk.has_judges else desk.offline()
        return Made(to_study(certify(wanted, ground), ground), {})

    questions = None
    if desk.has_judges:
        suites = make_suites(wanted, trials=trials, is_offline=False)
        questions = suite_questions(suites, desk.judged())
    return Step("certificate", TITLES["certificate"], questions, make)


def _ordering_offline(wish: PaperWish) -> Step:
    def make(desk: Desk) -> Made:
        return Made(_told(study_ordering(wish.suite, wish.loaded, ground=desk.offline()), wish), {})

    return Step("ordering-offline", TITLES["ordering-offline"], make=make)


def _ordering(wish: PaperWish, desk: Desk) -> Step:
    metrics = wish.ordering_metrics

    def make(desk: Desk) -> Made:
        return Made(_told(study_ordering(wish.suite, wish.loaded, ground=desk.judged(metrics)), wish), {})

    benchmarks = [each.benchmark for each in wish.loaded]
    questions = pipeline.make_questions(benchmarks, desk.judged(metrics).settings)
    return Step("ordering", TITLES["ordering"], questions, make)


def _told(study: StudyResult, wish: PaperWish) -> StudyResult:
    """Say of tiers that were made that they were."""
    if not wish.is_made:
        return study
    name = wish.loaded[0].benchmark.name
    note = f"The tiers were made of {name} by perturbation: behaviors are swapped among ever more of its tasks."
    return replace(study, notes=(note, *study.notes))


def _metrics(wish: PaperWish, desk: Desk) -> Step:
    benchmarks = [each.benchmark for each in wish.shown]

    def make(desk: Desk) -> Made:
        study = study_matrix(wish.shown, ground=desk.judged())
        names = [f"run-{number}.html" for number, _ in enumerate(benchmarks, start=1)]
        runs = ask(benchmarks, desk.judged()).results
        pages = {name: HTML.render(run) for name, run in zip(names, runs, strict=True)}
        return Made(study, pages)

    questions = pipeline.make_questions(benchmarks, desk.settings)
    return Step("metrics", TITLES["metrics"], questions, make)


def _behavior_swap_offline(wish: PaperWish) -> Step:
    name = "behavior-swap-offline"

    def make(desk: Desk) -> Made:
        options = _options("behavior-swap", wish, wish.swapped[0])
        studies = {each.name: study_sensitivity(each, options, ground=desk.offline()) for each in wish.swapped}
        return Made(merge_studies(studies, title=TITLES[name]), {})

    return Step(name, TITLES[name], make=make)


def _swap(wish: PaperWish, desk: Desk, name: str, metrics: tuple[str, ...]) -> Step:
    seed, settings = desk.settings.seed, desk.judged(metrics).settings

    def make(desk: Desk) -> Made:
        studies = {
            each.name: study_sensitivity(each, _options(name, wish, each), ground=desk.judged(metrics))
            for each in wish.swapped
        }
        return Made(merge_studies(studies, title=TITLES[name]), {})

    sets = [
        benchmark
        for each in wish.swapped
        for benchmark in (each, *(made.benchmark for made in make_sets(each, _options(name, wish, each), seed=seed)))
    ]
    return Step(name, TITLES[name], pipeline.make_questions(sets, settings), make)


def _options(name: str, wish: PaperWish, benchmark: Benchmark) -> SensitivityOptions:
    if name == "policy-swap":
        return SensitivityOptions(("swap-policy",), RATES, wish.others[benchmark.name], tells_savings=False)
    return SensitivityOptions(("swap-behavior",), RATES, tells_savings=False)


def _agreement(wish: PaperWish, desk: Desk) -> Step:
    """Benchmarks on every metric; tiers that were made, on what they must show in, for raters that were made up."""
    whole, tiers = wish.shown, () if wish.ratings else wish.loaded[len(wish.shown) :]
    questions = pipeline.make_questions([each.benchmark for each in whole], desk.judged(PEOPLE_METRICS).settings)
    if tiers:
        more = pipeline.make_questions([each.benchmark for each in tiers], desk.judged(DESCRIPTION).settings)
        questions = replace(questions, more=(*questions.more, replace(more, more=()), *more.more))

    def make(desk: Desk) -> Made:
        study, files = agree(((whole, PEOPLE_METRICS), (tiers, DESCRIPTION)), wish.ratings, desk=desk)
        return Made(study, files)

    return Step("agreement", TITLES["agreement"], questions, make)


def _patterns(wish: PaperWish, desk: Desk) -> Step:
    benchmark = wish.swapped[0]

    def make(desk: Desk) -> Made:
        answers = ask([benchmark], desk.judged(CRITERIA))
        (run,) = answers.results
        found = group_reasons(collect_reasons(run, criteria=CRITERIA, below=LOW), START, seed=desk.settings.seed)
        settings: dict[str, Setting] = {
            "benchmark": benchmark.name,
            "metrics": CRITERIA,
            "below": LOW,
            "seed": desk.settings.seed,
        }
        study = study_patterns(run, found, below=LOW, settings=settings)
        return Made(close(study, answers, benchmarks=[benchmark]), {})

    questions = pipeline.make_questions([benchmark], desk.judged(CRITERIA).settings)
    return Step("patterns", TITLES["patterns"], questions, make)
