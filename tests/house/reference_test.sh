#!/usr/bin/env bash
# reference_test.sh: makes the reference of the public interface in a folder of its own. Every warning of Doxygen is an
# error: a type without a comment, a comment that names a parameter that is not there. Only members may go without one,
# where their name and type say it all. Skipped where Doxygen is not installed.
set -euo pipefail
root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
if ! command -v doxygen >/dev/null; then
  echo "doxygen is not installed: no reference was made"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
{
  cat docs/Doxyfile
  printf '%s\n' "OUTPUT_DIRECTORY = $work" 'EXTRACT_ALL = NO' 'WARN_IF_UNDOCUMENTED = YES' 'WARN_AS_ERROR = NO'
} | doxygen - 2>"$work/warnings"
if grep -v 'warning: Member .* is not documented\.$' "$work/warnings"; then
  echo "the comments above are missing or wrong" >&2
  exit 1
fi
for page in classthrong_1_1World structthrong_1_1Overlay classthrong_1_1FrameSource; do
  [[ -f $work/html/$page.html ]] || { echo "the reference has no page $page.html" >&2; exit 1; }
done
