PYTHON ?= python3
PORT ?= 3000
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help run test check format lock surface clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: ## set up, start Postgres with the sandbox data and serve the API on 127.0.0.1:$(PORT)
	@$(PYTHON) local/set_up.py run
	@exec $(BIN)/python -m isnad_local --port $(PORT)

test: ## set up and run every test
	@$(PYTHON) local/set_up.py dev
	@$(BIN)/python -m pytest

check: ## lint, types, architecture, SQL and template
	@$(PYTHON) local/set_up.py dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=. $(BIN)/lint-imports
	$(BIN)/sqlfluff lint --disable-progress-bar database functions
	$(BIN)/cfn-lint template.yaml
	SAM_CLI_TELEMETRY=0 $(BIN)/sam validate --lint --region eu-west-3

format: ## format Python
	@$(PYTHON) local/set_up.py dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

LOCK := $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --no-strip-extras \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host

lock: ## pin the dependencies anew
	@$(PYTHON) local/set_up.py dev
	$(LOCK) --extra run --extra dev -o requirements/dev.txt pyproject.toml
	$(LOCK) --extra run -c requirements/dev.txt -o requirements/run.txt pyproject.toml
	$(LOCK) -c requirements/dev.txt -o layers/dependencies/requirements.txt pyproject.toml

surface: ## describe the read surface anew (database/surface.json), after a new migration
	@$(PYTHON) local/set_up.py dev
	@$(BIN)/python -m isnad_local.surface

clean: ## remove the environment and the local data
	rm -rf .venv .local build .aws-sam
