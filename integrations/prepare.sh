#!/usr/bin/env bash
# Installs what the sources of this checkout need to run. Optional packages are builds of development tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! node --eval 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)'; then
  if [ "${GITHUB_ACTIONS:-}" = true ]; then
    echo "::error::muster needs Node 22.19 or newer: put a step with actions/setup-node before it"
  else
    echo "error: muster needs Node 22.19 or newer, this is $(node --version || true)" >&2
  fi
  exit 2
fi
# A second use finds it done.
if [ ! -d node_modules/yaml ]; then
  npm ci --omit=optional --ignore-scripts --no-audit --no-fund >&2
fi
