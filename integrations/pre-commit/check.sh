#!/usr/bin/env bash
# The pre-commit hook: `muster check` from the checkout that pre-commit keeps of this repository.
set -euo pipefail
home="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
bash "$home/integrations/prepare.sh"
exec node "$home/src/cli/main.ts" check "$@"
