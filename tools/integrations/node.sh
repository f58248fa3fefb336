# Sourced by the other scripts. Sets `node` to a Node that runs muster, or ends with exit code 2 and the way to get one.

is_new_enough() {
  "$1" --eval 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)'
}

node=node
if ! is_new_enough node 2>/dev/null; then
  node=
  # GitHub's runners keep several versions here, beside the one on the PATH.
  for candidate in "${RUNNER_TOOL_CACHE:-/nonexistent}"/node/*/*/bin/node; do
    if [ -x "$candidate" ] && is_new_enough "$candidate"; then node="$candidate"; fi
  done
fi
if [ -z "$node" ]; then
  found="$(node --version 2>/dev/null || echo none)"
  if [ "${GITHUB_ACTIONS:-}" = true ]; then
    echo "::error::muster needs Node 22.19 or newer, found $found: put a step with actions/setup-node before it"
  else
    echo "error: muster needs Node 22.19 or newer, found $found" >&2
  fi
  exit 2
fi
