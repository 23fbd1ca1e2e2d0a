// What drawing costs the page's script.

/** ms that the script took for each of the last pictures, without what the graphics card is told. */
export class Meter {
  frames = 0;
  private last = new Float32Array(300);
  add(ms: number): void {
    this.last[this.frames++ % this.last.length] = ms;
  }
  /** The middle, and how much all but one in fifty take at most. */
  get times(): { drawMs: number; longMs: number } {
    const sorted = this.last.slice(0, Math.min(this.frames, this.last.length)).sort();
    const at = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
    return { drawMs: at(0.5), longMs: at(0.98) };
  }
}
