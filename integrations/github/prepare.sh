#!/usr/bin/env bash
# Makes muster ready to run from the action's own checkout: its sources, and what the lockfile says they need.
set -euo pipefail

if ! node --eval 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)'; then
  echo "::error::muster needs Node 22.19 or newer: put a step with actions/setup-node before it"
  exit 2
fi
cd "$GITHUB_ACTION_PATH"
# A second use in the same job finds it done.
if [ ! -d node_modules/yaml ]; then
  npm ci --omit=dev --ignore-scripts --no-audit --no-fund
fi
