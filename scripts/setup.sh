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
    apt-get -qq update >&2
    install_debian $missing || { cat "$apt_log" >&2; exit 1; }
  fi
  # shellcheck disable=SC2086
  stop_services $missing
}

apt_log=.cache/apt-get.log

# RUNLEVEL=1 keeps invoke-rc.d from starting the daemons that come with the packages: only the programs are wanted.
install_debian() {
  mkdir -p .cache
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" >"$apt_log" 2>&1 </dev/null
}

# systemd asks no run level, and has started them.
stop_services() {
  [ -d /run/systemd/system ] || return 0
  for package in "$@"; do
    if systemctl cat "$package.service" >/dev/null 2>&1; then systemctl --quiet disable --now "$package.service" >&2; fi
  done
}

case "${1:-}" in
  npm) npm_packages ;;
  debian) debian_packages ;;
  *) echo "usage: $0 npm|debian" >&2; exit 2 ;;
esac
