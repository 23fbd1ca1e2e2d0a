# shellcheck shell=bash disable=SC2154
# The test runner behind `./throng test`; sourced by ./throng, whose functions it uses.
#
# `./throng test` is the release stage: every test, as users get the code. `--all` adds: the README's first command in full;
# every file compiled by itself with warnings as errors; clang-tidy; the unit tests and examples again, compiled by clang, under
# the address and undefined-behaviour sanitizers (not those labelled `house`, which look at the tree and not at the code's
# memory, nor `app`, which drive the program, a thin layer over what the unit tests have seen, nor those that take too long);
# the tests labelled `threaded` under the thread sanitizer; each fuzz target for a few seconds from its corpus.

passed=0
failed=0
skipped=0
notes=() # one line per stage, and per thing that failed or was skipped
filter=()

test_usage() {
  cat <<'TEXT'
Usage: ./throng test [--all] [ctest options]
Builds and runs the tests: every one of them, in release. About ten minutes from a fresh clone on two cores.
  --all          then also: every file compiled by itself with warnings as errors, clang-tidy, the address and
                 undefined-behaviour sanitizers, the thread sanitizer, the fuzz targets. About 45 minutes
  -R REGEX       only tests whose name matches; this and any other option (-E, -L, -V …) goes to ctest,
                 and of --all only the sanitizers are left
The last line is "N passed, N failed" (and ", N skipped"); the exit code is 0 when nothing failed.
TEXT
}

# stage NAME function: runs it and says how long it took. A function that returns non-zero without having counted a
# failure (a build that broke) counts as one.
stage() {
  local name=$1 begin=$SECONDS failed_before=$failed status=0
  say
  say "== $name"
  "$2" || status=$?
  if ((status != 0 && failed == failed_before)); then
    failed=$((failed + 1))
    notes+=("FAILED   $name: could not be built or run")
  fi
  notes+=("$(printf '%-8s %s: %d s' stage "$name" $((SECONDS - begin)))")
  say "== $name: $((SECONDS - begin)) s"
  return "$status"
}

# tests FOLDER ctest-option…: runs ctest and adds its summary to the counts.
tests() {
  local folder=$build/$1 stage_name=$1 status=0
  shift
  local log=$folder/ctest.log
  # One more than there are cores: some tests wait for a program that they have killed, or for the disk.
  ctest --test-dir "$folder" -j "$(($(nproc) + 1))" --output-on-failure --no-tests=ignore "$@" "${filter[@]}" 2>&1 |
    tee "$log" || status=$?
  # "97% tests passed, 3 tests failed out of 100", then the names: "  7 - some.test (Skipped)". Skipped tests are among
  # the hundred, and counted as passed there; disabled ones are not.
  local line
  while IFS= read -r line; do
    if [[ $line =~ ^[0-9]+%\ tests\ passed,\ ([0-9]+)\ tests?\ failed\ out\ of\ ([0-9]+)$ ]]; then
      failed=$((failed + BASH_REMATCH[1]))
      passed=$((passed + BASH_REMATCH[2] - BASH_REMATCH[1]))
    elif [[ $line =~ ^[[:space:]]+[0-9]+\ -\ (.*)\ \((Skipped|Disabled)\) ]]; then
      skipped=$((skipped + 1))
      [[ ${BASH_REMATCH[2]} == Skipped ]] && passed=$((passed - 1))
      notes+=("skipped  $stage_name: ${BASH_REMATCH[1]}")
    elif [[ $line =~ ^[[:space:]]+[0-9]+\ -\ (.*)$ ]]; then
      notes+=("FAILED   $stage_name: ${BASH_REMATCH[1]}")
    fi
  done < <(sed -n '/^[0-9]*% tests passed, /,$p' "$log")
  return "$status"
}

stage_release() {
  configured release THRONG_TESTS:BOOL=ON || configure release --preset release -DTHRONG_TESTS=ON || return
  make release && tests release
}

# The first command of the README as it stands there; the tests have shortened it.
stage_readme() {
  local folder status=0
  folder=$(mktemp -d) || return
  (cd "$folder" && "$build/release/apps/throng/throng" run "$root/scenes/city.json") || status=$?
  rm -rf "$folder"
  ((status == 0)) && passed=$((passed + 1))
  return "$status"
}

# Every file by itself: a header that a file forgot is found, and a warning is an error.
stage_strict() {
  configured strict || configure strict --preset strict || return
  # Compiled, not linked: nothing is run here.
  local objects
  mapfile -t objects < <(ninja -C "$build/strict" -t targets all | sed -n 's/^\(.*\.o\): .*/\1/p')
  ((${#objects[@]})) && make strict "${objects[@]}" && passed=$((passed + 1))
}

# One clang-tidy per core over the batches that the release build compiles, with the kernels one lane wide. The path-sensitive
# checks (clang-analyzer) look at one file at a time, for minutes; they are left to `clang-tidy -p build/tidy FILE`.
stage_tidy() {
  configured tidy || configure tidy --preset tidy || return
  local files=$build/tidy/files log=$build/tidy/clang-tidy.log
  sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/tidy/compile_commands.json" | grep -v -e cmake_pch -e studio_page >"$files" # the page is made when it is built
  if xargs -d '\n' -P "$(nproc)" -n 2 clang-tidy -p "$build/tidy" --quiet --warnings-as-errors='*' \
    --header-filter="^$root/(include|src|apps|papers|bench)/.*\.(h|cpp)\$" \
    --checks='-clang-analyzer-*,-bugprone-suspicious-include' <"$files" >"$log" 2>&1; then
    passed=$((passed + 1))
    say "clang-tidy: $(wc -l <"$files") files and batches, nothing found"
  else
    failed=$((failed + 1))
    grep -E ': (warning|error): ' "$log" | sort -u | tail -n 60
    notes+=("FAILED   tidy: clang-tidy has found something; see ${log#"$root"/}")
  fi
}

# Golden hashes, graphs against every triangle, routes against fine grids: minutes under the sanitizers, on paths that other
# tests take, too.
too_slow='Golden.*:MeshGraph.*:Reachability.FindsTheNearestPlace:Routes.ExistWhereAGridOfDiscsFindsOne:Buildings.StairsInOpeningsOfAllShapes:Buildings.StairsOfAllWidths:Buildings.CarParks'

stage_asan() {
  configured asan-ubsan || configure asan-ubsan --preset asan-ubsan || return
  local targets=(unit_tests)
  ((${#filter[@]})) || targets+=(fuzz/all)
  make asan-ubsan "${targets[@]}" && GTEST_FILTER="-$too_slow" GTEST_BRIEF=1 tests asan-ubsan -LE '^(house|app)$'
}

# Crowds that walk for minutes: a hundred times as long under the thread sanitizer, on paths that shorter tests take, too.
too_slow_threaded='Pace.KeepsQueuesAwayFromABridge:Pace.NobodyStrollsSlowerThanOneStrolls:Turns.PeopleWait*:Turns.KeepABridgeFlowing'
too_slow_threaded+=':Turns.NobodyWaits*:Congestion.EverybodyTakes*:Congestion.ADoor*:Congestion.BothSides*:Flows.ThoseWhoSpreadUseAllWays'

stage_tsan() {
  configured tsan || configure tsan --preset tsan || return
  make tsan threaded_tests && GTEST_FILTER="-$too_slow_threaded" GTEST_BRIEF=1 tests tsan -L '^threaded$'
}

# The targets were built with the sanitizers' stage. Each starts from fuzz/corpus/NAME; what it finds stays under
# build/fuzz.
stage_fuzz() {
  local targets=() target
  for target in "$build"/asan-ubsan/fuzz/*_fuzzer; do
    [[ -f $target && -x $target ]] && targets+=("$target")
  done
  ((${#targets[@]})) || return 0
  local seconds=$((18 / ${#targets[@]}))
  for target in "${targets[@]}"; do
    local name=${target##*/} seeds=()
    local work=$build/fuzz/corpus/$name findings=$build/fuzz/findings/$name log=$build/fuzz/$name.log
    [[ -d $root/fuzz/corpus/${name%_fuzzer} ]] && seeds=("$root/fuzz/corpus/${name%_fuzzer}")
    mkdir -p "$work" "$findings"
    if "$target" -max_total_time=$((seconds > 3 ? seconds : 3)) -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
      -artifact_prefix="$findings/" "$work" "${seeds[@]}" >"$log" 2>&1; then
      passed=$((passed + 1))
      say "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, nothing found"
    else
      failed=$((failed + 1))
      tail -n 60 "$log"
      notes+=("FAILED   fuzz: $name; the input is in ${findings#"$root"/}")
    fi
  done
}

run_tests() {
  local all=0
  while (($#)); do
    case $1 in
      --all) all=1 ;;
      --help | -h)
        test_usage
        return
        ;;
      *) filter+=("$1") ;;
    esac
    shift
  done
  exec 2>&1
  mkdir -p "$build"
  packages program "${program_packages[@]}"
  packages test "${test_packages[@]}"
  wanted "the studio's page" npm nodejs npm
  wanted "the studio's test in a browser" chromium chromium
  ((all)) && packages all "${all_packages[@]}"
  export UBSAN_OPTIONS=${UBSAN_OPTIONS-print_stacktrace=1}
  export LSAN_OPTIONS=${LSAN_OPTIONS-suppressions=$root/tests/leak_suppressions.txt:print_suppressions=0}

  if stage release stage_release || ((passed > 0)); then # a tree that does not build is reported once
    if ((all)); then
      ((${#filter[@]})) || stage readme stage_readme || true
      ((${#filter[@]})) || stage strict stage_strict || true
      ((${#filter[@]})) || stage tidy stage_tidy || true
      stage asan-ubsan stage_asan || true
      stage tsan stage_tsan || true
      ((${#filter[@]})) || stage fuzz stage_fuzz || true
    fi
  fi
  if ((passed + failed + skipped == 0)); then
    notes+=("FAILED   no test matches")
    failed=1
  fi
  printf '\n'
  ((${#notes[@]})) && printf '%s\n' "${notes[@]}"
  printf '%d passed, %d failed' "$passed" "$failed"
  ((skipped)) && printf ', %d skipped' "$skipped"
  printf '\n'
  exit $((failed > 0))
}
