#!/bin/sh
# Create the virtual environment DIR, with PYTHON or the first suitable Python found.
# Usage: venv.sh DIR [PYTHON]
set -eu

dir=$1
python=${2:-}
suits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))'

# A name on the path may be a stub that does not run, so each candidate is tried.
if [ -z "$python" ]; then
    for candidate in python3.13 python3.12 python3.14 python3.11 python3; do
        if "$candidate" -c "$suits" >/dev/null 2>&1; then
            python=$candidate
            break
        fi
    done
fi
if [ -z "$python" ]; then
    echo "No Python from 3.11 to 3.14 was found; name one with: make PYTHON=/path/to/python" >&2
    exit 1
fi
if ! "$python" -c "$suits"; then
    echo "$python is no Python from 3.11 to 3.14" >&2
    exit 1
fi

if "$dir/bin/python" -c "$suits" >/dev/null 2>&1 && "$dir/bin/python" -m pip --version >/dev/null 2>&1
then
    exit 0
fi

if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if [ "$(id -u)" != 0 ]; then
        echo "Python lacks its venv module; install it with: sudo apt-get install -y $package" >&2
        exit 1
    fi
    apt-get install -y "$package" || { apt-get update && apt-get install -y "$package"; }
fi
echo "Creating $dir with $("$python" --version)"
"$python" -m venv --clear "$dir"
