#!/bin/sh
# Install Debian's Chromium and Node.js for the tests of the pages and their scripts, or what is
# named, where they are missing and that is permitted. Never fails: without them those tests are
# skipped, and say so.
any() { for name; do command -v "$name" >/dev/null 2>&1 && return; done; return 1; }
[ $# -gt 0 ] || set -- chromium-headless-shell nodejs
wanted=""
for package; do
    case $package in
    chromium-*) any "$package" chromium chromium-browser google-chrome ;;
    nodejs) any node nodejs ;;
    esac || wanted="$wanted $package"
done
[ -n "$wanted" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "Not installed:$wanted. The tests that need them are skipped" >&2
    echo "(on a Debian-like system: sudo apt-get install$wanted)" >&2
    exit 0
fi
echo "Installing$wanted for the tests of the pages"
# The names are words of their own on purpose.
# shellcheck disable=SC2086
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $wanted >/dev/null; }
install 2>/dev/null || { apt-get update >/dev/null && install; } ||
    echo "Could not be installed:$wanted. The tests that need them are skipped" >&2
exit 0
