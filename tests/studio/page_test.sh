#!/usr/bin/env bash
# page_test.sh STUDIO unit | page_test.sh STUDIO browser|crowd|design|watch PROGRAM SOURCE OUTPUT: the tests that run in node. Skipped (77), with
# a word on why, where node, npm's packages or a browser are not there.
set -euo pipefail
studio=$1 what=$2
shift 2
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
skip() {
  echo "skipped: $*"
  exit 77
}
node=$(command -v node || command -v nodejs) || skip "node is not installed"
[[ -f $studio/node_modules/.installed ]] || skip "npm's packages could not be fetched (see the build's output)"
if [[ $what == unit ]]; then
  "$node" "$studio/node_modules/typescript/bin/tsc" --noEmit -p "$studio"
  # A native program, which machines of other kinds than npm's list may not have.
  if "$studio/node_modules/.bin/oxlint" --version >/dev/null 2>&1; then
    (cd "$studio/.." && studio/node_modules/.bin/oxlint -c studio/.oxlintrc.json studio/src studio/bench tests/studio)
  else
    echo "no lint: there is no oxlint for this machine"
  fi
  for test in people design_unit watch_unit unit; do
    "$node" "$here/${test}_test.mjs" "$studio"
  done
  exit 0
fi
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "chromium is not installed"
exec "$node" "$here/${what}_test.mjs" "$studio" "$browser" "$@"
