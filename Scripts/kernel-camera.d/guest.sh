# The common beginning of both guests' jobs. They run with the host's files read-only and may write
# to /run; $programs, $clips and $here are set. Any failing check ends a job with status 1. Sourced.
set -euo pipefail
# shellcheck disable=SC2154  # set by the guest's init
export HOME=/run/home XDG_STATE_HOME=/run/state XDG_CONFIG_HOME=/run/config \
    XDG_CACHE_HOME=/run/cache TMPDIR=/run
export COPYSTAND_BACKENDS=$manifests
mkdir -p "$HOME" && cd /run

say() { read -r up _ </proc/uptime; echo "[$up s] $*"; }
fail() { say "FAILED: $*"; exit 1; }
# Tests the JSON that copystand prints with a Python expression over `data`.
check_json() { python3 -c "import json,sys; data=json.load(sys.stdin); sys.exit(not ($1))"; }
await() { for _ in $(seq 600); do if eval "$1"; then return 0; fi; sleep 0.1; done; fail "waited in vain for: $1"; }
copystand() { "$programs/copystand" "$@"; }
pages() { pdfinfo "$1" | awk '/^Pages:/ {print $2}'; }
