#!/usr/bin/env bash
# install_test.sh BUILD_FOLDER COMPILER [FLAGS]: installs what was built into a folder of its own, moves that folder (a
# package must not remember where it was made), then builds and runs a project that uses it.
set -euo pipefail
build=$1 compiler=$2
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
mv "$work/first" "$work/prefix"
if grep -rlF -e "$build" -e "$work/first" "$work/prefix" --include='*.cmake' --include='*.h'; then
  echo "the files above remember where they were made" >&2
  exit 1
fi
for file in include/throng/throng.h share/throng/scenes/crossing.json share/doc/throng/LICENSE; do
  [[ -f $work/prefix/$file ]] || { echo "not installed: $file" >&2; exit 1; }
done

"$work/prefix/bin/throng" --version

cmake -S "$here/outside" -B "$work/outside" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DLOOP="$here/../../examples/core_loop.cpp" >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/outside"
"$work/outside/outside"
"$work/outside/outside_core"
"$work/outside/outside_core_static"
