"""Every verb, every file it writes, everything that can be wrong with it: a plain sentence and exit code 2 before the work
begins, and nothing lost or left behind.

Usage: files_test.py PROGRAM SOURCE_DIR [unittest arguments]
"""
import json
import os
import resource
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from app_test import PROGRAM, Program

OBJ = "v 0 0 0\nv 10 0 0\nv 10 0 -10\nv 0 0 -10\nf 1 2 3\nf 1 3 4\n"


class FileTests(Program):
    def setUp(self):
        super().setUp()
        # Whoever comes to simulate these does not come back in time.
        endless = {"version": 1, "name": "endless", "layers": [{"walkable": "POLYGON((0 0, 40 0, 40 40, 0 40, 0 0))"}],
                   "populations": [{"name": "walkers", "count": 200, "on_arrival": "go_back",
                                    "start": {"area": "POLYGON((1 1, 20 1, 20 39, 1 39, 1 1))"},
                                    "goal": {"point": [38, 20]}}],
                   "run": {"duration": 1000000}}
        (self.folder / "endless.json").write_text(json.dumps(endless))
        (self.folder / "model.obj").write_text(OBJ)
        (self.folder / "small.csv").write_text("frame,id,x,y\n0,1,0,0\n1,1,1,0\n2,1,2,0\n")
        self.scene()

    def writers(self):
        """(name, ending, arguments with PATH for the file, has --force)"""
        return [
            ("run -o", ".sqlite", ["run", "endless.json", "-o", "PATH"], True),
            ("run -o text", ".txt", ["run", "endless.json", "-o", "PATH", "--no-picture"], True),
            ("run --picture", ".png", ["run", "endless.json", "-o", "fresh.sqlite", "--picture", "PATH"], True),
            ("run --save", ".snapshot", ["run", "endless.json", "--no-record", "--save", "PATH"], True),
            ("run --graph", ".graph", ["run", "endless.json", "--no-record", "--graph", "PATH"], False),
            ("draw", ".png", ["draw", "endless.json", "-o", "PATH", "--show", "moment"], True),
            ("draw film", ".mp4", ["draw", "endless.json", "-o", "PATH"], True),
            ("plan", ".png", ["plan", "endless.json", "--from", "5,5", "--to", "30,30", "-o", "PATH"], True),
            ("export", ".txt", ["export", "small.csv", "PATH"], True),
            ("export mesh", ".glb", ["export", "scenes/city.json", "PATH"], True),
            ("import", ".json", ["import", "model.obj", "-o", "PATH"], True),
            ("bench", ".json", ["bench", "--json", "PATH"], True),
            ("paper", ".json", ["paper", "ondrej-1", "--no-pictures", "--json", "PATH"], True),
        ]

    def listing(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if "scenes" not in p.parts)

    def refused(self, arguments, *words, **more):
        """Exit code 2, one plain sentence, at once, and the folder as it was."""
        before = self.listing()
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, timeout=60, **more)
        error = done.stderr.decode(errors="backslashreplace")
        self.assertEqual(done.returncode, 2, f"{arguments}\n{error}")
        self.assertTrue(error.startswith("throng: "), f"{arguments}\n{error}")
        self.assertNotIn("defect", error)
        for word in words:
            self.assertIn(word, error, arguments)
        self.assertEqual(self.listing(), before, arguments)
        return error


class BadTargets(FileTests):
    def test_every_output_of_every_verb(self):
        (self.folder / "plain").write_text("precious")
        count = 0
        for name, ending, arguments, force in self.writers():
            folder, link, there = f"folder{ending}", f"dangling{ending}", f"there{ending}"
            (self.folder / folder).mkdir(exist_ok=True)
            if not (self.folder / link).is_symlink():
                (self.folder / link).symlink_to("nothing")
            (self.folder / there).write_text("precious")
            targets = [(folder, "folder"), (link, ""), (f"plain/x{ending}", "plain is a file, not a folder"),
                       ("n" * 300 + ending, "File name too long"), (f"/proc/x{ending}", "")]
            for target, word in targets:
                for flags in ([], ["--force"]) if force else ([],):
                    with self.subTest(verb=name, target=target[:40], flags=flags):
                        words = [word] if word and name != "run --graph" else []
                        self.refused([a.replace("PATH", target) for a in arguments] + flags, *words)
                        count += 1
            with self.subTest(verb=name, target="taken"):
                words = ["--force"] if force else ["there.graph"]
                self.refused([a.replace("PATH", there) for a in arguments], *words)
                self.assertEqual((self.folder / there).read_text(), "precious")
        self.assertGreater(count, 100)

    def test_names_without_the_right_ending(self):
        for arguments in (["run", "endless.json", "-o", "a.avi"], ["run", "endless.json", "--picture", "p.gif"],
                          ["run", "endless.json", "-o", "a"], ["draw", "endless.json", "-o", "a.gif", "--show", "speed"],
                          ["draw", "endless.json", "-o", "a.svg", "--vision", "1", "--at", "100000"],
                          ["plan", "endless.json", "--from", "5,5", "--to", "9,9", "-o", "a.pdf"],
                          ["export", "small.csv", "a.xyz"], ["export", "scenes/city.json", "a.stl"]):
            with self.subTest(arguments=arguments):
                self.refused(arguments)

    def test_two_of_them_are_not_the_same_file(self):
        for arguments in (["run", "endless.json", "-o", "a.sqlite", "--save", "a.sqlite"],
                          ["run", "endless.json", "-o", "a.sqlite", "--save", "./scenes/../a.sqlite"],
                          ["run", "endless.json", "--no-record", "--save", "endless.json", "--force"],
                          ["run", "endless.json", "--no-record", "--save", "g", "--graph", "g"],
                          ["import", "model.obj", "-o", "model.obj", "--force"],
                          ["export", "small.csv", "small.csv", "--force"],
                          ["export", "small.csv", "./small.csv", "--force"]):
            with self.subTest(arguments=arguments):
                self.refused(arguments, "same file" if arguments[0] != "export" else "")
        self.assertEqual(json.loads((self.folder / "endless.json").read_text())["name"], "endless")

    def test_the_folder_out(self):
        for verb in (["run", "endless.json"], ["plan", "endless.json", "--from", "5,5", "--to", "9,9"]):
            out = self.folder / "out"
            out.write_text("a file")
            self.refused(verb, "out", "not a folder")
            out.unlink()
            out.symlink_to("nothing")
            self.refused(verb, "out", "not there")
            out.unlink()
            out.symlink_to("/proc")
            self.refused(verb, "out")
            out.unlink()
            if os.getuid() != 0:
                out.mkdir(mode=0o555)
                self.refused(verb, "out", "Permission denied")
                out.rmdir()

    def test_inputs_that_are_no_files(self):
        (self.folder / "folder").mkdir()
        (self.folder / "empty").write_text("")
        for path, word in (("folder", "folder"), ("none", "no such file"), ("/dev/zero", "device"), ("empty", "empty"),
                           ("endless.json", "no snapshot")):
            self.refused(["run", "one.json", "--no-record", "--restart", path], path, word)
        for path in ("folder", "empty", "/dev/zero", "endless.json"):
            self.refused(["run", "one.json", "--no-record", "--graph", path], path)
        for arguments in (["export", "folder", "a.csv"], ["export", "none.txt", "a.csv"], ["draw", "folder", "-o", "a.png"],
                          ["run", "folder", "--no-record"], ["import", "folder", "-o", "a.json"]):
            self.refused(arguments)


class FullDisk(FileTests):
    @staticmethod
    def limit(size):
        def set_limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return set_limit

    def test_what_was_there_before_is_not_lost(self):
        for name, ending, arguments, force in self.writers():
            if not force or name in ("bench", "paper", "run --picture", "draw film", "export mesh"):
                continue
            with self.subTest(verb=name):
                there = self.folder / f"there{ending}"
                there.write_text("precious")
                arguments = [a.replace("PATH", there.name) for a in arguments]
                if arguments[0] in ("run", "draw"):
                    arguments[1] = "one.json"
                error = self.full(arguments + ["--force"], 20)
                self.assertIn("File too large", error)
                self.assertEqual(there.read_text(), "precious", name)

    def full(self, arguments, size):
        before = self.listing()
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              preexec_fn=self.limit(size))
        self.assertEqual(done.returncode, 2, f"{arguments}\n{done.stderr}")
        self.assertNotIn("defect", done.stderr)
        self.assertEqual(self.listing(), before, "nothing is left behind")
        return done.stderr

    def test_a_recording_that_grows_until_the_disk_is_full(self):
        for ending in ("sqlite", "txt", "h5", "csv"):
            name = f"run.{ending}"
            self.throng("run", "one.json", "-o", name, "--no-picture")
            frames = json.loads(self.throng("export", name, "before.csv", "--force", "--json").stdout)["frames"]
            done = subprocess.run([PROGRAM, "run", "endless.json", "-o", name, "--force", "--no-picture"], cwd=self.folder,
                                  capture_output=True, text=True, timeout=120, preexec_fn=self.limit(1000000))
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"run.part.{ending}", done.stderr)
            self.assertIn(f"{name} is as it was", done.stderr)
            after = json.loads(self.throng("export", name, "after.csv", "--force", "--json").stdout)["frames"]
            self.assertEqual(frames, after)
            # It opens, with every frame up to the last commit; on a quick disk the first second fills it.
            self.throng("export", f"run.part.{ending}", "part.csv", "--force", "--json")

    def test_the_summary_is_not_lost_with_the_snapshot(self):
        done = subprocess.run([PROGRAM, "run", "one.json", "--no-record", "--save", "s", "--json"], cwd=self.folder,
                              capture_output=True, text=True, timeout=60, preexec_fn=self.limit(100))
        self.assertEqual(done.returncode, 2)
        self.assertIn("s cannot be written: File too large", done.stderr)
        self.assertEqual(json.loads(done.stdout)["metrics"]["people"], 1)

    def test_a_killed_run_leaves_the_recording_it_was_to_replace(self):
        self.throng("run", "one.json", "-o", "run.sqlite", "--no-picture")
        before = (self.folder / "run.sqlite").read_bytes()
        process = subprocess.Popen([PROGRAM, "run", "endless.json", "-o", "run.sqlite", "--force"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(3)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual((self.folder / "run.sqlite").read_bytes(), before)
        done = json.loads(self.throng("export", "run.part.sqlite", "part.csv", "--json").stdout)
        self.assertGreater(done["frames"], 0)


class Terminal(FileTests):
    def test_standard_output_that_cannot_be_written(self):
        verbs = [["run", "one.json", "--no-record"], ["run", "one.json", "--no-record", "--json"],
                 ["check", "one.json"], ["check", "one.json", "--json"],
                 ["draw", "one.json", "-o", "a.png", "--force"], ["draw", "one.json", "-o", "a.png", "--force", "--json"],
                 ["plan", "endless.json", "--from", "5,5", "--to", "9,9", "--no-picture"],
                 ["plan", "endless.json", "--from", "5,5", "--to", "9,9", "--no-picture", "--json"],
                 ["export", "small.csv", "a.txt", "--force"], ["export", "small.csv", "a.txt", "--force", "--json"],
                 ["import", "model.obj", "-o", "m.json", "--force"],
                 ["import", "model.obj", "-o", "m.json", "--force", "--json"], ["paper", "--list"],
                 ["--help"], ["--version"]]
        verbs += [[verb, "--help"] for verb in ("run", "check", "draw", "plan", "export", "import", "bench", "paper")]
        for arguments in verbs:
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                      text=True, timeout=60)
                self.assertEqual(done.returncode, 2, arguments)
                self.assertIn("standard output cannot be written: No space left on device", done.stderr)

    def test_standard_files_that_are_closed_do_not_get_into_recordings(self):
        script = f'exec "{PROGRAM}" run one.json -o closed.txt --no-picture >&- 2>&- <&-'
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, timeout=60)
        self.assertEqual(done.returncode, 2)  # nobody has read the summary
        self.assertNotIn("simulated in", (self.folder / "closed.txt").read_text())
        self.throng("export", "closed.txt", "closed.csv")

    def test_control_characters_are_shown(self):
        bad = "\x1b[31mred\x07\u009b\u202e"
        scene = {"version": 1, "name": bad, "layers": [{"name": bad, "walkable": "POLYGON((-1 -1, 9 -1, 9 9, -1 9, -1 -1))"}],
                 "populations": [{"name": bad, "start": {"points": [[0, 0]]}, "goal": {"point": [4, 0]}}],
                 "measurements": {"lines": [{"name": bad, "line": "LINESTRING(2 -1, 2 9)", "layer": bad}]},
                 "run": {"duration": 5}}
        name = "s\x1b]0;title\x07.json"
        (self.folder / name).write_text(json.dumps(scene))
        scene["populations"][0]["profile"] = bad
        (self.folder / "wrong.json").write_text(json.dumps(scene))
        for code, arguments in ((0, ["run", name]), (0, ["run", name, "--json", "--no-record"]), (0, ["check", name]),
                                (0, ["check", name, "--json"]), (2, ["check", "wrong.json"]), (2, ["run", "wrong.json"]),
                                (0, ["plan", name, "--from", "0,0", "--to", "4,4", "--no-picture"]),
                                (2, ["run", name, "--restart", bad]), (2, ["run", bad]), (2, [bad]), (2, ["run", "--" + bad]),
                                (2, ["draw", name, "-o", bad]), (2, ["run", "one.json", "--seed", bad])):
            done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, code, (arguments, done.stderr))
            for text in (done.stdout, done.stderr):
                for control in (b"\x1b", b"\x07", b"\xc2\x9b", "\u202e".encode()):
                    if control == "\u202e".encode() and "--json" in arguments:
                        continue
                    self.assertNotIn(control, text, arguments)

    def test_names_that_are_not_utf8(self):
        name = b"caf\xe9.json"
        (self.folder / os.fsdecode(name)).write_bytes((self.folder / "one.json").read_bytes())
        for arguments in ([b"run", name, b"--no-record"], [b"check", name], [b"draw", name, b"-o", b"p\xff.png", b"--force"],
                          [b"run", name, b"-o", b"r\xff.sqlite", b"--force"],
                          [b"export", b"small.csv", b"e\xff.txt", b"--force"],
                          [b"plan", name, b"--from", b"0,0", b"--to", b"4,4", b"-o", b"q\xff.png", b"--force"]):
            for more in ([], [b"--json"]):
                done = subprocess.run([bytes(PROGRAM), *arguments, *more], cwd=self.folder, capture_output=True, timeout=60)
                self.assertEqual(done.returncode, 0, (arguments, done.stderr))
                text = done.stdout.decode()  # all of it is UTF-8
                if more:
                    json.loads(text)
        error = self.refused([b"run", b"none\xff.json"])
        self.assertIn("none\\xff.json", error)
        scene = json.loads((self.folder / "one.json").read_text())
        text = json.dumps(scene).replace('"one"', '"caf\xe9"').encode("latin-1")
        (self.folder / "latin.json").write_bytes(text)
        done = subprocess.run([PROGRAM, "check", "latin.json", "--json"], cwd=self.folder, capture_output=True)
        json.loads(done.stdout.decode())
        self.assertIn(done.returncode, (0, 2))


class CommandLine(FileTests):
    def test_numbers_that_are_none(self):
        plan = ["plan", "endless.json", "--no-picture"]
        table = [("run endless.json --no-record --seed", ["-1", "1e3", "1.5", "nan", "18446744073709551616", "0x10", "", " 7"]),
                 ("run endless.json --no-record --threads", ["-1", "1.5", "99999999999", "nan", "4294967297"]),
                 ("run endless.json --no-record --duration", ["nan", "inf", "-inf", "-1", "1e999", "x", "0x1p3"]),
                 ("run endless.json --no-record --dt", ["nan", "inf", "-0.1", "0", "7"]),
                 ("run endless.json --no-record --recording-rate", ["nan", "inf", "-1", "0"]),
                 ("run endless.json --no-record --budget", ["nan", "inf", "-1"]),
                 ("run endless.json --no-record --camera", ["nan,0,1,1,0,0", "0,0,1,1,0", "0,0,1,1,0,0,", "inf,0,0,1,0,0,60",
                                                              "1,2,3,4,5,6,7,8", "0,0,1,0,0,0,-5"]),
                 ("plan endless.json --no-picture --to 9,9 --from", ["nan,1", "1", "1,2,3", "inf,inf", ","]),
                 ("plan endless.json --no-picture --from 5,5 --to 9,9 --radius", ["nan", "inf", "-1"]),
                 ("plan endless.json --no-picture --from 5,5 --to 9,9 --clearance", ["nan", "-inf"]),
                 ("draw endless.json -o p.png --width", ["-5", "0", "1e9", "99999999999999999999"]),
                 ("draw endless.json -o p.png --view", ["nan,0,1,1", "0,0,inf,1"]),
                 ("draw small.csv -o p.png --show moment --time", ["nan", "inf"]),
                 ("draw small.csv -o p.png --show density --cell", ["nan", "-1", "0"]),
                 ("draw endless.json -o p.png --vision", ["-1", "1.5", "4294967297"]),
                 ("import model.obj -o m.json --unit", ["nan", "inf", "-1", "0"]),
                 ("import model.obj -o m.json --max-slope", ["nan", "-1"]),
                 ("import model.obj -o m.json --place", ["a=nan,1", "a=1,inf"]),
                 ("bench --quick --threads", ["-1", "0", "1.5"]), ("bench --quick --sizes", ["-5", "nan"]),
                 ("paper ondrej-1 --no-pictures --seeds", ["-1", "0", "1.5"]),
                 ("paper ondrej-1 --no-pictures --first-seed", ["-1", "nan"])]
        for words, values in table:
            for value in values:
                with self.subTest(words=words, value=value):
                    self.refused(words.split() + [value])

    def test_whole_numbers_are_decimal(self):
        def hash_of(seed):
            return json.loads(self.throng("run", "one.json", "--no-record", "--json", "--seed", seed).stdout)["seed"]
        self.assertEqual(hash_of("010"), 10)
        self.assertEqual(hash_of("18446744073709551615"), 18446744073709551615)
        self.assertEqual(hash_of("0"), 0)

    def test_did_you_mean(self):
        for arguments, meant in ((["rnu", "one.json"], "'run'"), (["chekc", "one.json"], "'check'"), (["drwa"], "'draw'"),
                                 (["exprot"], "'export'"), (["Run"], "'run'"), (["simulate"], None), (["x"], None),
                                 (["run", "one.json", "--pictur", "a.png"], "'--picture'"),
                                 (["run", "one.json", "--sede", "3"], "'--seed'"),
                                 (["run", "one.json", "--sede=3"], "'--seed'"),
                                 (["draw", "one.json", "-o", "a.png", "--colour", "speed"], None),
                                 (["plan", "one.json", "--form", "1,1"], "'--from'"), (["--hlep"], "'--help'"),
                                 (["run", "one.json", "--zzzzzz"], None)):
            error = self.refused(arguments, "--help")
            if meant:
                self.assertIn(f"Did you mean {meant}?", error)

    def test_csv_rows_with_more_fields(self):
        (self.folder / "bad.csv").write_text("frame,id,x,y\n0,1,2,3\n1,1,2,5,3\n")
        self.refused(["export", "bad.csv", "a.txt"], "bad.csv:3", "4 columns")

    def test_snapshots_are_of_this_scene_and_whole(self):
        self.throng("run", "one.json", "--no-record", "--duration", 2, "--save", "s")
        self.throng("run", "one.json", "--no-record", "--restart", "s")
        other = json.loads((self.folder / "one.json").read_text())
        other["populations"][0]["goal"]["point"] = [5, 0]
        (self.folder / "other.json").write_text(json.dumps(other))
        self.refused(["run", "other.json", "--no-record", "--restart", "s"], "s: error", "other populations")
        self.refused(["run", "one.json", "--no-record", "--restart", "s", "--seed", "7"], "run.seed (1 there, 7 here)")
        data = bytearray((self.folder / "s").read_bytes())
        for at in range(0, len(data), max(1, len(data) // 40)):
            bad = bytearray(data)
            bad[at] ^= 1 << at % 8
            (self.folder / "bad").write_bytes(bad)
            self.refused(["run", "one.json", "--no-record", "--restart", "bad"], "bad: error")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
