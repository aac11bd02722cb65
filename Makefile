# Two commands suffice: `make demo` shows the main task, `make test` runs the tests. Both install what they need.
PREFIX ?= /usr/local
DESTDIR ?=
OPTIONS ?=
SWIFT ?= swift
# The Swift runtime is linked into the executables: they start faster and run on machines without Swift. BoringSSL's messages
# name its source files: without this folder's path, so that it does not matter where the clone is.
PREFIX_MAP := '-ffile-prefix-map=$(CURDIR)/='
# LLD, without names that nobody looks up, makes them start a tenth faster and two megabytes smaller in memory.
RELEASE := -c release --static-swift-stdlib -Xcc $(PREFIX_MAP) -Xcxx $(PREFIX_MAP) \
  -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic

.PHONY: help demo demo-cloud web simulator test proofs bench build build-web install uninstall deb dist wheel schema \
  headshot-references setup setup-tests clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: ## Install the packages that the build needs and that are missing
	@scripts/set-up.sh

setup-tests: ## Install the packages that the tests need as well, but no desktop: without a keyring, its tests are skipped
	@scripts/set-up.sh jq libvips-tools nodejs node-typescript postgresql
	@scripts/set-up.sh pgbouncer || echo "Without PgBouncer, its tests are skipped." >&2
	@scripts/set-up.sh chromium libjs-leaflet nginx-light || echo "Without a browser or a proxy, their tests are skipped." >&2

build: setup ## Build atelier and atelier-imaging into .build/release
	$(SWIFT) build $(RELEASE) --product atelier
	$(SWIFT) build $(RELEASE) --product atelier-imaging

build-web: build ## Build these and atelier-web into .build/release
	$(SWIFT) build $(RELEASE) --product atelier-web

web: build-web ## Show Atelier in the browser, with the history of this machine; OPTIONS are those of atelier-web
	@.build/release/atelier-web --atelier '$(CURDIR)/.build/release/atelier' $(OPTIONS)

demo: build ## Make a headshot of a bundled portrait and show the messages of the protocol
	@scripts/set-up.sh jq
	@scripts/demo.sh

demo-cloud: build simulator ## Show a generation and a cancel by a cloud provider, against a simulator
	@scripts/set-up.sh jq
	@scripts/demo-cloud.sh

simulator: setup ## Build gemini-simulator into .build/release
	$(SWIFT) build $(RELEASE) --product gemini-simulator

test: setup-tests ## Run every test: Swift, the clients, the examples in the documents; the last line has the totals
	@scripts/test.sh

proofs: setup-tests ## The long proofs: a million steps of the ledger, races of files, hundreds of kills, servers and cables that fail, random streams, Debian's kernel, a package of somebody else's
	@ATELIER_PROOFS=1 scripts/test.sh --filter "LedgerRandomTests|FailingWritesTests|FileRaceTests"
	@ATELIER_PROOFS=1 scripts/with-s3.sh scripts/test.sh --filter BucketRaceTests
	@ATELIER_PROOFS=1 scripts/test.sh --filter Faults
	@cd Tests/SharedLedger && ATELIER_PROOFS=1 ../../scripts/with-s3.sh ../../scripts/python-with-psycopg.sh -m unittest -v
	@scripts/prove-kernel.sh .build/debug
	@scripts/prove-swift-package.sh .build/debug

bench: build simulator ## Measure start-up, throughput, memory, the headshot and the ledger in comparison with others
	$(SWIFT) build $(RELEASE) --product ledger-benchmark
	$(SWIFT) build $(RELEASE) --product portrait-benchmark
	$(SWIFT) build $(RELEASE) --product client-benchmark
	@python3 Benchmarks/run.py --build .build/release

schema: setup ## Write the documents in protocol/ from the Swift types, their doc comments and the examples
	$(SWIFT) build --product protocol-documents
	.build/debug/protocol-documents; status=$$?; \
	for name in openrpc schema; do \
	  sed -i "s/$$name.json SHA-256: [0-9a-f]*/$$name.json SHA-256: $$(sha256sum protocol/$$name.json | cut -d ' ' -f 1)/" \
	    Sources/Base/CEmbedded/embedded.S; \
	done; exit $$status
	python3 clients/python/generate_values.py
	python3 clients/node/generate_types.py

headshot-references: setup-tests ## Write what the headshot regression tests compare with; look at the pictures before committing
	ATELIER_WRITE_HEADSHOT_REFERENCES=1 $(SWIFT) test --filter '^PortraitTests\.HeadshotRegressionTests/writeReferences'

install: build-web ## Install under PREFIX (default /usr/local)
	packaging/stage.sh $(DESTDIR)$(PREFIX)
	packaging/stage.sh $(DESTDIR)$(PREFIX) web

uninstall: ## Remove what `make install` put under PREFIX
	cd $(DESTDIR)$(PREFIX) && rm -rf libexec/atelier && for each in atelier atelier-web; do \
	  rm -rf bin/$$each share/doc/$$each share/man/man1/$$each.1.gz share/bash-completion/completions/$$each \
	    share/zsh/site-functions/_$$each share/fish/vendor_completions.d/$$each.fish; \
	done

deb: build-web ## Make the Debian packages, in .build/dist; packaging/test-deb.sh tests them
	@scripts/set-up.sh dpkg-dev
	packaging/make-deb.sh

dist: build-web ## Make the archive with its install script, bills of materials and checksums, in .build/dist
	packaging/make-dist.sh

wheel: build ## Make the Python wheel that contains the service, in .build/dist
	rm -rf .build/package/wheel
	packaging/stage.sh .build/package/wheel
	packaging/wheel.py .build/package/wheel

clean: ## Remove everything that was built
	rm -rf .build
