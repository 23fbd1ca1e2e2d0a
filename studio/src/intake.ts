// Frames on their way from the wire to the picture: read and carried over to the crowd a little in every picture, so that none
// has to wait for all of a hundred thousand people. A frame is acknowledged when it is done, so that a page which is late gets
// fewer frames and no queue.

import { People, decoding } from './protocol';

/** ms of work in a picture, at least. */
const LEAST = 1;

export class Intake {
  private waiting: { buffer: ArrayBuffer; at: number }[] = [];
  private job: Generator<void, void, void> | null = null;
  private people = new People();
  private spare = new People();
  private spent = 0; // ms, on the frame that is in work
  private usual = 0; // ms, on a frame
  private pictures = 1; // between two frames
  private since = 0;
  private shown = 0; // frames since the connection began

  /** `take` shows a frame that came at a time (ms); its yields are pauses. */
  constructor(
    private take: (frame: People, at: number) => Generator<void, void, void>,
    private done: (sequence: number) => void,
    private failed: (why: string) => void,
  ) {}

  push(buffer: ArrayBuffer): void {
    this.waiting.push({ buffer, at: performance.now() });
  }

  /** Everything that has come is shown at once: something follows that has to find it there. */
  finish(): void {
    while (this.busy) this.work(Infinity);
  }

  /** The next frame will be a key frame. */
  reset(): void {
    this.finish();
    this.people = new People();
    this.shown = 0;
  }

  get busy(): boolean {
    return this.job !== null || this.waiting.length > 0;
  }

  /** Once a picture; ms that it took. */
  picture(): number {
    ++this.since;
    if (!this.busy) return 0;
    // Evenly over the pictures until the next frame comes, and a bit faster. Who sees nobody yet waits for nothing.
    const late = this.waiting.length > 1 || this.people.count === 0;
    return this.work(late ? Infinity : Math.max(LEAST, this.usual / Math.max(1, 0.75 * this.pictures)));
  }

  private work(most: number): number {
    const begin = performance.now();
    let took = 0;
    try {
      this.job ??= this.read(this.waiting.shift()!);
      while (took < most) {
        const { done } = this.job.next();
        took = performance.now() - begin;
        if (!done) continue;
        this.job = null;
        // The first frame, in which everybody is new, says nothing of the next ones.
        if (this.shown++ > 0) {
          const all = this.spent + took;
          this.usual = this.usual === 0 ? all : 0.8 * this.usual + 0.2 * all;
        }
        this.pictures = Math.min(60, 0.8 * this.pictures + 0.2 * this.since);
        this.spent = -took;
        this.since = 0;
        break;
      }
    } catch (error) {
      this.job = null;
      this.waiting = [];
      this.failed(error instanceof Error ? error.message : String(error));
    }
    this.spent += took;
    return took;
  }

  private *read({ buffer, at }: { buffer: ArrayBuffer; at: number }): Generator<void, void, void> {
    const before = this.people;
    const frame = yield* decoding(buffer, before, this.spare);
    // The one before is still drawn until this one is.
    yield* this.take(frame, at);
    [this.people, this.spare] = [frame, before];
    this.done(frame.sequence);
  }
}

