PYTHON ?= python3
PORT ?= 3000
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help run test check checkov format lock surface fuzz openapi token build release clean

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
	$(BIN)/cfn-lint -a cfn_lint_serverless.rules -t template.yaml alarms.yaml
	SAM_CLI_TELEMETRY=0 $(BIN)/sam validate --lint --region eu-west-3

CHECKOV := .local/checkov/bin/checkov

$(CHECKOV): requirements/checkov.txt
	$(PYTHON) -m venv --clear .local/checkov
	.local/checkov/bin/python -m pip install --disable-pip-version-check -qq --require-hashes -r requirements/checkov.txt
	@touch $@

checkov: $(CHECKOV) ## the template against checkov's policies, in an environment of its own (made once, some minutes)
	@$(PYTHON) local/set_up.py dev
	@$(BIN)/python -m isnad_local.translate .local/translated
	$(CHECKOV) --quiet --compact --config-file .checkov.yaml --directory .local/translated

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
	$(LOCK) -c requirements/dev.txt -o layers/authorizer/requirements.txt layers/authorizer/requirements.in
	$(LOCK) -c requirements/dev.txt -o layers/providers/requirements.txt layers/providers/requirements.in
	$(LOCK) -o requirements/checkov.txt requirements/checkov.in

surface: ## describe the read surface anew (database/surface.json), after a new migration
	@$(PYTHON) local/set_up.py dev
	@$(BIN)/python -m isnad_local.surface

fuzz: ## generated requests against the local API, many more than `make test` makes
	@$(PYTHON) local/set_up.py dev
	@ISNAD_EXAMPLES=1000 $(BIN)/python -m pytest tests/integration/test_openapi.py -k generated --timeout 3600

openapi: ## write docs/openapi.json anew, from the declarations
	@$(PYTHON) local/set_up.py dev
	@$(BIN)/python -m isnad_local.openapi

token: ## print a token that the local API takes (ARGS="--scope tools --seconds 60")
	@$(PYTHON) local/set_up.py run
	@$(BIN)/python -m isnad_local.print_token $(ARGS)

build: ## functions and layers for sam deploy, in build/ (needs python3.13, or PYTHON313=...)
	@$(PYTHON) local/set_up.py run
	@$(BIN)/python -m isnad_local.build

release: ## print the hash of what would be deployed
	@$(PYTHON) local/set_up.py run
	@$(BIN)/python -m isnad_local.release

clean: ## remove the environment and the local data
	rm -rf .venv .local build .aws-sam
