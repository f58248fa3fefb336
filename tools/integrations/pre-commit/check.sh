#!/usr/bin/env bash
# The pre-commit hook: `muster check` from the checkout that pre-commit keeps of this repository.
set -euo pipefail
integrations="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=tools/integrations/node.sh
source "$integrations/node.sh"
case " $* ${MUSTER_LIVE:+--live} " in
  *" --live"*) echo "error: the hook reads files only: for --live install kube-muster, and call it in a local hook" >&2; exit 2 ;;
esac
bash "$integrations/prepare.sh"
exec "$node" "$integrations/../../src/cli/main.ts" check "$@"
