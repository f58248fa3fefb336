#!/usr/bin/env bash
# Installs what `muster check` of this checkout needs to run: the packages of runtime/, none of those for development.
set -euo pipefail
integrations="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=tools/integrations/node.sh
source "$integrations/node.sh"
cd "$integrations/../.."

# A second use finds it done; so does a checkout for development.
if [ ! -d node_modules/yaml ]; then
  npm ci --prefix tools/integrations/runtime --ignore-scripts --no-audit --no-fund >&2
  # Where the sources look for packages.
  ln -sfn tools/integrations/runtime/node_modules node_modules
fi
