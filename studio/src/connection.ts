// The wire: one WebSocket, which comes back by itself when the server does.

import { Intake } from './intake';
import { PROTOCOL, decodeMesh, decodeSight, type MeshMessage, type People, type ServerMessage, type SightMessage } from './protocol';

export interface Listener {
  message(message: ServerMessage): void;
  mesh(mesh: MeshMessage): void;
  sight(sight: SightMessage): void;
  /** Shows a frame, with pauses. */
  frame(frame: People, at: number): Generator<void, void, void>;
  /** Nothing while all is well; else what is wrong, in a sentence. */
  trouble(what: string | null): void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private wait = 500;
  private refused = false;
  private ended = false; // by whoever has started it
  bytes = 0;

  /** Frames that have come and are not shown yet. */
  readonly intake = new Intake(
    (frame, at) => this.listener.frame(frame, at),
    (sequence) => this.send({ type: 'ack', frame: sequence }),
    () => this.socket?.close(), // what cannot be read: from the beginning
  );

  constructor(
    private token: string,
    private listener: Listener,
  ) {}

  open(): void {
    const socket = new WebSocket(`ws://${location.host}/stream`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    this.intake.reset();
    socket.onopen = () => {
      this.send({ type: 'hello', protocol: PROTOCOL, token: this.token });
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.received(event.data);
    socket.onclose = (event) => this.closed(event.code, event.reason);
  }

  send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private received(data: string | ArrayBuffer): void {
    if (typeof data === 'string') {
      const message = JSON.parse(data) as ServerMessage;
      // What follows another scene is measured by it, and what came before by the one before.
      if (message.type === 'hello' || message.type === 'scene' || message.type === 'timeline') this.intake.finish();
      if (message.type === 'hello') {
        this.wait = 500;
        this.ended = false;
        this.listener.trouble(null);
      }
      this.listener.message(message);
      return;
    }
    this.bytes += data.byteLength;
    if (new DataView(data).getUint32(0, true) === 3) {
      this.intake.finish();
      this.listener.mesh(decodeMesh(data));
      return;
    }
    if (new DataView(data).getUint32(0, true) === 4) {
      this.listener.sight(decodeSight(data));
      return;
    }
    this.intake.push(data);
  }

  private closed(code: number, reason: string): void {
    this.socket = null;
    if (code === 1008) {
      // Asking again would not help.
      this.refused = true;
      this.listener.trouble(
        reason.includes('token')
          ? 'This address is of an earlier start: its token is not that of this studio. Open the address that throng studio has printed now. (With --keep-address it stays the same.)'
          : `The server has refused this page: ${reason || 'no reason given'}. Open the address that throng studio has printed.`,
      );
      return;
    }
    this.ended ||= code === 1001;
    this.listener.trouble(
      this.ended ? 'The studio has ended. This page comes back by itself when it is started again at the same address (--keep-address).' : `No connection to the studio${reason ? ` (${reason})` : ''}. Trying again …`,
    );
    window.setTimeout(() => {
      if (!this.refused) this.open();
    }, this.wait);
    this.wait = Math.min(this.wait * 1.6, 5000);
  }
}
