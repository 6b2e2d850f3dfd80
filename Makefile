# The commands of this repository. `make help` lists them.

GO ?= go
# Generate the examples like a user of kindsmith would: in their own folders.
EXAMPLE := cd examples/database && ../../bin/kindsmith generate ./api/... --coverage
PIPELINE := cd examples/pipeline && ../../bin/kindsmith generate ./api/...
OPERATOR := cd examples/operator && ../../bin/kindsmith generate
# Generates the API of the tests of runtime/ruletest.
FLEET := cd runtime/ruletest && ../../bin/kindsmith generate ./internal/... --policy-dir=
# Knows the modules of the repository, and which of them are published.
MODULES := $(GO) -C hack/modules run .
# The packages of a group of modules.
patterns = $$($(MODULES) list $(1) | sed 's|.*|./&/...|')

.PHONY: help
help: ## List the commands.
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Tests without go vet, which lint runs once for all packages.
TEST := test -vet=off

# Compilers and tests take a sixth less CPU time if they collect garbage less often.
export GOGC ?= 400

.PHONY: build
build: ## Build the command: bin/kindsmith.
	@$(GO) build -o bin/kindsmith ./cmd/kindsmith

.PHONY: demo
demo: build ## Generate the example and show the results.
	@$(EXAMPLE)
	@cd examples/database && $(GO) run ./demo
	@echo "API docs, for the people who write manifests:"
	@cd examples/database && ../../bin/kindsmith docs ./api/... --with-functions --try --out $(CURDIR)/bin/site

.PHONY: test
test: format consumers check-generated ## Run all checks that CI runs, but for make oldest. Lint includes go vet.
	@KINDSMITH_BINARY="$(CURDIR)/bin/kindsmith" $(MAKE) --no-print-directory --jobs=2 unit rehearsal e2e crds platforms lint # two at once: some wait for processes

.PHONY: quick
quick: format ## Run what finds most mistakes, in about a minute after an edit: gofmt, go vet, and the fast tests.
	$(GO) vet ./...
	$(GO) $(TEST) -short $$($(GO) list ./internal/... | grep -v /internal/tool/driver$$) ./docs
	$(GO) -C runtime $(TEST) -short ./...

.PHONY: unit
unit: ## Run the unit and conformance tests of all modules.
	$(GO) $(TEST) -timeout 60m ./... $(call patterns,libraries) $(call patterns,examples) # at once: one module compiles while another runs
	@$(GO) -C hack/modules $(TEST) ./...
	$(GO) -C bench $(TEST) -count=1 -timeout 30m ./... # not cached: it compares the output of other modules

.PHONY: crds
crds: ## Adopt real projects; compare their CRDs with controller-gen's, and verdicts on their types with an API server's.
	GOWORK=off $(GO) -C test/adopt $(TEST) -count=1 ./... # outside the workspace, like the next
	GOWORK=off $(GO) -C test/crds $(TEST) -count=1 ./... # outside the workspace: its modules would select versions for all others
	$(GO) $(TEST) ./conformance/published -rounds 20 -count=1 # not cached: it builds what it generates for test/published

# The minor versions of Kubernetes' libraries that the runtime supports. The workspace has
# the newest, so make unit tests it.
VERSIONS ?= 0.34 0.35 0.36 0.37

.PHONY: trees
trees: ## Compare the files of 15 projects with controller-gen's, and write the table in docs/guides/from-controller-gen.md (downloads gigabytes).
	GOWORK=off $(GO) -C test/crds run ./trees # outside the workspace, like crds

.PHONY: floor
floor: ## Test the runtime and an example with each version of Kubernetes' libraries in VERSIONS (takes minutes).
	GO=$(GO) OLDEST_GO=yes ./hack/floor "$(VERSIONS)" $$($(MODULES) list floor) examples/pipeline

.PHONY: oldest
oldest: ## Like make floor, with only the oldest version, and the Go of this machine. CI runs it beside make test.
	GO=$(GO) ./hack/floor "$(firstword $(VERSIONS))" $$($(MODULES) list floor) examples/pipeline

.PHONY: platforms
platforms: ## Type-check the command and the published modules for Windows and macOS, and vet files for these.
	@$(GO) run ./hack/platforms windows,darwin ./cmd/... $(call patterns,libraries)

# The name of the image that make image builds, and the tool that builds it: docker, podman, buildah or nerdctl.
IMAGE ?= kindsmith-converter
CONTAINER_TOOL ?= docker
ARCH ?= $(shell $(GO) env GOARCH)

.PHONY: converter
converter: ## Build kindsmith-converter for Linux: bin/kindsmith-converter-$(ARCH), linked statically.
	CGO_ENABLED=0 GOOS=linux GOARCH=$(ARCH) $(GO) build -trimpath -ldflags='-s -w' -o bin/kindsmith-converter-$(ARCH) ./cmd/kindsmith-converter

.PHONY: image
image: converter ## Build the image of kindsmith-converter: make image IMAGE=registry/name:tag ARCH=arm64 CONTAINER_TOOL=podman.
	$(CONTAINER_TOOL) build --platform=linux/$(ARCH) --build-arg=TARGETARCH=$(ARCH) -t $(IMAGE) -f cmd/kindsmith-converter/Dockerfile bin

.PHONY: rehearsal
rehearsal: ## Install the published modules from a module proxy, in empty folders and in projects of kubebuilder.
	$(GO) -C test/install $(TEST) -count=1 -timeout 60m ./... # not cached: it runs the pages of docs

.PHONY: bench
bench: ## Compare generation, validators and results with upstream's validation-gen (takes minutes).
	$(GO) -C bench run .

.PHONY: soak
soak: agree laws floor ## Run long random tests, and all versions of libraries: what CI of a release runs beside make test (takes hours).
	$(GO) $(TEST) ./conformance/versions -run TestRandomAPIs -seeds 60 -timeout 6h
	$(GO) $(TEST) ./conformance/versions -run TestStepsOfRandomAPIs -stepSeeds 200 -stepObjects 200 -timeout 6h
	$(GO) $(TEST) ./internal/tool/driver -run 'TestRandomEdits|TestCacheIsNeverWrong|TestUnknownTypes' -edits 200 -cache-steps 600 -every-field 1 -timeout 2h
	$(GO) $(TEST) ./conformance/defaults -run TestAgree -packages 400 -timeout 2h
	$(GO) $(TEST) ./conformance/unions -run TestShapes -pairs 20000 -timeout 2h
	$(GO) -C runtime $(TEST) ./jsonconvert -run '^$$' -fuzz FuzzConvert -fuzztime 5m
	$(GO) -C runtime $(TEST) ./jsonconvert -run '^$$' -fuzz FuzzReview -fuzztime 5m
	$(GO) -C test/e2e $(TEST) -run TestStorm -writes 400 -count=1 -timeout 2h .
	$(GO) -C test/install $(TEST) -run 'TestLibraries|TestKubebuilder|TestArchives|TestManagerImage' -soak -count=1 -timeout 2h
	$(GO) -C test/e2e $(TEST) ./serving ./dev -soak -count=1 -timeout 2h

.PHONY: agree
agree: ## Compare generated Go, the evaluator and schemas on objects made at random (takes minutes).
	$(GO) $(TEST) ./conformance -run TestAgree -rounds 1000 -timeout 60m -v
	$(GO) $(TEST) ./conformance/published -run TestAgree -rounds 1000 -timeout 60m -v

# The number of objects for each pair of versions that make laws makes.
OBJECTS ?= 100000

.PHONY: web
web: ## Build the bundles in web/dist from web/src (needs npm).
	cd web && npm ci --no-audit --no-fund && npm run --silent build

# The paths of the API server and of kubectl that the page of kindsmith dev is tested with.
PROGRAMS = set -- $$($(GO) -C test/oracle/launch run ./prebuild) && export APISERVER=$$1 KUBECTL=$$2 SITE=$(CURDIR)/bin/site KINDSMITH=$(CURDIR)/bin/kindsmith

.PHONY: browser
browser: build ## Test the API docs of the examples, Gateway API and Cluster API, and the page of dev, in a browser; BROWSER is the path of Chromium or Firefox.
	cd examples/database && ../../bin/kindsmith docs ./api/... --with-functions --try --out $(CURDIR)/bin/site
	cd examples/database && ../../bin/kindsmith docs ./api/... --with-functions --try --with-code --out $(CURDIR)/bin/sites/code
	$(GO) $(TEST) ./conformance -run TestOffline -offline
	$(GO) $(TEST) ./internal/objects/tryit/program -run TestSize -brotli
	cd examples/pipeline && ../../bin/kindsmith docs ./api/... --out $(CURDIR)/bin/sites/pipeline
	cd test/published && GOWORK=off ../../bin/kindsmith docs sigs.k8s.io/gateway-api/apis/... --try --out $(CURDIR)/bin/sites/gateway && GOWORK=off ../../bin/kindsmith docs sigs.k8s.io/cluster-api/api/core/... --out $(CURDIR)/bin/sites/capi
	@$(PROGRAMS) && cd test/browser && npm install --no-audit --no-fund && SITES=$(CURDIR)/bin/site:$(CURDIR)/bin/sites/pipeline:$(CURDIR)/bin/sites/gateway:$(CURDIR)/bin/sites/capi CODE=$(CURDIR)/bin/sites/code CEL=$(CURDIR)/bin/sites/gateway PROJECT=$(CURDIR)/examples/database npm test

.PHONY: pictures
pictures: browser ## Take the pictures that README.md and docs show, of pages, and of Neovim in tmux.
	@$(PROGRAMS) && cd test/browser && node pictures.js $(CURDIR)/docs
	PATH="$(CURDIR)/bin:$$PATH" ./test/editor/picture >bin/screen.txt && cd test/browser && node screen.js $(CURDIR)/docs/editor.png <$(CURDIR)/bin/screen.txt

.PHONY: editor
editor: build ## Test the language server in Neovim beside gopls, which must be in $PATH.
	PATH="$(CURDIR)/bin:$$PATH" ./test/editor/run

.PHONY: vscode
vscode: build ## Test the extension of VS Code, and package it: editors/vscode/dist/kindsmith.vsix.
	cd editors/vscode && npm ci --no-audit --no-fund && KINDSMITH=$(CURDIR)/bin/kindsmith npm test && npm run package

.PHONY: laws
laws: ## Check the laws of conversion in the examples on 100,000 objects of each version (takes hours).
	GOGC=800 KINDSMITH_ROUNDTRIP_OBJECTS=$(OBJECTS) $(GO) -C examples/database $(TEST) ./api/v1 -run TestRoundTrip -count=1 -timeout 24h
	GOGC=800 KINDSMITH_ROUNDTRIP_OBJECTS=$(OBJECTS) $(GO) -C examples/pipeline $(TEST) ./api/v2 -run TestRoundTrip -count=1 -timeout 24h

.PHONY: e2e
e2e: ## Run the end-to-end tests against a real API server (the first run builds it, which takes minutes), and render charts.
	$(GO) -C test/oracle/launch run ./prebuild
	$(GO) -C test/oracle/launch $(TEST) ./...
	GOWORK=off $(GO) -C apiserver $(TEST) ./... # outside the workspace, like crds
	$(GO) -C test/e2e $(TEST) -count=1 ./... # not cached: it runs kindsmith
	GOWORK=off $(GO) -C test/deploy $(TEST) -count=1 ./... # outside the workspace, like crds

.PHONY: format
format: ## Check that all Go files are formatted.
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'these files are not formatted; run gofmt -w on them'; exit 1; }

.PHONY: consumers
# One check of go vet, since lint has all: it type-checks the packages and their tests.
consumers: ## Check what users of the modules see: go.mod files, and the examples outside the workspace.
	@$(MODULES) check
	@$(MODULES) each examples env GOWORK=off $(GO) vet -stdversion ./...

.PHONY: vet
vet: format consumers ## Run gofmt and go vet on all modules.
	$(GO) vet ./...
	@$(MODULES) each libraries $(GO) vet ./...
	@$(MODULES) each examples $(GO) vet ./...
	$(GO) -C hack/modules vet ./...
	$(GO) -C test/install vet ./...
	$(GO) -C bench vet ./...
	GOWORK=off $(GO) -C test/adopt vet ./...
	GOWORK=off $(GO) -C test/crds vet ./...
	GOWORK=off $(GO) -C apiserver vet ./...
	GOWORK=off $(GO) -C test/deploy vet ./...
	GOWORK=off $(GO) -C test/published vet ./...

.PHONY: lint
lint: ## Run golangci-lint (pinned in tools/go.mod) over all modules.
	./hack/lint

.PHONY: generate
generate: ## Regenerate all generated files of the repository.
	$(GO) generate ./...
	$(MAKE) build
	$(EXAMPLE)
	$(PIPELINE)
	$(OPERATOR)
	$(FLEET)

.PHONY: check-generated
check-generated: ## Check that generated files are up to date.
	$(MAKE) build
	$(EXAMPLE) --check
	$(PIPELINE) --check
	$(OPERATOR) --check
	$(FLEET) --check
	@$(GO) generate ./... && git diff --exit-code -- internal/tool/driver

.PHONY: tidy
tidy: ## Run go mod tidy on all modules, each with the others on disk.
	@$(MODULES) tidy

.PHONY: release
release: ## Commit and tag a release after make test: make release VERSION=v0.1.0. It pushes nothing.
	@test -n "$(VERSION)" || { echo 'name the version, as in make release VERSION=v0.1.0'; exit 1; }
	@$(MODULES) release $(VERSION)

.PHONY: release-notes
release-notes: ## Print what the changelog says of a release: make release-notes VERSION=v0.1.0.
	@$(MODULES) notes $(VERSION)

.PHONY: clean
clean: ## Remove build output.
	rm -rf bin bench/testdata/gen
