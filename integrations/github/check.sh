#!/usr/bin/env bash
# One `muster check` with the action's inputs. They come as variables and leave as arguments, whatever stands in them.
set -euo pipefail

arguments=(check "--fail-on=$INPUT_FAIL_ON")

# One of these for each line that is not blank.
while IFS= read -r path; do
  if [ -n "${path//[[:space:]]/}" ]; then arguments+=("--state=$path"); fi
done <<<"$INPUT_STATE"
while IFS= read -r glob; do
  if [ -n "${glob//[[:space:]]/}" ]; then arguments+=("--clusters=$glob"); fi
done <<<"$INPUT_CLUSTERS"
if [ -n "$INPUT_CONFIG" ]; then arguments+=("--config=$INPUT_CONFIG"); fi
if [ -n "$INPUT_BASE_REF" ]; then arguments+=("--base-ref=$INPUT_BASE_REF"); fi
if [ "$INPUT_FAIL_ON_NO_MATCH" = true ]; then arguments+=(--fail-on-no-match); fi

sarif="${INPUT_SARIF_FILE:-$RUNNER_TEMP/muster.sarif}"
case "$sarif" in
  *$'\n'*) echo "::error::sarif-file is one path, in one line"; exit 2 ;;
  /* | [A-Za-z]:*) ;;
  *) sarif="$PWD/$sarif" ;;
esac
arguments+=("--output=github" "--output=sarif=$sarif" --)

# Each cluster is a folder already; a path beside them is refused.
if [ -z "${INPUT_CLUSTERS//[[:space:]]/}" ]; then
  while IFS= read -r path; do
    if [ -n "${path//[[:space:]]/}" ]; then arguments+=("$path"); fi
  done <<<"$INPUT_PATHS"
fi

code=0
node "$GITHUB_ACTION_PATH/src/cli/main.ts" "${arguments[@]}" </dev/null || code=$?
{
  echo "sarif-file=$sarif"
  echo "exit-code=$code"
} >>"$GITHUB_OUTPUT"
exit "$code"
