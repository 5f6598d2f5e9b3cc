#!/usr/bin/env bash
# Pin every dependency with its hashes, for all supported Pythons at once: `make pins`.
set -euo pipefail
cd "$(dirname "$0")/.."

pin() { # pin FILE ARGUMENTS...: base.txt holds all other files to its versions
    local out="requirements/$1"
    shift
    UV_CUSTOM_COMPILE_COMMAND="make pins" "${UV:-uv}" pip compile --quiet --no-config --universal \
        --python-version 3.11 --fork-strategy fewest --generate-hashes \
        --no-emit-index-url --no-header --no-strip-extras "$@" --output-file "$out"
}

touch requirements/{base,test,web,cluster,lint,docs,build}.txt
pin base.txt pyproject.toml "$@"
pin build.txt --group build --constraints requirements/base.txt "$@"
# Sphinx is the pickiest about its dependencies, some of which the web application shares.
pin docs.txt --group docs --constraints requirements/base.txt "$@"
pin test.txt pyproject.toml --group tests --constraints requirements/base.txt \
    --constraints requirements/docs.txt "$@"
# What `make play` installs: the web application and all that the README shows.
pin web.txt pyproject.toml --extra web --extra plot --extra tui --extra sat --constraints requirements/test.txt "$@"
pin cluster.txt pyproject.toml --extra cluster --constraints requirements/test.txt "$@"
pin lint.txt --group lint --group typing --constraints requirements/test.txt "$@"

if grep -nE '^ *--?(index|extra|find|f |i )|://' requirements/*.txt; then
    echo "requirements: an address slipped into the pins" >&2
    exit 1
fi
