"""The program as a user meets it: right and wrong input, files, exit codes, and every example of the documentation.

Usage: app_test.py PROGRAM SOURCE_DIR [unittest arguments]
"""
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv[1])
SOURCE = Path(sys.argv[2])
# s; whoever takes this long hangs. Machines that do much else take ten times as long as one that is idle.
PATIENCE = 1500


class Program(unittest.TestCase):
    """Each test works in an empty folder with the shipped scenes in it."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="throng-app-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        shutil.copytree(SOURCE / "scenes", self.folder / "scenes")

    def throng(self, *arguments, code=0, environment=None):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=PATIENCE, env=environment)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def scene(self, **changes):
        """A small scene of one person, with some keys changed; returns its path."""
        scene = {"version": 1, "name": "one",
                 "populations": [{"name": "walker", "start": {"points": [[0, 0]]}, "goal": {"point": [4, 0]}}],
                 "run": {"until": "all_arrived", "duration": 20}}
        scene.update(changes)
        path = self.folder / "one.json"
        path.write_text(json.dumps(scene))
        return path


class Run(Program):
    def test_every_shipped_scene_runs(self):
        for path in sorted((self.folder / "scenes").glob("*.json")):
            if path.name == "scene.schema.json":
                continue
            seconds = 3 if path.name == "city.json" else 20
            out = json.loads(self.throng("run", path, "--json", "--no-record", "--duration", seconds).stdout)
            self.assertGreater(out["metrics"]["people"], 0, path)
            if path.name not in ("patch-city.json", "endless-street.json"):  # there nobody ever arrives
                self.assertGreater(out["metrics"]["distance"]["mean"], 1, path)

    def test_summary_recording_and_picture_by_default_and_twice_in_a_row(self):
        first = self.throng("run", "scenes/circle.json", "--duration", 5)
        for word in ("people", "arrived", "collisions", "agent-steps", "out/circle.sqlite", "out/circle.png"):
            self.assertIn(word, first.stdout)
        self.assertEqual(first.stderr, "", "quiet in a pipe")
        second = self.throng("run", "scenes/circle.json", "--duration", 5)
        self.assertIn("out/circle-2.sqlite", second.stdout)
        self.assertEqual((self.folder / "out/circle.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_what_emerges_is_measured_where_the_scene_has_it(self):
        def metrics(scene, *more):
            return json.loads(self.throng("run", f"scenes/{scene}.json", "--duration", 30, "--no-record", "--json",
                                          *more).stdout)["metrics"]
        crossing = metrics("crossing")
        self.assertEqual([len(crossing[key]) for key in ("lanes", "stripes", "circulations")], [0, 1, 0])
        self.assertEqual(crossing["stripes"][0]["expected_degrees"], 45)
        self.assertGreater(crossing["jerk"], 0.1)
        self.assertGreater(crossing["heading_reversals"], 0.1)
        self.assertEqual(metrics("crossing", "--steering", "linear")["heading_reversals"], 0, "straight on")
        self.assertGreater(metrics("counterflow")["lanes"][0]["purity"]["mean"], 0.5)
        self.assertEqual(metrics("circle")["circulations"][0]["people"], 100)
        self.assertIn("smoothness", self.throng("run", "scenes/circle.json", "--duration", 2, "--no-record").stdout)

    def test_seed_and_threads(self):
        def run(*more):
            return json.loads(self.throng("run", "scenes/crossing.json", "--duration", 8, "--no-record", "--json",
                                          *more).stdout)["hash"]
        one = run("--threads", 1)
        self.assertEqual(one, run("--threads", 2))
        self.assertNotEqual(one, run("--seed", 99))

    def test_a_named_file_is_not_overwritten_without_force(self):
        scene = self.scene()
        (self.folder / "mine.sqlite").write_text("precious")
        done = self.throng("run", scene, "-o", "mine.sqlite", code=2)
        self.assertIn("--force", done.stderr)
        self.assertEqual((self.folder / "mine.sqlite").read_text(), "precious")
        self.throng("run", scene, "-o", "mine.sqlite", "--force")
        self.assertEqual((self.folder / "mine.sqlite").read_bytes()[:15], b"SQLite format 3")

    def test_save_and_restart_continue_bit_for_bit(self):
        def run(duration, *more):
            return json.loads(self.throng("run", "scenes/counterflow.json", "--no-record", "--json", "--duration",
                                          duration, *more).stdout)["hash"]
        whole = run(12)
        run(5, "--save", "half.snapshot")
        self.assertEqual(whole, run(12, "--restart", "half.snapshot"))
        self.throng("run", "scenes/circle.json", "--no-record", "--restart", "half.snapshot", code=2)

    def test_a_killed_run_leaves_a_readable_recording(self):
        for ending in ("sqlite", "txt", "h5"):
            name = f"killed.{ending}"
            process = subprocess.Popen([PROGRAM, "run", "scenes/counterflow.json", "--duration", "100000", "-o", name],
                                       cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(4)
            process.send_signal(signal.SIGKILL)
            process.wait()
            done = json.loads(self.throng("export", name, f"{name}.csv", "--json").stdout)
            self.assertGreater(done["frames"], 10, name)

    def test_interrupt_ends_in_good_order(self):
        process = subprocess.Popen([PROGRAM, "run", "scenes/counterflow.json", "--duration", "100000", "--json",
                                    "-o", "cut.sqlite"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        summary = json.loads(out)
        self.assertTrue(summary["interrupted"])
        with sqlite3.connect(self.folder / "cut.sqlite") as base:
            frames = base.execute("SELECT COUNT(*) FROM frame_data").fetchone()[0]
        self.assertEqual(frames, summary["frames"])

    def arrivals(self, recording):
        with sqlite3.connect(self.folder / recording) as file:
            return file.execute("SELECT count(arrived) FROM throng_person").fetchone()[0]

    def test_runs_end_between_two_frames(self):
        between = 0
        for scene, dt, rate in (("circle", 0.05, None), ("crossing", None, 5), ("bottleneck", 0.03, None),
                                ("pillars", 0.07, 14.2857), ("group-swap", 0.03, 8.33333), ("crossing", 0.2, 0.25)):
            more = (["--dt", dt] if dt else []) + (["--recording-rate", rate] if rate else [])
            out = json.loads(self.throng("run", f"scenes/{scene}.json", *more, "--json", "-o", "a.sqlite", "--force",
                                         "--no-picture").stdout)
            self.assertEqual(out["metrics"]["arrivals"], self.arrivals("a.sqlite"), (scene, dt, rate))
            self.assertEqual(out["ended"], "all_arrived" if not out["not_arrived"] else "duration")
            with sqlite3.connect(self.folder / "a.sqlite") as file:
                last = file.execute("SELECT max(frame) FROM frame_data").fetchone()[0]
                fps = float(file.execute("SELECT value FROM metadata WHERE key = 'fps'").fetchone()[0])
            self.assertLess(out["simulated"] - last / fps, 1 / fps)
            self.assertLess(abs(last / fps / (dt or 0.1) - round(last / fps / (dt or 0.1))), 1e-6, "a true time")
            between += out["simulated"] - last / fps > 1e-6
        self.assertGreater(between, 0)
        # On from a snapshot between two frames; only with the same steps.
        self.throng("run", "scenes/circle.json", "--dt", 0.05, "--duration", 0.55, "--save", "s.bin", "--no-record")
        self.throng("run", "scenes/circle.json", "--dt", 0.05, "--restart", "s.bin", "--duration", 2, "-o", "b.sqlite")
        self.throng("run", "scenes/circle.json", "--dt", 0.05, "--restart", "s.bin", "--duration", 0.55, "-o", "c.sqlite")
        wrong = self.throng("run", "scenes/circle.json", "--dt", 0.1, "--restart", "s.bin", "-o", "d.sqlite", code=2)
        self.assertIn("run.dt", wrong.stderr)

    def test_steps_and_rates_out_of_range(self):
        for option, value, says in (("--dt", "1e-300", "0.001 to 0.5"), ("--dt", 0, "0.001 to 0.5"),
                                    ("--dt", "nan", "finite"), ("--duration", "1e-300", "0.001 to"),
                                    ("--duration", -1, "0.001 to"), ("--recording-rate", "1e-300", "allowed"),
                                    ("--recording-rate", 3, "The nearest: 2.5 and 3.33333"),
                                    ("--recording-rate", 11, "The nearest: 10"), ("--patience", 0, "1 to")):
            done = self.throng("run", "scenes/circle.json", option, value, "-o", "a.sqlite", code=2)
            self.assertIn(says, done.stderr)
            self.assertNotIn("defect", done.stderr)
            self.assertFalse((self.folder / "a.sqlite").exists())

    def rooms(self, **changes):
        """Two rooms and a door between them; somebody in the left one wants to get to the right one."""
        scene = {"layers": [{"walkable": "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))",
                             "obstacles": ["LINESTRING (10 0, 10 4.6)", "LINESTRING (10 5.4, 10 10)"],
                             "doors": [{"name": "exit", "line": "LINESTRING (10 4.6, 10 5.4)", "open": False}]}],
                 "populations": [{"name": "left", "start": {"points": [[2, 5]]}, "goal": {"point": [18, 5]}}],
                 "run": {"until": "all_arrived"}}
        scene.update(changes)
        return self.scene(**scene)

    def test_until_all_arrived(self):
        def run(*more):
            return json.loads(self.throng("run", "one.json", "--no-record", "--json", *more).stdout)
        self.rooms()
        out = run()
        self.assertEqual(out["ended"], "no_progress")
        self.assertEqual(out["not_arrived"], [{"population": "left", "people": 1, "unreachable": 1, "first": [1]}])
        self.assertLess(out["simulated"], 60)
        text = self.throng("run", "one.json", "--no-record")
        self.assertRegex(text.stdout, "ended +because nobody who is left gets any nearer")
        self.assertRegex(text.stdout, "did not arrive +1 of left .no way leads to their goal: person 1.")
        self.assertIn("the door \"exit\" is closed, and nothing opens it", text.stderr)
        self.rooms(events=[{"time": 40, "open": "exit"}])
        out = run()
        self.assertEqual((out["ended"], out["not_arrived"]), ("all_arrived", []))
        self.assertGreater(out["simulated"], 40)
        self.assertEqual(self.throng("run", "one.json", "--no-record").stderr, "")
        self.assertEqual(run("--duration", 5)["ended"], "duration")

    def test_goals_that_nothing_leads_to(self):
        path = self.rooms(profiles={"default": {"radius": 0.45}})
        path.write_text(path.read_text().replace('"open": false', '"open": true').replace('"goal"', '\n  "goal"'))
        done = self.throng("check", "one.json")
        self.assertRegex(done.stderr, r"one.json:2:3:/populations/0/goal at \(10, 5\): warning: no way leads here for 1 of "
                                      r"1 person, so the run ends without them: the widest way there is only 0.8 m wide")
        self.throng("check", "one.json", "--strict", code=2)
        found = json.loads(self.throng("check", "one.json", "--json").stdout)
        self.assertEqual(found["warnings"], 1)
        self.assertEqual(found["diagnostics"][0]["at"], [10, 5])

    def test_mixed_models_share_one_world(self):
        profiles = {name: {"steering": name} for name in ("linear", "seek", "orca", "social-force",
                                                               "moussaid", "karamouzas", "karamouzas-2010", "collision-free-speed",
                                                               "anticipation-velocity", "power-law", "gcfm",
                                                               "optimal-steps", "khatib", "short-term-1", "short-term-2")}
        populations = [{"name": name, "profile": name, "start": {"points": [[0, 2.0 * i]]},
                        "goal": {"point": [10, 2.0 * i]}} for i, name in enumerate(profiles)]
        scene = self.scene(profiles=profiles, populations=populations)
        out = json.loads(self.throng("run", scene, "--json", "--no-record").stdout)
        self.assertEqual(out["metrics"]["arrivals"], len(profiles))


class BadInput(Program):
    def refused(self, *arguments, says=()):
        done = self.throng(*arguments, code=2)
        for words in says:
            self.assertIn(words, done.stderr + done.stdout)
        self.assertNotIn("defect", done.stderr)
        return done

    def test_verbs_and_options(self):
        self.refused("rnu", "scenes/circle.json")
        self.refused("run")
        self.refused("run", "scenes/circle.json", "--thread", 2, "--bogus")
        self.refused("run", "nowhere.json", says=["nowhere.json"])
        self.refused("run", "scenes/circle.json", "--steering", "orka", says=["orca"])
        self.refused("run", "scenes/circle.json", "-o", "run.xyz", says=[".sqlite"])
        self.refused("run", "scenes/circle.json", "--dt", "0.7", says=["0.5"])
        self.assertEqual(list(self.folder.glob("run.*")), [])

    def test_outputs_that_contradict_one_another(self):
        for more in (["--picture", "a.png", "--no-record"], ["-o", "a.sqlite", "--no-record"],
                     ["--picture", "a.png", "--no-picture"]):
            self.refused("run", "scenes/circle.json", *more, says=["--no-", "excludes"])
        self.assertEqual(list(self.folder.glob("a.*")), [])

    def test_a_film_without_ffmpeg_is_refused_before_anything_is_simulated(self):
        # Not even the scene is read, which is not there.
        done = self.throng("draw", "nowhere.json", "-o", "a.mp4", code=2, environment={"PATH": str(self.folder)})
        self.assertIn("films need ffmpeg", done.stderr)
        self.assertFalse((self.folder / "a.mp4").exists())

    def test_a_misspelt_key_names_the_nearest(self):
        scene = self.scene(popualtions=[])
        self.refused("check", scene, says=["/popualtions", "populations"])

    def test_syntax_errors_have_a_line_and_column(self):
        path = self.folder / "broken.json"
        path.write_text('{\n  "version": 1,\n  "run": {"duration": 5,}\n}\n')
        self.refused("check", path, says=["broken.json:3:"])

    def test_everybody_must_fit(self):
        scene = self.scene(layers=[{"walkable": "POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0))"}],
                           populations=[{"name": "too many", "count": 200,
                                         "start": {"area": "POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0))"},
                                         "goal": {"point": [1.5, 1.5]}}])
        self.refused("check", scene, says=["of 200", "/populations/0/start"])
        self.refused("run", scene, says=["of 200"])
        self.assertFalse((self.folder / "out").exists(), "nothing half-written")

    def test_not_a_recording(self):
        (self.folder / "text.sqlite").write_text("hello")
        self.refused("export", "text.sqlite", "text.csv", says=["text.sqlite"])
        self.assertFalse((self.folder / "text.csv").exists())
        self.refused("draw", "text.sqlite", "-o", "text.png", says=["text.sqlite"])
        self.refused("draw", "scenes/circle.json", "-o", "circle.gif", says=[".png"])
        self.assertFalse((self.folder / "circle.gif").exists())

    def test_check_prints_json(self):
        scene = self.scene(run={"duration": -1})
        done = self.throng("check", scene, "--json", code=2)
        found = json.loads(done.stdout)
        self.assertFalse(found["valid"])
        self.assertEqual(found["diagnostics"][0]["pointer"], "/run/duration")


class Draw(Program):
    def test_pictures_from_a_scene_and_a_recording(self):
        self.throng("run", "scenes/crossing.json", "--duration", 6, "-o", "run.sqlite", "--no-picture")
        for name, more in {"a.png": [], "b.svg": ["--colour-by", "speed"], "c.png": ["--show", "density"],
                           "d.png": ["--show", "speed"], "e.png": ["--show", "moment", "--time", "3"],
                           "f.png": ["--colour-by", "time", "--view", "0,0,10,10", "--width", "400"]}.items():
            self.throng("draw", "run.sqlite", "-o", name, *more)
            self.assertGreater((self.folder / name).stat().st_size, 1000, name)
        self.throng("draw", "scenes/crossing.json", "-o", "scene.png")
        self.throng("draw", "scenes/crossing.json", "-o", "scene.png", code=2)
        self.throng("draw", "run.sqlite", "-o", "late.png", "--show", "moment", "--time", "1000", code=2)

    def test_what_emerges(self):
        """Each in the scene that has it; the words of the SVG are those of the report."""
        for scene, what, words in (("counterflow", "lanes", r"over the run: [\d.]+ lanes, purity \d+ %"),
                                   ("crossing", "stripes", r"stripes at -?\d+° \(expected 45°\)"),
                                   ("circle", "circulation", r"circulation [\d.]+ (anti)?clockwise")):
            run = json.loads(self.throng("run", f"scenes/{scene}.json", "--duration", 25, "-o", f"{scene}.sqlite",
                                         "--no-picture", "--json").stdout)["metrics"]
            self.throng("draw", f"{scene}.sqlite", "-o", f"{what}.svg", "--show", what)
            svg = (self.folder / f"{what}.svg").read_text()
            self.assertRegex(svg, words)
            self.assertIn("walking direction", svg)
            if what == "circulation":
                self.assertIn(f"circulation {abs(run['circulations'][0]['circulation']):.2f}", svg)
            for other in {"lanes", "stripes", "circulation"} - {what}:
                self.throng("draw", f"{scene}.sqlite", "-o", "bad.png", "--show", f"{what},{other}", code=2)
        self.throng("draw", "counterflow.sqlite", "-o", "early.svg", "--show", "lanes", "--time", 1)
        self.assertIn("no lanes now", (self.folder / "early.svg").read_text())
        self.throng("draw", "counterflow.sqlite", "-o", "b.svg", "--show", "lanes", "--colour-by", "population")
        for more in (["--show", "lanes,moment"], ["--show", "lanes,routes"], ["--show", "lanes", "--time", "1000"]):
            self.throng("draw", "counterflow.sqlite", "-o", "bad.png", *more, code=2)
        self.throng("draw", "counterflow.sqlite", "-o", "bad.mp4", "--show", "lanes", code=2)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed")
    def test_what_somebody_sees(self):
        self.throng("draw", "scenes/circle.json", "-o", "seen.png", "--vision", 1, "--at", 2)
        head = (self.folder / "seen.png").read_bytes()[:24]
        self.assertEqual(head[1:4], b"PNG")
        width, height = int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
        # Three images: two side by side, and one below as wide as both; each 4.4 times as wide as high.
        self.assertTrue(1.5 / 4.5 < height / width < 0.5, (width, height))
        nobody = self.throng("draw", "scenes/circle.json", "-o", "no.png", "--vision", 101, "--at", 2, code=2)
        self.assertIn("101", nobody.stderr)
        self.assertFalse((self.folder / "no.png").exists())

    def test_doors_and_obstacles_at_their_time_and_all_floors(self):
        """A picture of a recording differs before and after a door turns; every layer's name is in it."""
        self.throng("run", "scenes/doors.json", "--duration", 52, "-o", "doors.sqlite", "--picture", "end.svg")
        self.assertIn("closed 15–45 s", (self.folder / "end.svg").read_text())
        for name in ("doors.txt", "doors.h5", "doors.csv"):
            self.throng("export", "doors.sqlite", name)
        for source, more in {"doors.sqlite": [], "doors.txt": [], "doors.h5": [],
                             "doors.csv": ["--scene", "scenes/doors.json"]}.items():
            for time, words, missing in ((14, "open door", "closed door"), (16, "closed door", "inserted"),
                                         (51, "inserted obstacle", "closed door")):
                self.throng("draw", source, "-o", "m.svg", "--show", "moment", "--time", time, "--force", *more)
                svg = (self.folder / "m.svg").read_text()
                self.assertIn(f">{words}<", svg, f"{source} at {time} s")
                self.assertNotIn(f">{missing}", svg, f"{source} at {time} s")
        self.throng("run", "scenes/station.json", "--duration", 20, "-o", "s.sqlite", "--no-picture")
        for name in ("s.txt", "s.h5", "s.csv"):
            self.throng("export", "s.sqlite", name)
        people = {}
        for source, more in {"s.sqlite": [], "s.txt": [], "s.h5": [], "s.csv": ["--scene", "scenes/station.json"]}.items():
            self.throng("draw", source, "-o", "s.svg", "--show", "moment", "--axes", "--force", *more)
            svg = (self.folder / "s.svg").read_text()
            for words in ("hall", "platforms", "stair 4 east", "x (m)"):
                self.assertIn(words, svg, source)
            people[source] = [svg[svg.index(f'id="{panel}"'):].split('id="people"')[1].split("</g>")[0].count("<circle")
                              + svg[svg.index(f'id="{panel}"'):].split('id="people"')[1].split("</g>")[0].count("<rect")
                              for panel in ("panel-1", "panel-2")]
            self.assertGreater(min(people[source]), 0, source)
        self.throng("draw", "s.sqlite", "-o", "two.svg", "--layer", "hall", "--layer", "platforms")
        self.assertIn(">hall<", (self.folder / "two.svg").read_text())
        self.throng("draw", "s.sqlite", "-o", "no.svg", "--layer", "roof", code=2)

    def test_a_film(self):
        self.throng("run", "scenes/circle.json", "--duration", 3, "-o", "run.sqlite", "--no-picture")
        self.throng("draw", "run.sqlite", "-o", "film.mp4", "--width", "320", "--film-rate", "10")
        self.assertIn(b"ftyp", (self.folder / "film.mp4").read_bytes()[:16])


class Plan(Program):
    def test_a_route_and_its_picture(self):
        done = self.throng("plan", "scenes/doors.json", "--from", "2,2", "--to", "38,14")
        for words in ("length", "walking time", "least clearance", "corridor", "out/doors-plan.png"):
            self.assertIn(words, done.stdout)
        out = json.loads(self.throng("plan", "scenes/doors.json", "--from", "2,2", "--to", "38,14", "--json", "-o",
                                     "route.svg").stdout)
        self.assertTrue(out["reachable"])
        self.assertGreaterEqual(out["detour"], 1)
        self.assertGreaterEqual(out["length"], out["straight_line"])
        self.assertEqual(out["points"][0], {"x": 2, "y": 2, "layer": "ground"})
        self.assertEqual((out["points"][-1]["x"], out["points"][-1]["y"]), (38, 14))
        self.assertIn("<svg", (self.folder / "route.svg").read_text())

    def test_what_cannot_be_reached(self):
        done = self.throng("plan", "scenes/doors.json", "--from", "2,2", "--to", "38,14", "--radius", 1.5, "--json",
                           "--no-picture", code=1)
        out = json.loads(done.stdout)
        self.assertFalse(out["reachable"])
        self.assertIn("2.00 m wide", out["reason"])
        self.assertLess(out["end"]["x"], 20)
        done = self.throng("plan", "scenes/doors.json", "--from", "2,2", "--to", "20,1", code=1)
        self.assertIn("inside an obstacle", done.stdout)
        self.assertIn("nearest place", done.stdout)

    def test_bad_input(self):
        for more in (["--to", "1"], ["--to", "1,x"], ["--to", "nan,1"], ["--to", "1,2,3"],
                     ["--to", "1,1", "--radius", "0"], ["--to", "1,1", "--side", "2"],
                     ["--to", "1,1", "--to-layer", "roof"], []):
            done = self.throng("plan", "scenes/doors.json", "--from", "2,2", "--no-picture", *more, code=2)
            self.assertNotIn("defect", done.stderr)

    def test_views_of_the_corridor_map(self):
        for what in ("corridor-map", "routes", "visibility", "clearance", "clearance,corridor-map,routes,visibility"):
            for ending in ("png", "svg"):
                self.throng("draw", "scenes/doors.json", "-o", f"{what}.{ending}", "--show", what, "--width", 400)
                self.assertGreater((self.folder / f"{what}.{ending}").stat().st_size, 1000)
        self.throng("draw", "scenes/station.json", "-o", "s.png", "--show", "corridor-map", "--width", 400)
        self.throng("draw", "scenes/station.json", "-o", "h.png", "--show", "routes", "--layer", "hall", "--width", 400)
        self.assertNotEqual((self.folder / "s.png").read_bytes(), (self.folder / "h.png").read_bytes())
        for more in (["--show", "corridor-map,moment"], ["--show", "visibility", "--place", "20,1"],
                     ["--show", "visibility", "--place", "here"], ["--show", "routes", "--layer", "roof"]):
            self.throng("draw", "scenes/doors.json", "-o", "bad.png", *more, code=2)
            self.assertFalse((self.folder / "bad.png").exists())


class Import(Program):
    MODEL = "scenes/models/footbridge.obj"

    def test_a_model_becomes_a_scene(self):
        done = self.throng("import", self.MODEL, "-o", "sub/bridge.json", "--unwalkable", "water")
        for words in ("48 triangles", "nothing was wrong", "40.00 x 30.00 m", "paving", "railing", "m² in plan",
                      "sub/bridge.json", "100 people"):
            self.assertIn(words, done.stdout)
        self.assertEqual(done.stderr, "", "quiet in a pipe")
        out = json.loads(self.throng("import", self.MODEL, "-o", "bridge.json", "--unwalkable", "water", "--json",
                                     "--place", "west=4,6", "--place", "east=36,24,0", "--flow", "west,east,60").stdout)
        self.assertEqual((out["triangles"], out["vertices"], out["flows"], out["places"]), (48, 44, 1, 2))
        self.assertEqual((out["min"], out["max"]), ([0, 0, -1.5], [40, 30, 5]))
        self.assertIn({"name": "water", "colour": "#598cb2"}, out["materials"])
        scene = json.loads((self.folder / "bridge.json").read_text())
        self.assertEqual(scene["mesh"]["file"], self.MODEL)
        self.throng("check", "bridge.json")
        scene = json.loads((self.folder / "sub/bridge.json").read_text())
        self.assertEqual(scene["mesh"]["file"], "bridge.glb", "a model from elsewhere is put beside the scene")
        self.throng("check", "sub/bridge.json")
        out = json.loads(self.throng("run", "sub/bridge.json", "--duration", "5", "--no-record", "--json").stdout)
        self.assertEqual(out["metrics"]["people"], 100)

    def test_units_and_axes(self):
        def size(*more):
            out = json.loads(self.throng("import", self.MODEL, "-o", "b.json", "--force", "--json", *more).stdout)
            return [round(most - least, 6) for least, most in zip(out["min"], out["max"])]
        self.assertEqual(size(), [40, 30, 6.5])
        self.assertEqual(size("--unit", "0.5"), [20, 15, 3.25])
        self.assertEqual(size("--unit", "ft"), [12.192, 9.144, 1.9812])

    def test_bad_input_writes_nothing(self):
        (self.folder / "there.json").write_text("precious")
        for more, says in ((["-o", "there.json"], "--force"), (["-o", "a.json", "--unit", "yard"], "ft"),
                           (["-o", "a.json", "--up", "w"], "--up"), (["-o", "a.json", "--max-slope", "95"], "--max-slope"),
                           (["-o", "a.json", "--unwalkable", "lava"], "paving"),
                           (["-o", "a.json", "--place", "here"], "station=12.5,3"),
                           (["-o", "a.json", "--place", "a=1,nan"], "allowed"),
                           (["-o", "a.json", "--place", "a=1,1", "--place", "a=2,2"], "already"),
                           (["-o", "a.json", "--place", "a=1000,1"], "(40.00, 30.00)"),
                           (["-o", "a.json", "--place", "a=1,1", "--flow", "a,b,5"], "no --place b"),
                           (["-o", "a.json", "--place", "a=1,1", "--flow", "a,a,5"], "itself"),
                           (["-o", "a.json", "--place", "a=1,1", "--flow", "a,5"], "market"), ([], "--output")):
            done = self.throng("import", self.MODEL, *more, code=2)
            self.assertIn(says, done.stderr)
            self.assertNotIn("defect", done.stderr)
        (self.folder / "walls.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 5 0\nf 1 2 3\n")
        (self.folder / "broken.glb").write_text("glTF")
        (self.folder / "model.max").write_text("?")
        for model, says in (("walls.obj", "walk"), ("broken.glb", "broken.glb"), ("model.max", ".gltf"),
                            ("none.obj", "none.obj")):
            self.assertIn(says, self.throng("import", model, "-o", "a.json", code=2).stderr)
        self.assertEqual((self.folder / "there.json").read_text(), "precious")
        self.assertEqual(list(self.folder.glob("a.json*")), [])


class Tables(Program):
    def test_a_table_of_a_paper(self):
        done = subprocess.run([PROGRAM, "paper", "ondrej-1", "--quick", "--no-pictures", "--json", "rows.json", "--force"],
                              cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        rows = json.loads((self.folder / "rows.json").read_text())["rows"]
        models = {name.split("/")[1] for name in (row["name"] for row in rows) if name.startswith("circle/")}
        self.assertLessEqual({"orca", "social-force", "vision", "vision-predictive", "moussaid", "karamouzas"}, models)
        self.assertFalse(models & {"linear", "seek"}, "they avoid nobody")
        for row in rows:
            self.assertLessEqual({"name", "value", "unit", "published", "target", "met"}, row.keys())
            self.assertEqual(row["target"] is None, row["met"] is None)
            if row["name"].split("/")[1] in ("orca", "social-force") and row["target"]:
                self.assertTrue(row["met"], row)
        wanted = [row for row in rows if row["target"]]
        self.assertEqual(done.stdout.strip().splitlines()[-1],
                         f"{sum(row['met'] for row in wanted)} of {len(wanted)} rows met")
        self.assertEqual(done.returncode == 0, all(row["met"] for row in wanted))
        for model in models - {name for name in models if name.startswith("best")}:
            self.assertIn(f"| `{model}`", done.stdout)
        self.throng("paper", "no-such-table", code=2)
        self.assertIn("ondrej-1", self.throng("paper", "--list").stdout)

    def test_a_table_of_measurements(self):
        done = subprocess.run([PROGRAM, "validate", "counterflow", "--quick", "--json", "rows.json", "--force"],
                              cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        rows = json.loads((self.folder / "rows.json").read_text())["rows"]
        self.assertEqual(done.returncode == 0, all(row["met"] for row in rows if row["target"]))
        for row in rows:
            if row["name"].endswith("/overlapping"):
                self.assertTrue(row["met"], row)
        self.throng("validate", "no-such-table", code=2)
        self.assertIn("bottlenecks", self.throng("validate", "--list").stdout)

    def test_tables_of_times(self):
        """What is measured depends on the machine, so that rows may be missed; everything else must be there."""
        for table, names in (("jaklin-11.2", ("city-plan/total", "station/map / bare diagram")),
                             ("jaklin-11.5", ("city-plan/insertion", "station/visibility polygon",
                                              "office/indicative route"))):
            done = subprocess.run([PROGRAM, "paper", table, "--quick", "--seeds", "1", "--no-pictures", "--json",
                                   "rows.json", "--force"], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            out = json.loads((self.folder / "rows.json").read_text())
            rows = {row["name"]: row for row in out["rows"]}
            self.assertLessEqual(set(names), rows.keys())
            for row in rows.values():
                self.assertGreater(row["value"], 0)
                self.assertEqual(row["met"], row["value"] <= float(row["target"].split()[1]), row)
            self.assertEqual(done.returncode == 0, all(row["met"] for row in rows.values()))
        self.assertEqual(done.stdout.count("1000 of 1000 goals can be reached"), 3)
        self.assertIn("jaklin-11.6", self.throng("paper", "--list").stdout)

    def test_a_table_of_followers(self):
        """The disc keeps its clearance and off the puddle, whatever the machine; the point does not."""
        done = subprocess.run([PROGRAM, "paper", "jaklin-7", "--quick", "--no-pictures", "--json", "rows.json", "--force"],
                              cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = {row["name"]: row for row in json.loads((self.folder / "rows.json").read_text())["rows"]}
        self.assertEqual(rows["car-puddle/disc/steps on ground to avoid"]["value"], 0)
        self.assertGreater(rows["car-puddle/point/steps on ground to avoid"]["value"], 0)
        self.assertGreater(rows["suburb/point/steps with a way that cuts a corner"]["value"], 0)
        self.assertIn("jaklin-6.15", self.throng("paper", "--list").stdout)

    def test_benchmarks(self):
        self.throng("bench", "--quick", "--sizes", "500", "--threads", "1", "--filter", "orca", "--json", "rows.json", "--force")
        rows = json.loads((self.folder / "rows.json").read_text())["rows"]
        names = {row["name"] for row in rows}
        self.assertIn("step/orca/500/1", names)
        self.assertIn("memory/orca/500/1", names)
        for row in rows:
            self.assertLessEqual({"name", "value", "unit"}, row.keys())
            self.assertGreaterEqual(row["value"], 0)
        self.throng("bench", "--quick", "--sizes", "200", "--threads", "1", "--filter", "corridor|regions|route|visib|insert|constr",
                    "--json", "rows.json", "--force")
        names = {row["name"] for row in json.loads((self.folder / "rows.json").read_text())["rows"]}
        self.assertLessEqual({"step/corridor/200/1", "system/corridor/200/1/follow", "step/regions/200/1",
                              "system/regions/200/1/follow", "route/city-plan", "route/small",
                              "visibility/city-plan", "insertion/city-plan", "construction/city-plan"}, names)
        self.throng("bench", "--filter", "(", code=2)

    def test_a_benchmark_row_is_bounded(self):
        begun = time.monotonic()
        done = self.throng("bench", "--seconds", 0.2, "--sizes", "20000", "--threads", "1", "--filter", "step/vision|step/orca/",
                           "--json", "rows.json", "--force")
        self.assertLess(time.monotonic() - begun, 120)
        out = json.loads((self.folder / "rows.json").read_text())
        self.assertIn("step/orca/20000/1", {row["name"] for row in out["rows"]})
        self.assertTrue(any("step/vision/20000/1 is left out" in sentence for sentence in out["left_out"]), out["left_out"])
        self.assertIn("step/vision/20000/1 is left out", done.stdout)


class Documentation(Program):
    """Every command in the documentation's sh blocks works, in the order in which it stands there."""

    def test_examples(self):
        ran = 0
        for page in [SOURCE / "README.md", *sorted((SOURCE / "docs").rglob("*.md"))]:
            for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.S):
                for line in block.splitlines():
                    words = shlex.split(line, comments=True)
                    if words[:1] != ["./throng"] or words[1] in ("test", "bench", "paper", "studio"):
                        continue
                    if words[1:] == ["run", "scenes/city.json"]:
                        words += ["--duration", "3"]  # as it stands, half a minute of two cores: in `./throng test --all`
                    with self.subTest(page=page.name, command=line):
                        self.throng(*words[1:])
                        ran += 1
        self.assertGreater(ran, 8)

    def test_every_option_is_documented(self):
        page = (SOURCE / "docs/command-line.md").read_text()
        for verb in ("run", "studio", "import", "check", "draw", "plan", "export"):
            for option in re.findall(r"(--[a-z-]+)", self.throng(verb, "--help").stdout):
                if option not in ("--help", "--color-by"):
                    self.assertIn(option, page, verb)

    def test_help_teaches(self):
        text = self.throng("--help").stdout
        for verb in ("run", "studio", "import", "check", "draw", "plan", "export", "bench", "paper", "test"):
            self.assertIn(verb, text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
