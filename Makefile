# The commands of this repository. `make help` lists them.

GO ?= go
# The example is generated as a user of kindsmith would do it: in its own folder.
EXAMPLE := cd examples/database && ../../bin/kindsmith generate ./api/... --coverage


.PHONY: help
help: ## List the commands.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the command: bin/kindsmith.
	@$(GO) build -o bin/kindsmith ./cmd/kindsmith

.PHONY: demo
demo: build ## Generate the example, and show what came out of it.
	@$(EXAMPLE)
	@cd examples/database && $(GO) run ./demo

.PHONY: test
test: vet check-generated unit e2e lint ## Pass the tests: everything that CI checks.

.PHONY: unit
unit: ## Run the unit and conformance tests of all modules.
	$(GO) test ./...
	$(GO) -C runtime test ./...
	$(GO) -C examples/database test ./...

.PHONY: bench
bench: ## Compare with upstream's validation-gen: generation, validators, differences (minutes).
	$(GO) -C bench test ./...
	$(GO) -C bench run .

.PHONY: e2e
e2e: ## Run the end-to-end tests against a real API server (the first time it is built: minutes).
	$(GO) -C test/oracle/launch run ./prebuild
	$(GO) -C test/oracle/launch test ./...
	$(GO) -C test/e2e test ./...

.PHONY: vet
vet: ## Look for mistakes in the Go code.
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'run gofmt -w on these'; exit 1; }
	$(GO) vet ./...
	$(GO) -C runtime vet ./...
	$(GO) -C examples/database vet ./...
	$(GO) -C bench vet ./...

.PHONY: lint
lint: ## Run golangci-lint (pinned in tools/go.mod) over all modules.
	./hack/lint

.PHONY: generate
generate: ## Write all generated files of the repository again.
	$(GO) generate ./...
	$(MAKE) build
	$(EXAMPLE)

.PHONY: check-generated
check-generated: ## Check that generated files are up to date.
	$(MAKE) build
	$(EXAMPLE) --check
	@$(GO) generate ./... && git diff --exit-code -- internal/driver

.PHONY: clean
clean: ## Remove what was built.
	rm -rf bin bench/testdata/gen
