"""The studio's server from outside: server_test.py PROGRAM SOURCE. Who gets in, what comes back, and that strangers, rubbish and
slow readers harm nobody else. Python's standard library only, so that nothing of the page is needed."""

import base64
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM, SOURCE = Path(sys.argv[1]), Path(sys.argv[2])


def receive(stream, size):
    data = b""
    while len(data) < size:
        more = stream.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


class Browser:
    """As much of a WebSocket client as it takes."""

    def __init__(self, port, host=None, origin="", path="/stream"):
        self.stream = socket.create_connection(("127.0.0.1", port), timeout=20)
        host = host or f"127.0.0.1:{port}"
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: Upgrade", "Upgrade: websocket",
                 "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        if origin is not None:
            lines.append("Origin: " + (origin or f"http://127.0.0.1:{port}"))
        self.stream.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += receive(self.stream, 1)
        self.status = int(answer.split()[1])

    def raw(self, opcode, payload):
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([0x80 | opcode])
        head += bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + struct.pack(">H", size) if size < 65536 else \
            bytes([0xFF]) + struct.pack(">Q", size)
        self.stream.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def say(self, **message):
        self.raw(1, json.dumps(message).encode())

    def next(self):
        """(kind, payload): 'text', 'bytes' or 'close' with (code, reason)."""
        while True:
            first, second = receive(self.stream, 2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", receive(self.stream, 2))[0]
            elif size == 127:
                size = struct.unpack(">Q", receive(self.stream, 8))[0]
            payload = receive(self.stream, size)
            opcode = first & 15
            if opcode == 1:
                return "text", json.loads(payload)
            if opcode == 2:
                return "bytes", payload
            if opcode == 8:
                return "close", (struct.unpack(">H", payload[:2])[0], payload[2:].decode())

    def until(self, wanted):
        """The first text of that type, or bytes, or how the connection was closed."""
        while True:
            kind, payload = self.next()
            if kind == "close" and wanted != "close":
                raise AssertionError(f"closed: {payload}")
            if kind == wanted or (kind == "text" and payload["type"] == wanted):
                return payload

    def close(self):
        self.stream.close()


class Server(unittest.TestCase):
    def command(self):
        return [str(PROGRAM), "studio", str(SOURCE / "scenes/doors.json"), "--no-browser", "--threads", "1"]

    def place(self):
        return SOURCE

    def setUp(self):
        self.cache = tempfile.TemporaryDirectory()
        self.addCleanup(self.cache.cleanup)
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.place(),
                                        env={**os.environ, "XDG_CACHE_HOME": self.cache.name, "TMPDIR": self.temporary.name})
        self.addCleanup(self.end)
        line = self.process.stdout.readline()
        if not line:
            why = self.process.stderr.read()
            if "without the studio's page" in why:
                self.skipTest("the program was built without the page")
            self.fail(why)
        self.address = line.strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#([0-9a-f]{32})", self.address)
        self.assertTrue(found, line)
        self.port, self.token = int(found[1]), found[2]

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def browser(self, **options):
        browser = Browser(self.port, **options)
        self.addCleanup(browser.close)
        return browser

    def viewer(self):
        browser = self.browser()
        self.assertEqual(browser.status, 101)
        browser.say(type="hello", protocol=1, token=self.token)
        self.assertEqual(browser.until("hello")["protocol"], 1)
        return browser

    def get(self, path="/", host=None, method="GET", more=()):
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as stream:
            lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}", "Connection: close", *more]
            stream.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            data = b""
            while True:
                more_data = stream.recv(65536)
                if not more_data:
                    break
                data += more_data
        head, _, body = data.partition(b"\r\n\r\n")
        return int(head.split()[1]), head.decode().lower(), body

    def test_files_and_nothing_else(self):
        status, head, body = self.get("/")
        self.assertEqual(status, 200)
        self.assertIn(b"/studio.js", body)
        for line in ("content-security-policy: default-src 'self'", "x-content-type-options: nosniff",
                     "referrer-policy: no-referrer", "cross-origin-resource-policy: same-origin", "frame-ancestors 'none'"):
            self.assertIn(line, head)
        self.assertNotIn(self.token, head + body.decode())
        status, _, script = self.get("/studio.js")
        self.assertEqual(status, 200)
        # What is bundled comes with its licence.
        self.assertIn(b"three.js authors", script)
        self.assertIn(b"Permission is hereby granted, free of charge", script)
        status, _, body = self.get("/studio.js", method="HEAD")
        self.assertEqual((status, body), (200, b""))
        for path in ("/../scenes/doors.json", "//etc/passwd", "/%2e%2e/etc/passwd", "/etc/passwd", "/studio.js/", "/studio.js?x",
                     "http://127.0.0.1/", "*", "/stream"):
            self.assertIn(self.get(path)[0], (400, 404), path)
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            self.assertIn(self.get("/", method=method)[0], (400, 403, 405), method)
        self.assertIn(self.get("/", more=["X: " + "y" * 20000])[0], (400, 431))
        self.assertEqual(self.get("/", more=["Origin: http://evil.example"])[0], 403)

    def test_other_hosts_and_origins_get_nothing(self):
        for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1", f"127.0.0.1:{self.port + 1}",
                     f"127.0.0.1:{self.port}.evil.example"):
            status, _, body = self.get("/", host=host)
            self.assertEqual(status, 403, host)
            self.assertNotIn(b"studio.js", body)
            self.assertEqual(self.browser(host=host).status, 403, host)
        for origin in ("http://evil.example", f"http://evil.example:{self.port}", "null", f"https://127.0.0.1:{self.port}",
                       f"http://127.0.0.1:{self.port + 1}"):
            self.assertEqual(self.browser(origin=origin).status, 403, origin)
        self.assertEqual(self.browser(origin=None).status, 403)
        self.assertEqual(self.browser(path="/other").status, 404)
        self.assertEqual(self.browser(origin=f"http://localhost:{self.port}", host=f"localhost:{self.port}").status, 101)

    def test_who_does_not_know_the_token_is_told_nothing(self):
        for first in ({"type": "hello", "protocol": 1, "token": "0" * 32}, {"type": "play", "playing": False}):
            browser = self.browser()
            browser.say(**first)
            self.assertEqual(browser.next(), ("close", (1008, "the token is not that of this studio")))

    def test_a_viewer_sees_people_walk(self):
        viewer = self.viewer()
        scene = viewer.until("scene")
        self.assertEqual(scene["name"], "doors")
        self.assertEqual([d["name"] for d in scene["layers"][0]["doors"]], ["south", "north"])
        frame = viewer.until("bytes")
        kind, sequence, first, people, count = struct.unpack_from("<IIdII", frame)
        self.assertEqual((kind, sequence, people, count), (1, 1, 60, 60))
        viewer.say(type="ack", frame=1)
        frame = viewer.until("bytes")
        kind, sequence, second, people, count = struct.unpack_from("<IIdII", frame)
        self.assertEqual((kind, sequence, people), (2, 2, 60))
        self.assertGreater(second, first)
        # Whoever does not acknowledge gets no third one; but words still come.
        viewer.say(type="play", playing=False)
        deadline = time.monotonic() + 20
        frames = 0
        while time.monotonic() < deadline:
            kind, payload = viewer.next()
            frames += kind == "bytes"
            if kind == "text" and payload["type"] == "status" and not payload["playing"]:
                break
        self.assertLessEqual(frames, 1)
        paused = payload["time"]
        viewer.say(type="step", count=3)
        while True:
            status = viewer.until("status")
            if status["time"] > paused:
                break
        self.assertAlmostEqual(status["time"], paused + 0.3, places=6)
        viewer.say(type="follow", person=5)
        person = viewer.until("person")
        self.assertEqual((person["id"], person["gone"], person["steering"]), (5, False, "throng"))
        viewer.say(type="design", on=True)
        document = viewer.until("document")
        self.assertEqual((document["passing"], document["file"], document["pen"]), (False, "doors.json", "you"))
        viewer.say(type="overlay", name="corridor map")
        self.assertGreater(len(viewer.until("overlay")["lines"]), 10)
        viewer.say(type="overlay", name="no such thing")
        self.assertIn("no such thing", viewer.until("notice")["text"])
        viewer.say(type="restart")
        while viewer.until("status")["time"] > 0:
            pass

    def test_rubbish_closes_its_own_connection_only(self):
        good = self.viewer()
        for opcode, payload in ((1, b"rubbish"), (1, b'{"type":"fly"}'), (2, b"\0" * 40), (1, b'{"type":"speed","factor":1e9}'),
                                (1, b"\xff\xfe"), (1, b" " * 100_000), (3, b"x")):
            bad = self.viewer()
            try:
                bad.raw(opcode, payload)
                code, reason = bad.until("close")
                self.assertIn(code, (1002, 1003, 1007, 1009), (payload[:20], reason))
            except (EOFError, ConnectionError):
                pass
        flood = self.viewer()
        try:
            for _ in range(2000):
                flood.say(type="restart")
            self.assertEqual(flood.until("close")[1], "too many messages")
        except ConnectionError:
            pass
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as stream:
            stream.sendall(os.urandom(3000) + b"\r\n\r\n")
        before = good.until("status")["time"]
        while good.until("status")["time"] <= before:
            pass

    def test_slow_and_many_viewers_hold_nobody_up(self):
        viewers = [self.viewer() for _ in range(20)]  # none of whom reads on
        good = self.viewer()
        begin, first = time.monotonic(), good.until("status")["time"]
        while time.monotonic() - begin < 2:
            status = good.until("status")
        self.assertGreater(status["time"] - first, 1.0)
        self.assertGreaterEqual(status["viewers"], len(viewers))

    def test_half_requests_are_cut_off(self):
        """Whoever holds all connections with requests that never end has them for ten seconds, and nobody who looks on notices."""
        good = self.viewer()
        held = []
        for i in range(200):  # more than there may be
            stream = socket.create_connection(("127.0.0.1", self.port), timeout=20)
            self.addCleanup(stream.close)
            stream.sendall((b"GET / HTTP/1.1\r\nHost: ", b"", b"GET /stream HTTP/1.1\r\n", b"\x16\x03\x01")[i % 4])
            held.append(stream)
        begin = time.monotonic()
        before = good.until("status")["time"]
        while good.until("status")["time"] < before + 1:
            pass
        while True:
            try:
                if self.get("/")[0] == 200:
                    break
            except (ConnectionError, IndexError):
                pass
            self.assertLess(time.monotonic() - begin, 60)
            time.sleep(0.2)
        for stream in held:  # every one of them
            try:
                while stream.recv(4096):
                    pass
            except ConnectionError:
                pass
        self.assertGreater(good.until("status")["time"], before)

    def test_ends_in_good_order(self):
        viewer = self.viewer()
        viewer.until("status")
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(viewer.until("close"), (1001, "the studio has ended"))
        self.assertEqual(self.process.wait(timeout=20), 0)


class StartPage(Server):
    """A server that nobody has named a file to."""

    test_files_and_nothing_else = test_other_hosts_and_origins_get_nothing = test_who_does_not_know_the_token_is_told_nothing = None
    test_a_viewer_sees_people_walk = test_rubbish_closes_its_own_connection_only = None
    test_slow_and_many_viewers_hold_nobody_up = test_ends_in_good_order = test_half_requests_are_cut_off = None

    def command(self):
        return [str(PROGRAM), "studio", "--no-browser", "--threads", "1"]


class Files(StartPage):
    """What may be opened, sent and fetched, and by whom."""

    def put(self, path, body=b"{}", token=None, origin=None, length=None):
        origin = f"http://127.0.0.1:{self.port}" if origin is None else origin
        more = [f"X-Throng-Token: {self.token if token is None else token}", f"Content-Length: {len(body) if length is None else length}"]
        if origin:
            more.append(f"Origin: {origin}")
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as stream:
            stream.sendall(("\r\n".join([f"PUT {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *more]) + "\r\n\r\n").encode() + body)
            data = b""
            while more_data := stream.recv(65536):
                data += more_data
        return int(data.split()[1]), data.partition(b"\r\n\r\n")[2]

    def test_nobody_else_sends_or_fetches_files(self):
        for options in ({"token": "0" * 32}, {"token": ""}, {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": ""}):
            self.assertEqual(self.put("/files/a.json", **options)[0], 403, options)
        for name in ("../a.json", "%2e%2e%2fa.json", "a%2fb.json", ".a.json", "a.exe", "a%0a.json", ""):
            self.assertIn(self.put("/files/" + name)[0], (400, 403), name)
        self.assertEqual(self.put("/elsewhere/a.json")[0], 400)
        self.assertIn(self.put("/files/a.json", length=1 << 31)[0], (400, 403, 413))
        for path in ("/made/1", "/made/../1", "/files/a.json"):
            self.assertIn(self.get(path)[0], (403, 404), path)

    def test_a_file_is_sent_opened_and_left(self):
        viewer = self.viewer()
        library = viewer.until("library")
        self.assertTrue(library["shown"])
        viewer.say(type="open", entry=4_000_000, beside=None)
        self.assertIn("no such entry", viewer.until("notice")["text"])
        status, body = self.put("/files/broken.json", b'{"layers": 3}')
        self.assertEqual(status, 200)
        viewer.say(type="open", entry=json.loads(body)["entry"], beside=None)
        self.assertIn("broken.json cannot be opened", viewer.until("notice")["text"])
        status, body = self.put("/files/two%20rooms.json", (SOURCE / "scenes/doors.json").read_bytes())
        self.assertEqual(status, 200)
        viewer.say(type="open", entry=json.loads(body)["entry"], beside=None)
        self.assertEqual(viewer.until("scene")["name"], "doors")
        timeline = viewer.until("timeline")
        self.assertEqual((timeline["kind"], timeline["seekable"]), ("world", False))
        self.assertEqual([h["text"] for h in timeline["happenings"]][:1], ["door north closes"])
        viewer.say(type="people", area=[[-100, -100], [100, -100], [100, 100], [-100, 100]])
        self.assertEqual(viewer.until("people")["count"], 60)
        self.assertGreater(len(viewer.until("figures")["systems"]), 5)
        viewer.say(type="film", **{"from": 0, "to": 1, "width": 640, "speed": 1})
        self.assertIn("Nothing has been recorded", viewer.until("notice")["text"])
        # Saved where it lies, it goes with the studio, and the page is told so.
        viewer.say(type="design", on=True)
        document = viewer.until("document")
        self.assertEqual((document["canSave"], document["passing"], document["file"]), (True, True, "two rooms.json"))
        viewer.say(type="save")
        self.assertIn("until the studio ends", viewer.until("notice")["text"])
        viewer.say(type="design", on=False)
        viewer.say(type="leave")
        self.assertTrue(viewer.until("library")["shown"])

    def test_what_a_file_names_comes_beside_it(self):
        viewer = self.viewer()
        viewer.until("library")
        obj = b"v 0 0 0\nv 20 0 0\nv 20 0 -10\nv 0 0 -10\nf 1 2 3\nf 1 3 4\n"
        scene = b'{"version": 1, "name": "of two files", "mesh": {"file": "hall.obj"}, "run": {"duration": 9}}'
        gltf = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "buffers": [{"byteLength": 60, "uri": "hall.bin"}],
                "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, -10], "max": [20, 0, 0]},
                              {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}]}
        data = struct.pack("<12f6H", 0, 0, 0, 20, 0, 0, 20, 0, -10, 0, 0, -10, 0, 1, 2, 0, 2, 3)
        for main, content, other, beside, name in (("s.json", scene, "hall.obj", obj, "of two files"), ("hall.gltf", json.dumps(gltf).encode(), "hall.bin", data, "hall")):
            status, body = self.put(f"/files/{main}", content)
            self.assertEqual(status, 200)
            entry = json.loads(body)["entry"]
            self.assertEqual(self.put(f"/files/{other}?beside={entry}", beside), (200, b'{"entry":0}'))
            for wrong in (f"{other}?beside={entry}", f"..%2fx.obj?beside={entry}", f"x.exe?beside={entry}", f"x.bin?beside={entry + 1}", "x.bin", "x.bin?beside=0",
                          "x.bin?beside=", "x.bin?beside=1x", "x.bin?beside=-1", "x.bin?other=1", "x.bin?beside=99999999999"):
                self.assertIn(self.put(f"/files/{wrong}", b"x")[0], (400, 403), wrong)
            viewer.say(type="open", entry=entry, beside=None)
            self.assertEqual(viewer.until("scene")["name"], name)
            viewer.say(type="leave")
            names = [e["file"] for e in viewer.until("library")["entries"] if e["group"] == "dropped"]
            self.assertNotIn(other, names)

    def test_folders_are_private_and_go(self):
        folders = list(Path(self.temporary.name).iterdir())
        self.assertEqual(len(folders), 1)
        self.assertEqual(os.stat(folders[0]).st_mode & 0o77, 0)
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(timeout=20), 0)
        self.assertFalse(folders[0].exists())

    def test_may_be_interrupted_as_soon_as_there_is_something_to_see(self):
        for when in ("folder", "address") * 6:
            with tempfile.TemporaryDirectory() as place:
                process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=SOURCE,
                                           env={**os.environ, "XDG_CACHE_HOME": self.cache.name, "TMPDIR": place})
                try:
                    if when == "address":
                        process.stdout.readline()
                    while not os.listdir(place) and process.poll() is None:
                        pass
                    process.send_signal(signal.SIGINT)
                    self.assertEqual(process.wait(timeout=20), 0, when)
                    self.assertEqual(os.listdir(place), [], when)
                finally:
                    process.kill()
                    process.wait()
                    process.stdout.close()


class Links(StartPage):
    """Links that lead out of the folder are neither shown nor opened nor written through."""

    def place(self):
        both = tempfile.TemporaryDirectory()
        self.addCleanup(both.cleanup)
        self.inside, self.outside = Path(both.name, "here"), Path(both.name, "elsewhere")
        for folder in (self.inside, self.outside):
            folder.mkdir()
        self.scene = (SOURCE / "scenes/doors.json").read_bytes()
        model = b"v 0 0 0\nv 20 0 0\nv 20 0 -10\nv 0 0 -10\nf 1 2 3\nf 1 3 4\n"
        for name, what in (("secret.json", self.scene), ("victim.json", self.scene), ("film.sqlite", b"SQLite format 3\0"), ("far.obj", model)):
            (self.outside / name).write_bytes(what)
        for name, what in (("own.json", self.scene), ("later.json", self.scene), ("hall.obj", model), ("new.json", self.scene),
                           ("far-mesh.json", b'{"version": 1, "mesh": {"file": "far.obj"}, "run": {"duration": 9}}')):
            (self.inside / name).write_bytes(what)
        (self.inside / "near.json").symlink_to("own.json")
        (self.inside / "way").symlink_to(self.outside)
        (self.inside / "way-mesh.json").write_text('{"version": 1, "mesh": {"file": "way/far.obj"}, "run": {"duration": 9}}')
        for name, to in (("link.json", "secret.json"), ("film.sqlite", "film.sqlite"), ("far.obj", "far.obj"), ("hall.json", "secret.json"),
                         ("gone.json", "no-such.json")):
            (self.inside / name).symlink_to(self.outside / to)
        return self.inside

    def test_what_leads_out_is_neither_shown_nor_opened(self):
        viewer = self.viewer()
        here = {e["file"]: e["entry"] for e in viewer.until("library")["entries"] if e["folder"] == str(self.inside.resolve())}
        self.assertEqual(sorted(here), ["far-mesh.json", "hall.obj", "later.json", "near.json", "new.json", "own.json", "way-mesh.json"])

        def refused(file):
            viewer.say(type="open", entry=here[file], beside=None)
            return viewer.until("notice")["text"]

        (self.inside / "later.json").unlink()
        (self.inside / "later.json").symlink_to(self.outside / "secret.json")
        self.assertIn("no such entry", refused("later.json"))
        self.assertIn("hall.json is a link that leads out of its folder", refused("hall.obj"))
        for file in ("far-mesh.json", "way-mesh.json"):
            self.assertIn("must lie in the scene's folder", refused(file))
        for path in ("/link.json", "/files/link.json", "/own.json", "/way/secret.json", "/made/link.json"):
            self.assertIn(self.get(path)[0], (400, 403, 404), path)
        viewer.say(type="open", entry=here["near.json"], beside=None)
        self.assertEqual(viewer.until("scene")["name"], "doors")

    def test_nothing_is_written_through_a_link(self):
        viewer = self.viewer()
        entries = {e["file"]: e["entry"] for e in viewer.until("library")["entries"] if e["folder"] == str(self.inside.resolve())}
        viewer.say(type="open", entry=entries["own.json"], beside=None)
        viewer.until("scene")
        viewer.say(type="design", on=True)
        viewer.until("document")

        def saving(**how):
            viewer.say(type="save", **how)
            return viewer.until("notice")["text"]

        own = self.inside / "own.json"
        own.unlink()
        own.symlink_to(self.outside / "victim.json")
        viewer.say(type="door", name="south", open=False)
        while not viewer.until("document")["changed"]:
            pass
        for replace in (False, True):
            self.assertIn("own.json is a link that leads out of its folder", saving(replace=replace))
        own.unlink()
        own.symlink_to("new.json")  # within the folder: a link stays a link
        self.assertIn("Saved own.json", saving(replace=True))
        self.assertTrue(own.is_symlink())
        self.assertNotEqual((self.inside / "new.json").read_bytes(), self.scene)
        viewer.say(type="new-scene", width=9, depth=5)
        while viewer.until("document")["file"]:
            pass
        for name in ("link.json", "gone.json"):
            for replace in (False, True):
                self.assertRegex(saving(name=name, replace=replace), "exists already|link")
        self.assertEqual({p.name: p.read_bytes() == self.scene for p in self.outside.glob("*.json")}, {"secret.json": True, "victim.json": True})


class BadInput(unittest.TestCase):
    def run_program(self, *arguments):
        return subprocess.run([str(PROGRAM), "studio", *map(str, arguments), "--no-browser"], capture_output=True, text=True,
                              timeout=60, check=False)

    def test_says_what_is_wrong(self):
        if "without the studio's page" in self.run_program("x.json").stderr:
            self.skipTest("the program was built without the page")
        doors = SOURCE / "scenes/doors.json"
        with socket.socket() as taken, tempfile.NamedTemporaryFile("w", suffix=".json") as broken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            broken.write("{}")
            broken.flush()
            port = taken.getsockname()[1]
            for arguments, word in (((doors, "--port", port), f"port {port}"), ((doors, "--listen", "nowhere"), "nowhere"),
                                    (("no-such.json",), "no-such.json"), ((broken.name,), "error"), ((doors, "--port", "70000"), "port"),
                                    ((doors, doors), "side by side"), (("no-such.sqlite",), "no-such.sqlite")):
                result = self.run_program(*arguments)
                self.assertEqual(result.returncode, 2, (arguments, result.stderr))
                self.assertIn(word, result.stderr)


if __name__ == "__main__":
    result = unittest.main(argv=[sys.argv[0], *sys.argv[3:]], exit=False).result
    if result.wasSuccessful() and len(result.skipped) == result.testsRun:
        sys.exit(77)
    sys.exit(not result.wasSuccessful())
