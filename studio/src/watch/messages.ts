// What the server says about what is watched (docs/studio-protocol.md).

export interface TimelineMessage {
  type: 'timeline';
  kind: 'world' | 'recording';
  from: number;
  /** s; null where the run has no end. */
  to: number | null;
  seekable: boolean;
  /** Names of the recordings that are shown; two are side by side. */
  runs: string[];
  /** Names of the measurement lines. */
  lines: string[];
  happenings: { time: number; text: string }[];
}
/** time, people, mean speed, density around people, arrived, then the flow over each line. */
export type Sample = number[];
export interface CurvesMessage {
  type: 'curves';
  run: number;
  lines: string[];
  complete: boolean;
  samples: Sample[];
}
export interface FiguresMessage {
  type: 'figures';
  time: number;
  stepMs: number;
  factor: number;
  systems: [string, number][];
  sample?: Sample;
}
export interface PeopleMessage {
  type: 'people';
  count: number;
  speed: number;
  standing: number;
  populations: { name: string; count: number }[];
  listed: { id: number; population: string; errand: string; speed: number }[];
}
export interface WorkMessage {
  type: 'work';
  work: number;
  kind: 'film' | 'report' | 'recording';
  state: 'working' | 'done' | 'failed' | 'given up';
  share: number;
  file?: string;
  why?: string;
}
export interface LibraryEntry {
  entry: number;
  name: string;
  file: string;
  folder: string;
  group: string;
  kind: 'scene' | 'recording' | 'model';
  size: number;
  description: string;
}
export interface LibraryMessage {
  type: 'library';
  /** True when nothing else is shown: the start page. */
  shown: boolean;
  endings: string;
  largest: number;
  entries: LibraryEntry[];
}
export interface OpeningMessage {
  type: 'opening';
  name: string;
  done: boolean;
}
export type WatchMessage =
  | TimelineMessage
  | CurvesMessage
  | FiguresMessage
  | PeopleMessage
  | WorkMessage
  | LibraryMessage
  | OpeningMessage;
