#!/bin/sh
# Install Debian's Chromium for the tests of the pages, where it is missing and that is permitted.
# Never fails: without Chromium those tests are skipped, and say so.
if command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
    command -v google-chrome >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "Chromium is not installed: the tests in a browser are skipped" >&2
    echo "(on a Debian-like system: sudo apt-get install chromium)" >&2
    exit 0
fi
echo "Installing Chromium for the tests in a browser"
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium >/dev/null; }
install 2>/dev/null || { apt-get update >/dev/null && install; } ||
    echo "Chromium could not be installed: the tests in a browser are skipped" >&2
exit 0
