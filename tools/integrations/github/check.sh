#!/usr/bin/env bash
# One `muster check` with the action's inputs. They come as variables and leave as arguments, whatever they hold.
set -euo pipefail
integrations="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=tools/integrations/node.sh
source "$integrations/node.sh"

arguments=(check "--fail-on=$INPUT_FAIL_ON")

# Adds one argument for each line of an input that is not blank: PREFIX and the line.
add_lines() {
  local prefix="$1" line
  while IFS= read -r line; do
    if [ -n "${line//[[:space:]]/}" ]; then arguments+=("$prefix$line"); fi
  done <<<"$2"
}

add_lines --state= "${INPUT_STATE:-}"
add_lines --clusters= "${INPUT_CLUSTERS:-}"
add_lines --cluster= "${INPUT_CLUSTER:-}"
add_lines --deleted= "${INPUT_DELETED:-}"
add_lines --as-group= "${INPUT_AS_GROUP:-}"
if [ -n "${INPUT_CONFIG:-}" ]; then arguments+=("--config=$INPUT_CONFIG"); fi
if [ -n "${INPUT_BASE_REF:-}" ]; then arguments+=("--base-ref=$INPUT_BASE_REF"); fi
if [ -n "${INPUT_AS:-}" ]; then arguments+=("--as=$INPUT_AS"); fi
if [ -n "${INPUT_BASELINE:-}" ]; then arguments+=("--baseline=$INPUT_BASELINE"); fi
if [ "${INPUT_RENDER:-}" = true ]; then arguments+=(--render); fi
if [ "${INPUT_FAIL_ON_NO_MATCH:-}" = true ]; then arguments+=(--fail-on-no-match); fi

sarif="${INPUT_SARIF_FILE:-$RUNNER_TEMP/muster.sarif}"
case "$sarif" in
  *$'\n'*) echo "::error::sarif-file is one path, in one line"; exit 2 ;;
  /* | [A-Za-z]:*) ;;
  *) sarif="$PWD/$sarif" ;;
esac
arguments+=("--output=github" "--output=sarif=$sarif" --)

# Clusters name their folders; muster refuses a path beside them.
# An empty input is no path: the configuration names the clusters.
named="${INPUT_CLUSTERS:-}${INPUT_CLUSTER:-}"
if [ -z "${named//[[:space:]]/}" ]; then add_lines "" "${INPUT_PATHS-.}"; fi

code=0
"$node" "$integrations/../../src/cli/main.ts" "${arguments[@]}" </dev/null || code=$?
{
  echo "sarif-file=$sarif"
  echo "exit-code=$code"
} >>"$GITHUB_OUTPUT"
exit "$code"
