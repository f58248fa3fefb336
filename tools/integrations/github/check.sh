#!/usr/bin/env bash
# One `muster check` with the action's inputs. They come as variables and leave as arguments, whatever they hold.
set -euo pipefail
integrations="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=tools/integrations/node.sh
source "$integrations/node.sh"

# Ends the step because of an input, as muster ends for a wrong flag.
refuse() {
  echo "::error::$1"
  echo "exit-code=2" >>"$GITHUB_OUTPUT"
  exit 2
}

# What reads a cluster is not installed. --state excludes the variable.
if [ "${MUSTER_LIVE:+x}${INPUT_STATE:+y}" = x ]; then refuse "the action reads files only: unset MUSTER_LIVE"; fi

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

# Adds a flag without a value if its input is "true". Another word than "false" would switch a check off silently.
add_switch() {
  case "$2" in
    true) arguments+=("$1") ;;
    false | "") ;;
    *) refuse "the input ${1#--} is neither true nor false" ;;
  esac
}
add_switch --render "${INPUT_RENDER:-}"
add_switch --fail-on-no-match "${INPUT_FAIL_ON_NO_MATCH:-}"

# A folder of its own: a job may use the action twice, and upload both reports at its end.
sarif="${INPUT_SARIF_FILE:-$(mktemp -d "$RUNNER_TEMP/muster-XXXXXX")/muster.sarif}"
case "$sarif" in
  *$'\n'*) refuse "sarif-file is one path, in one line" ;;
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
  # A wrong call writes no report, and the upload of none would fail, too.
  if [ -f "$sarif" ]; then echo "sarif-file=$sarif"; fi
  echo "exit-code=$code"
} >>"$GITHUB_OUTPUT"
exit "$code"
