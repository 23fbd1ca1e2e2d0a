"""The verb `patch`, as users meet it.

Usage: patch_test.py PROGRAM SOURCE_DIR [unittest arguments]
"""
import json
import sys
import unittest

from app_test import Program


class Patch(Program):
    def test_from_a_definition_to_a_recording(self):
        self.throng("patch", "new", "-o", "p.json", "--density", 0.1, "--seed", 3)
        out = json.loads(self.throng("patch", "generate", "p.json", "-o", "p.patches", "--versions", 2, "--json").stdout)
        self.assertAlmostEqual(out["density"], 0.1, delta=0.02)
        self.assertIn("2 patches in 1 places", self.throng("patch", "check", "p.patches").stdout)
        self.throng("patch", "draw", "p.patches", "-o", "p.svg", "--patch", 1)
        self.assertIn("1.3 m/s", (self.folder / "p.svg").read_text())
        played = json.loads(self.throng("patch", "play", "p.patches", "-o", "p.sqlite", "--duration", 5, "--json").stdout)
        self.assertEqual(played["frames"], 51)
        self.assertLess(played["bytes_per_person_second"], 100)
        # The same seed gives the same bytes.
        self.throng("patch", "generate", "p.json", "-o", "q.patches", "--versions", 2)
        self.assertEqual((self.folder / "p.patches").read_bytes(), (self.folder / "q.patches").read_bytes())
        self.throng("draw", "p.sqlite", "-o", "p.png", "--show", "moment")

    def test_from_life(self):
        self.throng("patch", "new", "-o", "p.json", "--density", 0.15, "--seed", 2)
        self.throng("patch", "generate", "p.json", "-o", "p.patches")
        self.throng("patch", "play", "p.patches", "-o", "p.sqlite", "--duration", 30)
        # Also from text, and by polygon; what is cut out of a patch is that patch.
        self.throng("export", "p.sqlite", "p.txt")
        cuts = []
        for recording, area in (("p.sqlite", "0,0,8,8"), ("p.txt", "8,0,8,8,0,8,0,0")):
            out = json.loads(self.throng("patch", "from-recording", recording, "-o", "q.patches", "--area", area, "--from", 9.5,
                                         "--json", "--force").stdout)
            self.assertEqual(sum(out["left_out"].values()), 0)
            self.assertLess(out["change"]["most"], 0.002)
            self.assertEqual(out["walks"] + out["joined"], out["people"])
            cuts.append(out["walks"])
            self.assertEqual(json.loads(self.throng("patch", "check", "q.patches", "--json").stdout)["places"], 1)
        walks = json.loads(self.throng("patch", "generate", "p.json", "-o", "r.patches", "--json").stdout)["walks"]
        self.assertEqual(cuts, [walks, walks])
        self.assertIn("moved", self.throng("patch", "from-recording", "p.sqlite", "-o", "s.patches", "--area", "0.5,0.5,7.5,7.5").stdout)
        for arguments, words in (
                (["--area", "0,0,8"], "3 numbers; allowed: x0,y0,x1,y1"),
                (["--area", "0,0,8,0,2,1,0,8"], "not convex"),
                (["--area", "0,0,nan,8"], "no finite number"),
                (["--area", "0,0,2e5,8"], "within 100 km"),
                (["--area", "90,90,98,98"], "people were seen at x from"),
                (["--area", "0,0,8,8", "--from", 25], "allowed: a window of 10 s"),
                (["--area", "0,0,8,8", "--layer", "attic"], "there is none; allowed: ")):
            self.assertIn(words, self.throng("patch", "from-recording", "p.sqlite", "-o", "t.patches", *arguments, code=2).stderr)
            self.assertFalse((self.folder / "t.patches").exists())

    def test_what_cannot_be_cut_out_is_said(self):
        # A queue that creeps at 0.1 m/s.
        rows = [f"{i} {f} {0.01 * f + 12 - 0.4 * i} 2 0\n" for i in range(60) for f in range(400)]
        (self.folder / "queue.txt").write_text("# framerate: 10\n# id frame x/m y/m z/m\n" + "".join(rows))
        done = self.throng("patch", "from-recording", "queue.txt", "-o", "p.patches", "--area", "0,0,8,4", "--from", 15,
                           "--attempts", 2, code=1)
        self.assertEqual(done.stderr.count("would have to be left out"), 2, done.stderr)
        self.assertFalse((self.folder / "p.patches").exists())

    def test_a_district_of_a_scene(self):
        scene = {"version": 1, "run": {"duration": 1}, "layers": [{"name": "hall", "walkable": "POLYGON ((0 0, 42 0, 44 32, 1 34, 0 0))",
                                                                   "obstacles": ["POLYGON ((16 12, 27 14, 26 19, 14 17, 16 12))"]}]}
        (self.folder / "hall.json").write_text(json.dumps(scene))
        for cells in ("convex", "squares"):
            out = json.loads(self.throng("patch", "city", "hall.json", "-o", "hall.patches", "--force", "--json", "--density", 0.1,
                                         "--cells", cells).stdout)
            self.assertGreater(out["coverage"], 0.9 if cells == "convex" else 0.1)
            self.assertAlmostEqual(out["density_asked"], 0.1)
            self.assertIn(f"{out['patches']} patches in {out['places']} places", self.throng("patch", "check", "hall.patches").stdout)
        (self.folder / "map.json").write_text(json.dumps(
            {"version": 1, "scene": "hall.json", "layer": "hall", "side": 7,
             "templates": [{"name": "all", "density": 0.08, "residents": 1, "borders": [{"to": "building", "pattern": "door"}]}]}))
        self.assertIn("people/m² asked for", self.throng("patch", "city", "map.json", "-o", "hall.patches", "--force").stdout)
        self.throng("patch", "draw", "hall.patches", "-o", "hall.svg", "--all")
        self.assertIn("border that people cross", (self.folder / "hall.svg").read_text())
        for arguments, words in (
                (["map.json", "--density", 0.1], "--density: allowed with a scene only"),
                (["hall.json", "--cells", "round"], "allowed: squares, convex"),
                (["hall.json", "--layer", "cellar"], 'there is no layer "cellar"'),
                (["hall.json", "--density", 7], "allowed: 0 to 1")):
            self.assertIn(words, self.throng("patch", "city", *arguments, "-o", "x.patches", code=2).stderr)
            self.assertFalse((self.folder / "x.patches").exists())
        for text, words in (
                ('"borders": [{"to": "river"}]', "allowed: same, others, building, outside or the name of a template"),
                ('"borders": [{"pattern": "maze"}]', "/templates/0/borders/0/pattern"),
                ('"borders": [{"pattern": "empty", "from": 0.2}]', "limited in space or time"),
                ('"allowed_residents": [{"name": "nobody"}]', "/templates/0/allowed_residents/0/people")):
            (self.folder / "bad.json").write_text(
                '{"version": 1, "scene": "hall.json", "templates": [{"name": "all", %s}]}' % text)
            self.assertIn(words, self.throng("patch", "city", "bad.json", "-o", "x.patches", code=2).stderr)

    def test_what_cannot_be_walked_is_said(self):
        self.throng("patch", "new", "-o", "p.json", "--density", 0.5)
        done = self.throng("patch", "generate", "p.json", "-o", "p.patches", "--generator", "straight", "--attempts", 2, code=1)
        self.assertEqual(done.stderr.count("  walk "), 2, done.stderr)
        self.assertFalse((self.folder / "p.patches").exists())

    def test_bad_input(self):
        self.throng("patch", "new", "-o", "p.json")
        self.throng("patch", "generate", "p.json", "-o", "p.patches")
        for arguments, words in (
                (["new", "-o", "p.json"], "--force"),
                (["new", "-o", "q.json", "--density", 3], "more than 0, up to 1"),
                (["generate", "p.json", "-o", "q", "--generator", "magic"], "straight, particle, orca, optimised"),
                (["draw", "p.patches", "-o", "p.png", "--patch", 7], "allowed: 0 to 0"),
                (["play", "p.json", "-o", "p.sqlite"], "p.json"),
                (["check", "nothing.patches"], "nothing.patches"),
                (["street", "-o", "s.sqlite", "--crossings", 99], "allowed: 1 to 30"),
                (["polish"], "has no 'polish'")):
            self.assertIn(words, self.throng("patch", *arguments, code=2).stderr)
        damaged = bytearray((self.folder / "p.patches").read_bytes())
        damaged[len(damaged) // 2] ^= 1
        (self.folder / "p.patches").write_bytes(damaged)
        self.assertIn("damaged", self.throng("patch", "check", "p.patches", code=2).stderr)

    def test_a_district_among_simulated_people(self):
        def run(*more):
            return json.loads(self.throng("run", "scenes/market.json", "--no-record", "--json", *more).stdout)["hash"]
        whole = run("--duration", 20, "--threads", 1)
        self.assertEqual(whole, run("--duration", 20, "--threads", 4))
        run("--duration", 9.7, "--save", "half.snapshot")
        self.assertEqual(whole, run("--restart", "half.snapshot", "--duration", 20))
        self.throng("check", "scenes/market.json", "scenes/patch-city.json", "scenes/endless-street.json")
        self.throng("draw", "scenes/market.json", "-o", "plan.png")
        self.throng("run", "scenes/market.json", "--duration", 5, "-o", "market.sqlite", "--no-picture")
        self.throng("draw", "market.sqlite", "-o", "moment.svg", "--show", "moment", "--time", 4)
        for word in ("townspeople", "visitors", "patches"):
            self.assertIn(word, (self.folder / "moment.svg").read_text())
        # A fence too near to the gates.
        scene = json.loads((self.folder / "scenes/market.json").read_text())
        scene["layers"][0]["obstacles"].append("POLYGON ((6.6 1, 7.1 1, 7.1 23, 6.6 23, 6.6 1))")
        (self.folder / "scenes/fenced.json").write_text(json.dumps(scene))
        done = self.throng("run", "scenes/fenced.json", "-o", "fenced.sqlite", code=2)
        for word in ("/districts/0", "free ground"):
            self.assertIn(word, done.stderr)
        self.assertFalse((self.folder / "fenced.sqlite").exists())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
