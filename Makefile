# Two commands: `make build` makes the site, `make test` checks everything.
# `make help` lists the others.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
OUT ?= public
WEBTEST := generator/webtest
APITEST := generator/apitest
MCPTEST := generator/mcptest
APIPORT ?= 8946
HOSTTEST := generator/hosttest
FUZZTIME ?= 3s
KILLS ?= 1000
SBOM ?= bin/incidentlib.cdx.json

.PHONY: build
build: need-go ## Build the site from seeds/ into public/
	@go run -trimpath ./cmd/incidentlib build --out $(OUT)
	@echo
	@echo "The site is in $(OUT)/. Look at it with: make serve"

.PHONY: serve
serve: need-go ## Serve the site at 127.0.0.1:4477 while you edit, and reload what changes
	@go run ./cmd/incidentlib serve

.PHONY: test
test: format vet lint unit seeds model html api browser hosts-quick mcp feeds fuzz vuln ## Check everything: what CI runs

.PHONY: format
format: need-go ## Every Go file is formatted
	@bad=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$bad" ]; then echo "not formatted: $$bad"; exit 1; fi

.PHONY: vet
vet: need-go
	go vet ./...

.PHONY: lint
lint: need-go ## staticcheck, with nothing switched off
	go tool staticcheck ./...

.PHONY: unit
unit: need-go ## All Go tests, with the race detector
	@command -v jq >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq jq >/dev/null; }
	go test -race ./...

.PHONY: seeds
seeds: need-go ## The real seeds have no problem, and are formatted
	go run ./cmd/incidentlib check
	go run ./cmd/incidentlib fmt --check

.PHONY: model
model: need-go need-node ## The retry storm, the error budget and the search give the same in JavaScript as in Go
	node --test $(WEBTEST)/storm.test.mjs $(WEBTEST)/budget.test.mjs
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; export INCIDENTLIB_SEARCH_EXPECTED="$$dir"; \
	go test -count=1 -run '^TestExpected$$' ./generator/search >/dev/null; \
	node --test $(WEBTEST)/search.test.mjs

.PHONY: html
html: need-go need-web ## Every page of the real site passes the Nu HTML checker
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go run ./cmd/incidentlib build --quiet --out "$$dir/site"; \
	node $(WEBTEST)/validate.mjs "$$dir/site"

.PHONY: feeds
feeds: need-go need-xml ## Feeds, sitemap, linked data and citations of the real site, by the readers that programs use
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go run ./cmd/incidentlib build --no-cards --quiet --out "$$dir/site"; \
	node $(WEBTEST)/feeds.mjs "$$dir/site"

.PHONY: api
api: need-go $(APITEST)/node_modules ## The published JSON by its schemas, the OpenAPI document, a generated client, the examples of /api/
	@for tool in curl jq python3; do command -v $$tool >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq curl jq python3 >/dev/null; }; done
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	port=$$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'); \
	go build -trimpath -o "$$dir/incidentlib" ./cmd/incidentlib; \
	"$$dir/incidentlib" build --quiet --out "$$dir/site" --base-url "http://127.0.0.1:$$port/lib" --mcp-url https://mcp.example/mcp; \
	node --test-reporter=spec $(APITEST)/api.test.mjs "$$dir/incidentlib" "$$dir/site" "$$port"

.PHONY: browser
browser: need-go need-browser ## The built site and the preview in a real Chromium: keyboard, axe, policy, live edits
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go build -trimpath -o "$$dir/incidentlib" ./cmd/incidentlib; \
	"$$dir/incidentlib" build --quiet --out "$$dir/site"; \
	node --test-reporter=spec $(WEBTEST)/browser.mjs "$$dir/site" "$$dir/incidentlib" seeds

.PHONY: hosts
hosts: need-go need-hosts $(HOSTTEST)/node_modules ## Sites on nginx, Caddy, the preview and wrangler keep what is promised of a published library
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go build -trimpath -o "$$dir/incidentlib" ./cmd/incidentlib; \
	node $(HOSTTEST)/hosts.mjs "$$dir/incidentlib" cmd/incidentlib/testdata/seeds

# The same without wrangler, which takes minutes.
.PHONY: hosts-quick
hosts-quick: need-go need-hosts
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go build -trimpath -o "$$dir/incidentlib" ./cmd/incidentlib; \
	node $(HOSTTEST)/hosts.mjs "$$dir/incidentlib" cmd/incidentlib/testdata/seeds nginx caddy serve

.PHONY: mcp
mcp: need-go $(MCPTEST)/node_modules ## The MCP server by other people's clients: inspector, conformance suites, TypeScript
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go build -trimpath -o "$$dir/incidentlib" ./cmd/incidentlib; \
	node $(MCPTEST)/run.mjs "$$dir/incidentlib" seeds

.PHONY: fuzz
fuzz: need-go ## A few seconds of every fuzz test (FUZZTIME=3s)
	@for pkg in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s $$pkg | tail -1; \
	  done; \
	done

.PHONY: kills
kills: need-go ## Kill builds and publishing KILLS times each at random instants: the site is old or new, never between
	INCIDENTLIB_KILLS=$(KILLS) go test -count=1 -v -run 'Kill' -timeout 60m ./generator/output ./generator/upload | grep -v '^=== '

# Each part says what it did in a line of its own; the last line counts them.
.PHONY: torture
torture: need-go ## Hours of harm in some minutes: kills, full disks, hostile seeds, load, faults of others (KILLS=1000)
	@log=$$(mktemp); trap 'rm -f "$$log"' EXIT; export INCIDENTLIB_TORTURE=1 INCIDENTLIB_EDITS=1 INCIDENTLIB_KILLS=$(KILLS); failed=; \
	part() { echo "== $$1"; shift; "$$@" 2>&1 | tee -a "$$log" | grep -Ev '^(=== |PASS$$)' || true; test "$${PIPESTATUS[0]}" = 0 || failed=1; }; \
	part "crash" go test -count=1 -v -timeout 90m -run 'Kill|Spare|Full|ReadOnly|Mount|Turn|Busy|Foreign|Link|Owner|Damaged|NotTrusted|Reader' ./generator/output; \
	part "publishing, killed" go test -count=1 -v -timeout 60m -run 'Kill|TwoAtOnce|Damaged|Scraps' ./generator/upload; \
	part "hostile and vanishing seeds" go test -count=1 -v -timeout 30m -run 'Hostile|Vanish|TextInTextOut' ./generator; \
	part "the program: kills, two at once, terminals" go test -count=1 -v -timeout 30m -run 'TestScripts/(killed|spare|hostile|full|broken|foreign)' ./cmd/incidentlib; \
	part "the preview under load" go test -count=1 -v -timeout 30m -run 'TestSlowReaders|TestNothingPilesUp' ./generator/preview; \
	part "the MCP server under load" go test -count=1 -v -timeout 30m -run 'TestManyClients|TestEndless|TestRates|TestWire' ./generator/mcpserver; \
	part "licences, and one program built twice" go test -count=1 -v -timeout 30m ./cmd/sbom; \
	part "known faults of others" $(MAKE) --no-print-directory vuln; \
	echo "torture: $$(grep -c '^ *--- PASS' "$$log" || true) tests passed, $$(grep -c '^ *--- FAIL' "$$log" || true) failed, $$(grep -c '^ *--- SKIP' "$$log" || true) skipped;" \
	  "$$(grep -oE '[0-9]+ kills over' "$$log" | awk '{n+=$$1} END {print n+0}') kills, $$(grep -oE '[0-9]+ hostile strings' "$$log" | awk '{n+=$$1} END {print n+0}') hostile strings," \
	  "$$(grep -oE '[0-9]+ edits' "$$log" | awk '{n+=$$1} END {print n+0}') edits, $$(grep -oE '[0-9]+ calls' "$$log" | awk '{n+=$$1} END {print n+0}') calls"; \
	test -z "$$failed"

.PHONY: sbom
sbom: need-go ## What the program is made of, as CycloneDX, into bin/ (SBOM=…)
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; mkdir -p $(dir $(SBOM)); \
	go build -trimpath -o "$$dir/incidentlib" ./cmd/incidentlib; \
	go run ./cmd/sbom "$$dir/incidentlib" >$(SBOM); echo "$(SBOM)"

# The data base of faults comes as a Go module, so that no other host has to be
# reached. Faults of the standard library are told, and mended by a newer Go.
.PHONY: vuln
vuln: need-go ## Known faults in what the programs call, by govulncheck, where its data base can be had
	@at=$$(go list -m -f '{{.Version}}' golang.org/x/vulndb@latest 2>/dev/null) || { echo "skipped: the data base of known faults cannot be had here"; exit 0; }; \
	db="$(CURDIR)/bin/vulndb-$$at"; \
	if [ ! -d "$$db/index" ]; then \
	  rm -rf bin/vulndb-* ; mkdir -p bin; \
	  src=$$(go mod download -json "golang.org/x/vulndb@$$at" | sed -n 's/^\t"Dir": "\(.*\)",$$/\1/p'); \
	  go run "golang.org/x/vulndb/cmd/indexdb@$$at" -out "$$db" -vulns "$$src/data/osv"; \
	fi; \
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 -format json -db "file://$$db" ./cmd/... | go run ./cmd/sbom vuln

.PHONY: golden
golden: need-go ## Write the golden pages anew; read the diff before you commit it
	go test ./generator -run Golden -update

.PHONY: shots
shots: need-go need-browser ## Screenshots of the main pages in both languages, widths and themes, into .shots/
	@go run ./cmd/incidentlib build --quiet --out .shots/site
	node $(WEBTEST)/shots.mjs .shots/site .shots

.PHONY: bench-serve
bench-serve: need-go $(WEBTEST)/node_modules ## From a save to the new page, at 567 to 20,000 cases (CORPUS_MAKER=…, HUGO=… HUGO_SITE=…)
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go build -trimpath -o "$$dir/incidentlib" ./cmd/incidentlib; \
	node $(WEBTEST)/bench-serve.mjs "$$dir/incidentlib"

.PHONY: bench-web
bench-web: need-go need-browser $(WEBTEST)/lighthouse/node_modules ## Bytes of a page, axe and Lighthouse, against their budgets
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go build -trimpath -o "$$dir/incidentlib" ./cmd/incidentlib; \
	node $(WEBTEST)/bench-web.mjs "$$dir/incidentlib" seeds

.PHONY: bench
bench: need-go ## Whole builds beside the write floor, Hugo and Eleventy (CORPUS_MAKER=… HUGO=… HUGO_SITE=… ELEVENTY_SITE=… SIZES='567 5000')
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go build -trimpath -o "$$dir/" ./cmd/incidentlib ./cmd/sitebench; \
	"$$dir/sitebench" -program "$$dir/incidentlib" -sizes "$${SIZES:-567 5000 20000}"

.PHONY: bench-mcp
bench-mcp: need-go ## The MCP server under load at 5,000 cases, its start and memory at 20,000 (CORPUS_MAKER=… SIZES='5000 20000')
	@test -n "$${CORPUS_MAKER:-}" || { echo "skipped: set CORPUS_MAKER to a command that writes cases (-n N -out FOLDER)"; exit 0; }; \
	dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; sites=; \
	go build -trimpath -o "$$dir/incidentlib" ./cmd/incidentlib; \
	for n in $${SIZES:-5000 20000}; do \
	  $$CORPUS_MAKER -n $$n -out "$$dir/seeds-$$n" >/dev/null; \
	  "$$dir/incidentlib" build --quiet --seeds "$$dir/seeds-$$n" --out "$$dir/site-$$n"; \
	  sites="$$sites $$dir/site-$$n"; \
	done; \
	INCIDENTLIB_LOAD="$$dir/incidentlib$$sites" go test -count=1 -run TestLoad -v ./generator/mcpserver | grep -v '^==='

.PHONY: bench-search
bench-search: need-go ## What the search index costs, and that it misses nothing, at 567 to 20,000 cases (CORPUS_MAKER=…, SIZES=…, PAGEFIND=…)
	@if [ -z "$${CORPUS_MAKER:-}" ]; then echo "skipped: set CORPUS_MAKER to a command that writes cases (-n N -out FOLDER)"; exit 0; fi; \
	dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	for n in $${SIZES:-567 5000 20000}; do \
	  $$CORPUS_MAKER -n $$n -out "$$dir/$$n" >/dev/null; \
	  INCIDENTLIB_SEARCH_BENCH="$$dir/$$n" INCIDENTLIB_SEARCH_BENCH_PAGES="$${PAGEFIND:+$$dir/pages-$$n}" go test -count=1 -v -timeout 30m -run '^TestBench$$' ./generator/search | sed -n 's/^ *bench_test.go:[0-9]*: //p; /^---/p'; \
	  if [ -n "$${PAGEFIND:-}" ]; then node $(WEBTEST)/bench-search.mjs "$$dir/pages-$$n" "$$PAGEFIND"; fi; \
	done

.PHONY: clean
clean: ## Remove what can be made again, but not public/
	rm -rf bin .shots $(WEBTEST)/node_modules $(APITEST)/node_modules $(HOSTTEST)/node_modules $(WEBTEST)/lighthouse/node_modules

.PHONY: help
help: ## This list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 12

.PHONY: need-go
need-go:
	@command -v go >/dev/null || { echo "Go 1.26 or newer is needed; see https://go.dev/doc/install"; exit 1; }

.PHONY: need-node
need-node:
	@command -v node >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nodejs npm >/dev/null; }

# The checks of HTML need Node, Java and a few packages from npm.
.PHONY: need-web
need-web: $(WEBTEST)/node_modules
	@command -v java >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq default-jre-headless >/dev/null; }

# The checks of feeds need Node and xmllint.
.PHONY: need-xml
need-xml: $(WEBTEST)/node_modules
	@command -v xmllint >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libxml2-utils >/dev/null; }

# The tests in a browser need Chromium, and letters for Korean on the pictures.
.PHONY: need-browser
need-browser: $(WEBTEST)/node_modules
	@test -x "$${CHROMIUM:-/usr/bin/chromium}" || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium fonts-noto-core fonts-noto-cjk >/dev/null; }

# The tests of hosts need two servers, and Node to start them.
.PHONY: need-hosts
need-hosts: need-node
	@command -v nginx >/dev/null && command -v caddy >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nginx-light caddy >/dev/null; }

$(WEBTEST)/node_modules $(APITEST)/node_modules $(HOSTTEST)/node_modules $(MCPTEST)/node_modules: %/node_modules: %/package-lock.json
	@command -v npm >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nodejs npm >/dev/null; }
	cd $* && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(WEBTEST)/lighthouse/node_modules: $(WEBTEST)/lighthouse/package-lock.json
	@command -v npm >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nodejs npm >/dev/null; }
	cd $(WEBTEST)/lighthouse && npm ci --no-audit --no-fund --loglevel=error
	@touch $@
