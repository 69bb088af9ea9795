# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A thin face on the CMake presets. On a fresh Debian 12:
#   make demo    install what is missing, build, show what Whisker can do
#   make test    the same set-up, then the whole test suite
# Every target takes PRESET=debug|release|asan|tsan|scalar|clang and JOBS=n.

PRESET ?= release
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
ROWS ?=

.PHONY: build configure demo test bench format lint install clean help
.DEFAULT_GOAL := build

build: configure
	cmake --build --preset $(PRESET) --parallel $(JOBS)

configure:
	@cmake --preset $(PRESET) --log-level=WARNING

demo:
	@tools/install_packages.sh build
	@$(MAKE) --no-print-directory configure PRESET=release
	cmake --build --preset release --parallel $(JOBS) --target whisker_command
	build/bin/whisker demo

test:
	@tools/install_packages.sh build test
	@$(MAKE) --no-print-directory build
	ctest --preset $(PRESET) --parallel $(JOBS) --no-tests=error

# ROWS holds patterns that are for the program, not for the shell.
bench:
	@tools/install_packages.sh build bench
	@$(MAKE) --no-print-directory configure PRESET=release
	cmake --build --preset release --parallel $(JOBS) --target all whisker_benchmarks
	@set -f; tools/bench $(if $(FULL),--full) $(ROWS)

format:
	tools/format

lint:
	@tools/install_packages.sh build check
	tools/ci format layers docs lint

install: build
	cmake --install build/$(PRESET) --prefix $(PREFIX)

clean:
	rm -rf build

help:
	@sed -n '4,/^$$/s/^# \{0,1\}//p' Makefile
