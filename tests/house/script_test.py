"""The ./throng script in a copy of its own, with stand-ins for apt, dpkg, cmake, ninja and ctest that write down how they
were called: what it installs, when it builds, what it runs and how the tests are counted."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]

STAND_INS = {
    "dpkg-query": """
for name; do :; done
if grep -qxF "$name" "$FAKE/installed"; then printf 'install ok installed'; else exit 1; fi
""",
    "apt-get": """
[[ $DEBIAN_FRONTEND == noninteractive ]] || exit 9
if [[ " $* " == *" install "* ]]; then
  for name; do [[ $name == -* ]] || echo "$name" >>"$FAKE/installed"; done
fi
""",
    "sudo": '[[ $1 == -n ]] && exit 0\n"$@"\n',
    "id": "cat $FAKE/uid\n",
    "cmake": """
while (($#)); do
  case $1 in -B) folder=$2 ;; -DTHRONG_TESTS=*) tests=${1#*=} ;; esac
  shift
done
[[ -f $FAKE/cmake-fails ]] && { echo "CMake says why"; exit 1; }
printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\\nTHRONG_TESTS:BOOL=%s\\n' "$PWD" "${tests-ON}" >"$folder/CMakeCache.txt"
touch "$folder/build.ninja"
printf '[{\\n  "file": "%s/a file.cpp"\\n}]\\n' "$PWD" >"$folder/compile_commands.json"
""",
    "ninja": """
[[ " $* " == *" -t targets "* ]] && { echo "src/a.cpp.o: CXX"; echo "libthrong.a: LINK"; exit 0; }
[[ -f $FAKE/ninja-fails ]] && { echo "g++ says why"; exit 1; }
if [[ " $* " == *" -n "* ]]; then
  [[ -f $FAKE/built ]] && echo "ninja: no work to do." || echo "[1/1] Building"
  exit
fi
touch "$FAKE/built"
mkdir -p apps/throng
printf '#!/bin/bash\\necho "program in $PWD with $*"\\n[[ $* == "run "*/clone/scenes/city.json ]] || exit 5\\nexit "$(cat "$FAKE/city-code")"\\n' >apps/throng/throng
chmod +x apps/throng/throng
""",
    "clang-tidy": "exit 0\n",
    "npm": "exit 0\n",
    "chromium": "exit 0\n",
    "ctest": 'cat "$FAKE/ctest-says"\nexit "$(cat "$FAKE/ctest-code")"\n',
}

GOOD_RUN = "  1/3 Test #1: a.b ....   Passed    0.01 sec\n\n100% tests passed, 0 tests failed out of 3\n"
MIXED_RUN = """The following tests passed:
\t  9 - not in the summary (Skipped)

67% tests passed, 2 tests failed out of 6

Total Test time (real) =   0.01 sec

The following tests did not run:
\t  2 - needs.something (Skipped)
\t  7 - switched.off (Disabled)

The following tests FAILED:
\t  3 - is.wrong (Failed)
\t  4 - crashes (SEGFAULT)
Errors while running CTest
"""


class Script(unittest.TestCase):
    def setUp(self):
        self.top = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.top)
        self.root = self.top / "clone"
        (self.root / "tests/house").mkdir(parents=True)
        shutil.copy(SOURCE / "throng", self.root / "throng")
        shutil.copy(SOURCE / "tests/house/runner.sh", self.root / "tests/house/runner.sh")
        self.fake = self.top / "fake"
        (self.fake / "bin").mkdir(parents=True)
        for name, body in STAND_INS.items():
            self.stand_in(name, body)
        self.state("installed", "g++\ncmake\n")
        self.state("uid", "0")
        self.state("ctest-says", GOOD_RUN)
        self.state("ctest-code", "0")
        self.state("city-code", "0")

    def stand_in(self, name, body):
        path = self.fake / "bin" / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"$FAKE/calls"\n{body}', encoding="utf-8")
        path.chmod(0o755)

    def state(self, name, text):
        (self.fake / name).write_text(text, encoding="utf-8")

    def run_script(self, *arguments, script=None, cwd=None):
        """Its result; `calls` has what it called, one line each."""
        (self.fake / "calls").write_text("", encoding="utf-8")
        environment = dict(os.environ, FAKE=str(self.fake), PATH=f"{self.fake}/bin:/usr/bin:/bin")
        result = subprocess.run([str(script or self.root / "throng"), *arguments], cwd=cwd or self.top,
                                env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        result.calls = [line for line in (self.fake / "calls").read_text().splitlines() if not line.startswith("id")]
        return result

    def called(self, result, name):
        return [line for line in result.calls if line.split()[0] == name]

    def test_installs_what_is_missing_builds_and_runs(self):
        result = self.run_script("run", "a scene.json", "--quiet")
        self.assertEqual(result.stdout, f"program in {self.top} with run a scene.json --quiet\n")
        self.assertEqual(result.returncode, 5)  # the program's own
        update, install = self.called(result, "apt-get")
        self.assertIn("update", update)
        self.assertIn(" install -y --no-install-recommends ", install)
        self.assertIn(" libgeos-dev", install)
        self.assertNotIn(" g++", install)  # was there
        self.assertNotIn("gtest", install)  # only the tests need it
        self.assertIn("Installing: ninja-build", result.stderr)
        self.assertIn("-DTHRONG_TESTS=OFF", self.called(result, "cmake")[0])
        self.assertIn("throng_program", self.called(result, "ninja")[-1])

    def test_the_second_time_only_ninja_is_asked(self):
        self.run_script("run")
        result = self.run_script("run", "x")
        self.assertEqual(result.stdout, f"program in {self.top} with run x\n")
        self.assertEqual(result.stderr, "")
        self.assertEqual([call.split()[0] for call in result.calls], ["ninja"])

    def test_a_removed_package_from_the_list_is_noticed(self):
        self.run_script("run")
        script = self.root / "throng"
        script.write_text(script.read_text().replace("libfmt-dev", "libother-dev"))
        self.assertIn("libother-dev", self.called(self.run_script("run"), "apt-get")[1])

    def test_from_elsewhere_and_through_a_symlink(self):
        elsewhere = self.top / "some where"
        elsewhere.mkdir()
        link = self.top / "link"
        link.symlink_to(self.root / "throng")
        result = self.run_script("check", script=link, cwd=elsewhere)
        self.assertEqual(result.stdout, f"program in {elsewhere} with check\n")

    def test_a_moved_clone_is_configured_afresh(self):
        self.run_script("run")
        moved = self.top / "moved"
        self.root.rename(moved)
        result = self.run_script("run", script=moved / "throng")
        self.assertIn("--fresh", self.called(result, "cmake")[0])
        self.assertEqual(result.returncode, 5)

    def test_without_root_and_sudo_it_says_what_to_run(self):
        self.state("uid", "1000")
        self.stand_in("sudo", "exit 1\n")
        result = self.run_script("run")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(self.called(result, "apt-get"), [])
        self.assertIn("apt-get update && apt-get install -y --no-install-recommends ninja-build", result.stderr)

    def test_without_root_it_uses_sudo(self):
        self.state("uid", "1000")
        result = self.run_script("run")
        self.assertIn("apt-get", self.called(result, "sudo")[-1])
        self.assertEqual(result.returncode, 5)

    def test_a_failed_install_configuration_or_build_runs_nothing(self):
        self.stand_in("apt-get", "exit 100\n")
        result = self.run_script("run")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.stand_in("apt-get", STAND_INS["apt-get"])
        self.state("cmake-fails", "")
        result = self.run_script("run")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("CMake says why", result.stderr)
        (self.fake / "cmake-fails").unlink()
        self.state("ninja-fails", "")
        result = self.run_script("run")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("g++ says why", result.stderr)

    def last_line(self, result):
        return result.stdout.splitlines()[-1]

    def test_tests_are_counted_over_the_stages(self):
        result = self.run_script("test")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(self.last_line(result), "3 passed, 0 failed")  # release
        (release,) = self.called(result, "ctest")
        self.assertIn("build/release", release)
        self.assertNotIn("clang-tidy", " ".join(self.called(result, "apt-get")))

    def test_all_adds_the_other_stages(self):
        result = self.run_script("test", "--all")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(self.last_line(result), "12 passed, 0 failed")  # release, asan-ubsan, tsan; readme, strict, tidy
        _, asan, tsan = self.called(result, "ctest")
        self.assertIn("strict", " ".join(self.called(result, "cmake")))
        self.assertIn("a file.cpp", " ".join(self.called(result, "clang-tidy")))
        self.assertIn("-LE ^(house|app)$", asan)
        self.assertIn("-L ^threaded$", tsan)
        self.assertIn("gtest", " ".join(self.called(result, "apt-get")))
        self.assertIn("clang-tidy", " ".join(self.called(result, "apt-get")))
        self.assertIn("fuzz/all", " ".join(self.called(result, "ninja")))

    def test_failed_and_skipped_tests_are_counted_and_named(self):
        self.state("ctest-says", MIXED_RUN)
        self.state("ctest-code", "8")
        result = self.run_script("test")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(self.last_line(result), "3 passed, 2 failed, 2 skipped")
        for line in ("skipped  release: needs.something", "skipped  release: switched.off",
                     "FAILED   release: is.wrong (Failed)", "FAILED   release: crashes (SEGFAULT)"):
            self.assertIn(line, result.stdout)
        self.assertNotIn("skipped  release: not in the summary", result.stdout)

    def test_what_clang_tidy_finds_fails(self):
        self.stand_in("clang-tidy", "echo 'a.cpp:1:2: error: found this [some-check]'\nexit 1\n")
        result = self.run_script("test", "--all")
        self.assertEqual((result.returncode, self.last_line(result)), (1, "11 passed, 1 failed"))
        self.assertIn("found this", result.stdout)
        self.assertIn("FAILED   tidy", result.stdout)

    def test_the_first_command_of_the_readme_counts(self):
        self.state("city-code", "1")
        result = self.run_script("test", "--all")
        self.assertEqual((result.returncode, self.last_line(result)), (1, "11 passed, 1 failed"))
        self.assertIn("FAILED   readme", result.stdout)

    def test_options_go_to_ctest_and_leave_all_but_the_sanitizers_out(self):
        result = self.run_script("test", "--all", "-R", "some regex")
        for call in self.called(result, "ctest"):
            self.assertIn("-R some regex", call)
        self.assertEqual(len(self.called(result, "ctest")), 3)
        self.assertNotIn("fuzz", " ".join(result.calls))
        self.assertNotIn("strict", " ".join(result.calls))
        self.assertEqual(self.called(result, "clang-tidy"), [])

    def test_no_test_at_all_is_a_failure(self):
        self.state("ctest-says", "No tests were found!!!\n")
        result = self.run_script("test", "-R", "nothing")
        self.assertEqual((result.returncode, self.last_line(result)), (1, "0 passed, 1 failed"))

    def test_a_build_that_breaks_is_one_failure(self):
        self.state("ninja-fails", "")
        result = self.run_script("test")
        self.assertEqual((result.returncode, self.last_line(result)), (1, "0 passed, 1 failed"))
        self.assertIn("g++ says why", result.stdout)

    def test_a_fuzz_target_that_finds_something_fails(self):
        target = self.root / "build/asan-ubsan/fuzz/scene_fuzzer"
        target.parent.mkdir(parents=True)
        target.write_text('#!/bin/bash\necho "stat::number_of_executed_units: 12"\nexit "$(cat "$FAKE/fuzz-code")"\n')
        target.chmod(0o755)
        self.state("fuzz-code", "0")
        self.assertEqual(self.last_line(self.run_script("test", "--all")), "13 passed, 0 failed")
        self.state("fuzz-code", "77")
        result = self.run_script("test", "--all")
        self.assertEqual((result.returncode, self.last_line(result)), (1, "12 passed, 1 failed"))
        self.assertIn("FAILED   fuzz: scene_fuzzer", result.stdout)

    def test_running_after_testing_keeps_the_tests(self):
        self.run_script("run")
        self.run_script("test")
        self.assertEqual(self.called(self.run_script("run"), "cmake"), [])
        self.assertEqual(self.called(self.run_script("test"), "cmake"), [])

    def test_help_of_the_test_verb(self):
        result = self.run_script("test", "--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("--all", result.stdout)
        self.assertEqual(result.calls, [])


if __name__ == "__main__":
    sys.exit(unittest.main())
