#!/bin/sh
# Installs what is missing and says so on stderr; with nothing missing it says nothing and takes no time.
#   setup.sh npm      the packages of the lock file, Node 26 among them
#   setup.sh debian   the Debian packages of scripts/debian-packages.txt
set -eu
cd -- "$(dirname -- "$0")/.."

say() { echo "setup: $*" >&2; }

npm_packages() {
  stamp=node_modules/.pathmeter-lock
  # Contents, not times: a checkout of another branch and back must install nothing.
  if cmp -s package-lock.json "$stamp"; then return; fi
  command -v npm >/dev/null || { say 'npm is missing; install Node.js (any version that brings npm 9 or newer)'; exit 1; }
  say 'installing the packages of package-lock.json (npm ci)'
  # The Node that runs npm may be older than ours, so its complaints about engines are no news. No package needs its
  # install script: koffi and esbuild ship their binaries as packages.
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  bin/node --version >/dev/null
  cp package-lock.json "$stamp"
}

missing_debian_packages() {
  grep -v '^#' scripts/debian-packages.txt | while read -r package command; do
    command -v "$command" >/dev/null || printf '%s ' "$package"
  done
}

debian_packages() {
  missing=$(missing_debian_packages)
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null || { say "missing, and no apt-get here to install it: $missing"; exit 1; }
  if [ "$(id -u)" != 0 ]; then
    say "missing: $missing"
    say "run: sudo apt-get install --no-install-recommends $missing"
    exit 1
  fi
  say "installing Debian packages: $missing"
  # shellcheck disable=SC2086 # one word a package
  if ! install_debian $missing; then
    say 'fetching the package lists, which may be old or absent (apt-get update)'
    loud apt-get update
    loud install_debian $missing
  fi >&2
}

# RUNLEVEL=1 keeps invoke-rc.d from starting the daemons that come with the packages: only the programs are wanted.
install_debian() {
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 </dev/null
}

case "${1:-}" in
  npm) npm_packages ;;
  debian) debian_packages ;;
  *) echo "usage: $0 npm|debian" >&2; exit 2 ;;
esac
