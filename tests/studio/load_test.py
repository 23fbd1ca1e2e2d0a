"""Many viewers of many people: load_test.py PROGRAM SOURCE [--people N] [--viewers N] [--seconds S] [--until T] [--speed X] [--steering M]
[--dt T] [--rounds N] [--strict]. Most viewers read and acknowledge, some read slowly, some not at all, some send rubbish, some flood. Fails when memory
grows, when a good viewer is not served, or when the studio does not end in good order. Says what a step took with one viewer and
with all, on the clock and in the simulation thread's own processor time; --strict fails when the latter grows by more than 5 %. Both are
noise for a second or two on a machine that does something else. --until T goes on until T s have been simulated; --rounds does everything
in so many turns, with one viewer and with all, so that what else the machine does falls on both."""

import argparse
import json
import os
import selectors
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.argv, ours = sys.argv[:1], sys.argv[1:]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("source")
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--viewers", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--until", type=float, default=0)
    parser.add_argument("--speed", type=float, default=1)
    parser.add_argument("--steering", default="throng")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--dt", type=float, default=0.1)
    parser.add_argument("--rounds", type=int, default=1)
    return parser.parse_args(ours)


def scene(people, steering, dt):
    side = round((people / 0.3) ** 0.5, 3)
    ring = f"POLYGON ((0 0, {side} 0, {side} {side}, 0 {side}, 0 0))"
    flow = lambda name, x: {"name": name, "profile": "adult", "count": people // 2, "start": {"area": ring},
                            "goal": {"direction": [x, 0]}}
    return {"version": 1, "name": "load", "layers": [{"name": "ground", "wrap": [0, 0, side, side]}],
            "profiles": {"adult": {"radius": 0.25, "preferred_speed": 1.3, "steering": steering}},
            "populations": [flow("east", 1), flow("west", -1)], "run": {"duration": 1e6, "dt": dt}}, side


def encoded(opcode, payload):
    mask = os.urandom(4)
    size = len(payload)
    head = bytes([0x80 | opcode, 0x80 | size]) if size < 126 else bytes([0x80 | opcode, 0xFE]) + struct.pack(">H", size)
    return head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


class Viewer:
    """kind: 'good', 'slow' (a frame a second), 'deaf' (never reads), 'rubbish', 'flood'."""

    def __init__(self, port, token, kind, side, number):
        self.kind, self.port, self.token = kind, port, token
        self.buffer, self.need, self.skip = b"", 0, 0
        self.frames = self.bytes = self.longest = 0
        self.last, self.closed, self.next = None, False, 0.0
        self.steps, self.people, self.time = [], 0, 0.0
        self.stream = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.stream.sendall((f"GET /stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
                             "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += self.stream.recv(1)
        self.say(type="hello", protocol=1, token=token)
        if number % 5 and kind == "good":  # a camera near the ground; every fifth sees everybody
            at = side * (number % 10) / 10
            self.say(type="view", area=[[at, at], [at + 120, at], [at + 120, at + 80], [at, at + 80]])
        self.stream.setblocking(False)

    def say(self, **message):
        try:
            self.stream.sendall(encoded(1, json.dumps(message).encode()))
        except (BlockingIOError, ConnectionError):
            pass

    def readable(self, now):
        if self.kind == "slow" and now < self.next:
            return
        self.next = now + 1
        try:
            data = self.stream.recv(1 << 20 if self.kind == "good" else 1 << 15)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            self.closed = True
            return
        self.bytes += len(data)
        self.buffer += data
        while self.message(now):
            pass

    def message(self, now):
        data = self.buffer
        if len(data) < 2:
            return False
        size, at = data[1] & 127, 2
        if size == 126:
            if len(data) < 4:
                return False
            size, at = struct.unpack_from(">H", data, 2)[0], 4
        elif size == 127:
            if len(data) < 10:
                return False
            size, at = struct.unpack_from(">Q", data, 2)[0], 10
        if len(data) < at + size:
            return False
        opcode, payload = data[0] & 15, data[at:at + size]
        self.buffer = data[at + size:]
        if opcode == 2 and struct.unpack_from("<I", payload)[0] in (1, 2):
            self.frames += 1
            self.time, self.people = struct.unpack_from("<dI", payload, 8)
            if self.last is not None:
                self.longest = max(self.longest, now - self.last)
            self.last = now
            self.say(type="ack", frame=struct.unpack_from("<I", payload, 4)[0])
        elif opcode == 1 and payload.startswith(b'{"') and b'"type":"figures"' in payload:
            self.steps.append(json.loads(payload)["stepMs"])
        elif opcode == 8:
            self.closed = True
        return True

    def misbehave(self):
        if self.kind == "rubbish":
            self.say(type="seek", time=-1)
        elif self.kind == "flood":
            for _ in range(300):
                self.say(type="restart" if self.frames < 0 else "library")


def memory(pid):
    return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0]) / 1024


def worked(pid):
    """s of processor time that the first thread, which simulates, has had."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9


def watch(viewers, seconds, pid, again, until=0):
    """Reads for so long, and until the first viewer has seen that time; samples of memory (MiB), one a second. Who was thrown out comes back."""
    selector = selectors.DefaultSelector()
    for viewer in viewers:
        if viewer.kind != "deaf":
            selector.register(viewer.stream, selectors.EVENT_READ, viewer)
    begin = now = time.monotonic()
    samples, next_sample, thrown_out = [], begin, 0
    while now < begin + seconds or viewers[0].time < until:
        for key, _ in selector.select(0.02):
            viewer = key.data
            viewer.readable(now)
            if viewer.closed:
                selector.unregister(viewer.stream)
                viewer.stream.close()
                thrown_out += viewer.kind in ("rubbish", "flood")
                if viewer.kind in ("good", "slow") and viewer.kind == "good":
                    raise AssertionError("a good viewer was thrown out")
        now = time.monotonic()
        if now >= next_sample:
            samples.append(memory(pid))
            next_sample = now + 1
            for i, viewer in enumerate(viewers):
                if viewer.closed and viewer.kind != "deaf":
                    viewers[i] = again(viewer.kind, i)
                    selector.register(viewers[i].stream, selectors.EVENT_READ, viewers[i])
                elif not viewer.closed:
                    viewer.misbehave()
    return samples, thrown_out


def main():
    options = arguments()
    document, side = scene(options.people, options.steering, options.dt)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "load.json"
        path.write_text(json.dumps(document))
        process = subprocess.Popen([options.program, "studio", str(path), "--no-browser", "--threads", str(options.threads)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_CACHE_HOME": folder})
        try:
            line = process.stdout.readline().strip()
            if not line:
                why = process.stderr.read()
                if "without the studio's page" in why:
                    print("skipped: the program was built without the page")
                    return 77
                raise AssertionError(why)
            return measure(options, process, line, side)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()


class Cost:
    """What steps cost, in processor time of the thread that simulates."""

    def __init__(self, pid, viewer, dt):
        self.pid, self.viewer, self.dt = pid, viewer, dt
        self.seconds, self.steps = 0.0, 0

    def __enter__(self):
        self.begin = worked(self.pid), self.viewer.time

    def __exit__(self, *_):
        self.seconds += worked(self.pid) - self.begin[0]
        self.steps += round((self.viewer.time - self.begin[1]) / self.dt)

    def each(self):
        """ms"""
        return 1e3 * self.seconds / max(1, self.steps)


def measure(options, process, line, side):
    address, token = line.split("/#")
    port = int(address.rsplit(":", 1)[1])
    make = lambda kind, number: Viewer(port, token, kind, side, number)
    # One that only listens to the figures tells what a step takes when nobody else is there.
    alone = make("good", 1)
    alone.say(type="speed", factor=options.speed)
    deadline = time.monotonic() + 300
    while not alone.steps or alone.people < options.people:
        watch([alone], 1, process.pid, make)
        if time.monotonic() > deadline:
            raise AssertionError("nothing is shown")
    kinds = {0: "slow", 1: "deaf", 2: "rubbish", 3: "flood"}
    kind = lambda i: kinds.get(i if i < options.viewers // 3 else i % 12, "good")
    quiet_cost, busy_cost = Cost(process.pid, alone, options.dt), Cost(process.pid, alone, options.dt)
    quiet_steps, busy_steps, samples, thrown_out, seconds, viewers = [], [], [], 0, 0.0, []
    for turn in range(options.rounds):
        alone.steps.clear()
        with quiet_cost:
            watch([alone], max(2, options.seconds / 4), process.pid, make)
        quiet_steps += alone.steps
        alone.steps.clear()
        earlier = viewers
        viewers = [make(kind(i), i) for i in range(options.viewers)]
        begin = time.monotonic()
        with busy_cost:
            more, out = watch([alone, *viewers], options.seconds, process.pid, make, options.until * (turn + 1) / options.rounds)
        seconds += time.monotonic() - begin
        samples, thrown_out, busy_steps = samples + more, thrown_out + out, busy_steps + alone.steps
        for now, before in zip(viewers, earlier):
            now.frames, now.bytes, now.longest = now.frames + before.frames, now.bytes + before.bytes, max(now.longest, before.longest)
        for viewer in viewers:
            viewer.stream.close()
    quiet, busy, quiet_cost, busy_cost = statistics.median(quiet_steps), statistics.median(busy_steps), quiet_cost.each(), busy_cost.each()
    good = [v for v in viewers if v.kind == "good"]
    third = max(1, len(samples) // 3)
    before, after = statistics.median(samples[third:2 * third] or samples), statistics.median(samples[-third:])
    print(f"{options.people} people, {options.viewers} viewers ({len(good)} good) for {seconds:.0f} s, up to {alone.time:.0f} s of the scene: "
          f"step {quiet:.2f} ms with one viewer, {busy:.2f} ms with all ({100 * (busy / quiet - 1):+.1f} %); "
          f"processor time of the simulation {quiet_cost:.2f} and {busy_cost:.2f} ms a step ({100 * (busy_cost / quiet_cost - 1):+.1f} %); "
          f"memory {samples[0]:.0f} MiB at first, {before:.0f} in the middle, {after:.0f} at the end; "
          f"{sum(v.frames for v in good) / len(good) / seconds:.1f} frames/s each, {sum(v.bytes for v in good) / 1e6 / seconds:.1f} MB/s in all, "
          f"longest wait of a good viewer {max(v.longest for v in good):.1f} s; thrown out: {thrown_out}")
    assert all(v.frames > 0 for v in good), "a good viewer got nothing"
    assert thrown_out > 0, "nobody was thrown out"
    assert after < 1.05 * before + 8, "memory grows"
    assert not options.strict or busy_cost < 1.05 * quiet_cost, "viewers make steps dearer"
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0, "it did not end in good order"
    return 0


if __name__ == "__main__":
    sys.exit(main())
