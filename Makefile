VENV ?= .venv
PYTHON ?= python3
BIN = $(VENV)/bin
PIP = $(BIN)/pip --disable-pip-version-check --quiet

.PHONY: demo test coverage fuzz flaws study study-offline bench lint format goldens pictures clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP) install -e '.[dev]'
	@touch $@

demo: $(VENV)/.installed  ## score the built-in sample and write a report
	$(BIN)/bench-audit score sample/library --report out/sample.html

test: $(VENV)/.installed-dev  ## every test
	$(BIN)/pytest -n auto

coverage: $(VENV)/.installed-dev  ## every test, with branch coverage; takes twice as long
	$(BIN)/pytest -n auto --cov --cov-report=term

fuzz: $(VENV)/.installed-dev  ## 10,000 tasks with one bad field, from file to report
	$(BIN)/pytest tests/fuzz --hypothesis-profile=fuzz

flaws: $(VENV)/.installed-dev  ## what the free layer finds of flaws that people found (needs BENCH_AUDIT_TEST_DATA)
	$(BIN)/python -m scripts.measure_flaws --write docs/flaws.md

study: $(VENV)/.installed  ## the papers' studies on the sample, offline and with a scripted judge; pages in out/study
	$(BIN)/bench-audit study paper sample/library --judge scripted:seeded --simulate-raters \
	  --store out/study/verdicts.sqlite3 --out out/study

study-offline: $(VENV)/.installed-dev  ## the offline scorer on perturbed τ³ (needs BENCH_AUDIT_TEST_DATA)
	$(BIN)/python -m scripts.measure_perturbations --write docs/offline-scorer.md

bench: $(VENV)/.installed-dev  ## speed, beside other programs on the same server; a quarter of an hour
	$(BIN)/python -m scripts.bench --write docs/benchmarks.md $(BENCH)

lint: $(VENV)/.installed-dev  ## ruff, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

goldens: $(VENV)/.installed-dev  ## write the reports' golden files anew
	$(BIN)/python -m tests.reports.make_goldens

pictures: $(VENV)/.installed-dev  ## take the pictures of the sample's report for docs/images (needs a Chromium)
	$(BIN)/python -m scripts.report_pictures

clean:
	rm -rf $(VENV) out .mypy_cache .ruff_cache .pytest_cache
