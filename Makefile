# Every target sets up what it needs, once, in a virtual environment of its own (.venv).
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

ASSIGNMENT ?= self_attention
SUBMISSIONS ?= tests/$(ASSIGNMENT)/examples
SUBMISSION ?= solutions/$(ASSIGNMENT)
OPTIONS ?=

USES_TORCH := $(shell grep -ls '^packages *=.*"torch"' "assignments/$(ASSIGNMENT)/assignment.toml")
PAGE := docs/graders$(if $(filter-out self_attention,$(ASSIGNMENT)),-$(ASSIGNMENT)).md
PACKAGES := $(if $(USES_TORCH),$(VENV)/.torch)

.PHONY: help grade check handout package verify verify-long doctor test test-slow test-attacks test-long attacks faults soak gpu lint bench clean

help:
	@echo "make grade    grade the bundled class; SUBMISSIONS=DIR for another, OPTIONS=... for more"
	@echo "make check    grade one submission and print every check: SUBMISSION=PATH"
	@echo "make handout  cut the stubs in assignments/ from solutions/"
	@echo "make package  make the zips for Gradescope and for students, in dist/"
	@echo "make verify   prove the graders: mistakes, variants, mutants, twenty seeds"
	@echo "make doctor   say what this machine can isolate"
	@echo "make test     prove the framework and the graders"
	@echo "make test-slow  prove the packages as well, in a simulated Gradescope"
	@echo "make test-attacks  hand in every attack, as root and as an ordinary user"
	@echo "make test-long  a soak, and properties with ten times the examples"
	@echo "make attacks  hand in every attack, in every environment that this machine can be"
	@echo "make faults   disturb runs in every way, and grade again"
	@echo "make soak     grade thousands, with attackers among them"
	@echo "make gpu      the checks' cases for a GPU, on the references"
	@echo "make lint     ruff and mypy"
	@echo "make bench    speed and memory, against one pytest process a submission"
	@echo "make clean    remove the virtual environment"

# What grading needs: neither torch nor otter.
$(VENV)/.grade: pyproject.toml constraints.txt
	@echo "setting up $(VENV) for grading (once)"
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.10 or newer is needed; try: make PYTHON=python3.11" if sys.version_info < (3, 10) else 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) -e .
	@touch $@

# What grading a torch assignment needs as well.
$(VENV)/.torch: $(VENV)/.grade
	@echo "adding torch to $(VENV) (once; it takes a minute)"
	@$(PIP) -e '.[torch]'
	@touch $@

# What handouts and packages need: otter as well.
$(VENV)/.otter: $(VENV)/.grade
	@echo "setting up $(VENV) for handouts and packages (once)"
	@$(PIP) -e '.[otter]'
	@touch $@

# What a full proof needs: otter, and cosmic-ray for the mutants.
$(VENV)/.verify: $(VENV)/.otter
	@echo "setting up $(VENV) for proofs (once)"
	@$(PIP) -e '.[otter,verify]'
	@touch $@

# What the tests need: everything.
$(VENV)/.test: $(VENV)/.grade
	@echo "setting up $(VENV) for the tests (once; torch and otter take a minute)"
	@$(PIP) -e '.[test]'
	@touch $@

grade: $(VENV)/.grade $(PACKAGES)
	@$(BIN)/autograder grade $(ASSIGNMENT) "$(SUBMISSIONS)" $(OPTIONS)

check: $(VENV)/.grade $(PACKAGES)
	@$(BIN)/autograder check $(ASSIGNMENT) "$(SUBMISSION)" $(OPTIONS)

handout: $(VENV)/.otter
	@$(BIN)/autograder handout --all

package: $(VENV)/.otter $(PACKAGES)
	@$(BIN)/autograder package $(ASSIGNMENT) $(OPTIONS)

# Mutants, every mistake, and right answers with twenty seeds; writes what was proved.
verify: $(VENV)/.verify $(PACKAGES)
	@$(BIN)/autograder verify $(ASSIGNMENT) --level full --runs 20 --page $(PAGE) $(OPTIONS)

verify-long: $(VENV)/.verify $(PACKAGES)
	@$(BIN)/autograder verify $(ASSIGNMENT) --level full --runs 200 $(OPTIONS)

doctor: $(VENV)/.grade
	@$(BIN)/autograder doctor

test: $(VENV)/.test
	@$(BIN)/python -m pytest $(OPTIONS)

# Minutes, the network, and root on Linux (with debootstrap): a container as Gradescope's is simulated.
test-slow: $(VENV)/.test
	@$(BIN)/python -m pytest -m "slow and not attacks and not long" $(OPTIONS)

# All attacks as root and as an ordinary user, with Landlock and without; test-slow has a few everywhere.
test-attacks: $(VENV)/.test
	@$(BIN)/python -m pytest tests/autograder/attacks -m attacks -k "root- or user-" $(OPTIONS)

test-long: $(VENV)/.test
	@$(BIN)/python -m pytest -m long $(OPTIONS)

# Every attack in every environment, as root on Linux; writes what came of them.
attacks: $(VENV)/.test
	@mkdir -p .autograder
	@$(BIN)/python -m pytest tests/autograder/attacks -m "slow or not slow" --junitxml=.autograder/attacks.xml $(OPTIONS)
	@$(BIN)/python -m tests.autograder.attacks.page .autograder/attacks.xml docs/attacks.md

# Runs that are disturbed, and a class of thousands with attackers in it; print their counts.
faults: $(VENV)/.test
	@$(BIN)/python benchmarks/faults.py $(OPTIONS)

soak: $(VENV)/.test
	@$(BIN)/python benchmarks/soak.py $(OPTIONS)

# The torch assignments' references, with the cases for a GPU; where there is none each says so.
gpu: $(VENV)/.test
	@$(BIN)/pytest -q -rs --device cuda $(patsubst assignments/%/assignment.toml,tests/%,$(shell grep -ls '^packages *=.*"torch"' assignments/*/assignment.toml))

lint: $(VENV)/.test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(VENV)/.test
	@$(BIN)/python benchmarks/throughput.py $(OPTIONS)

# For maintainers, after a change of constraints.txt: what the Gradescope container installs. Needs
# the network, and a Python that the tests run with torch on.
.PHONY: lock
lock: $(VENV)/.test
	@$(PIP) 'pip>=24.2'
	@$(BIN)/python .ci/lock.py

# For maintainers: what docs/gradescope.md shows, from a package graded here and now.
.PHONY: pictures
pictures: $(VENV)/.otter
	@$(BIN)/python docs/draw_gradescope.py

clean:
	rm -rf $(VENV)
