# Two commands suffice: `make demo` shows the main task, `make test` runs the tests. Both install what they need.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# The Swift runtime is linked into the executables: they start faster and run on machines without Swift.
RELEASE := -c release --static-swift-stdlib

.PHONY: help demo demo-cloud simulator test proofs bench build install uninstall schema empty-database setup format-check clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: ## Install the packages that this project needs and that are missing
	@scripts/set-up.sh

build: setup ## Build atelier and atelier-imaging into .build/release
	$(SWIFT) build $(RELEASE) --product atelier
	$(SWIFT) build $(RELEASE) --product atelier-imaging

demo: build ## Make a headshot of a bundled portrait and show the messages of the protocol
	@scripts/demo.sh

demo-cloud: build simulator ## Show a generation and a cancel by a cloud provider, against a simulator
	@scripts/demo-cloud.sh

simulator: setup ## Build gemini-simulator into .build/release
	$(SWIFT) build $(RELEASE) --product gemini-simulator

test: setup ## Run every test: Swift, the Python client, the shell scripts, the examples in the documents
	@scripts/test.sh

proofs: setup ## The long proofs: a million steps of the ledger, hundreds of kills, random streams, Debian's kernel
	@ATELIER_PROOFS=1 scripts/test.sh --filter LedgerRandomTests
	@ATELIER_PROOFS=1 scripts/test.sh --filter Faults
	@scripts/prove-kernel.sh .build/debug

bench: build simulator ## Measure start-up, throughput, memory, the headshot and the ledger in comparison with others
	$(SWIFT) build $(RELEASE) --product ledger-benchmark
	@python3 Benchmarks/run.py --build .build/release

schema: setup ## Write the documents in protocol/ from the Swift types, their doc comments and the examples
	$(SWIFT) build --product protocol-documents
	.build/debug/protocol-documents; status=$$?; \
	for name in openrpc schema; do \
	  sed -i "s/$$name.json SHA-256: [0-9a-f]*/$$name.json SHA-256: $$(sha256sum protocol/$$name.json | cut -d ' ' -f 1)/" \
	    Sources/CProtocolDocuments/documents.S; \
	done; exit $$status
	python3 clients/python/generate_values.py

empty-database: setup ## Write the database that a first start copies, from the steps in Sources/Store/Schema
	ATELIER_WRITE_EMPTY_DATABASE=Sources/CEmptyDatabase/database/empty.sqlite \
	  $(SWIFT) test --filter '^StoreTests\.CreationTests/sameAsMigrated'
	sed -i "s/SHA-256: .* /SHA-256: $$(sha256sum Sources/CEmptyDatabase/database/empty.sqlite | cut -d ' ' -f 1) /" \
	  Sources/CEmptyDatabase/database.S

install: build ## Install under PREFIX (default /usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/atelier
	install -m 755 -s .build/release/atelier $(DESTDIR)$(PREFIX)/bin/atelier
	install -m 755 -s .build/release/atelier-imaging $(DESTDIR)$(PREFIX)/libexec/atelier/atelier-imaging

uninstall: ## Remove what `make install` put under PREFIX
	rm -f $(DESTDIR)$(PREFIX)/bin/atelier $(DESTDIR)$(PREFIX)/libexec/atelier/atelier-imaging
	-rmdir $(DESTDIR)$(PREFIX)/libexec/atelier

clean: ## Remove everything that was built
	rm -rf .build
