import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** One connection of the gateway to the fault upstream. */
export interface Line {
  /** Writes are encrypted if the upstream uses TLS. */
  readonly socket: Duplex;
  /** The TCP socket under TLS. */
  readonly raw: Socket;
  /** A whole response was sent: the gateway can keep the connection. */
  idle: boolean;
}

/** One thing that the upstream does on a connection. A script is a list of them. */
export type Step = (line: Line) => void | Promise<void>;

export const write =
  (bytes: string | Uint8Array): Step =>
  ({ socket }) =>
    void (socket.writable && socket.write(bytes));
export const pause =
  (ms: number): Step =>
  () =>
    new Promise((resolve) => setTimeout(resolve, ms));
/** The response is complete, and the connection is left open. */
export const complete: Step = (line) => {
  line.idle = true;
};
/** Sends FIN. */
export const end: Step = ({ socket }) => void socket.end();
/** Sends RST after everything written. With TLS it resets the TCP socket, because TLS would send a close_notify. */
export const reset: Step = async ({ raw }) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  raw.resetAndDestroy();
};
/** Is silent until the other side closes. */
export const silence: Step = ({ raw }) => new Promise((resolve) => raw.once('close', () => resolve()));
/** Repeats the same steps until the other side closes. */
export const forever =
  (everyMs: number, ...steps: readonly Step[]): Step =>
  async (line) => {
    while (!line.raw.closed && line.socket.writable) {
      for (const step of steps) await step(line);
      await pause(everyMs)(line);
    }
  };
/** Changes how writes are sent. */
const turn: Step = () => new Promise((resolve) => setImmediate(resolve));
/** Sends one byte at a time; without a pause, each is still a write of its own. */
export const drip = (text: string, everyMs: number): readonly Step[] =>
  [...text].flatMap((byte) => [write(byte), everyMs === 0 ? turn : pause(everyMs)]);

export type HeaderLines = Readonly<Record<string, string | number>>;
export const headText = (status: number, headers: HeaderLines): string =>
  `HTTP/1.1 ${status} Whatever\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
export const head = (status: number, headers: HeaderLines): Step => write(headText(status, headers));

/** A chunk of a chunked body. */
export const chunk = (bytes: string | Uint8Array): Step =>
  write(
    Buffer.concat([
      Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ]),
  );
export const lastChunk: Step = write('0\r\n\r\n');

/** A whole response with a content-length. */
export const plain = (status: number, body: string | Uint8Array, headers: HeaderLines = {}): readonly Step[] => [
  head(status, { 'content-type': 'application/json', ...headers, 'content-length': Buffer.byteLength(body) }),
  write(body),
  complete,
];
const streamHead = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' };
/** The beginning of a stream: its head and some frames, paced. */
export const opened = (frames: readonly (string | Uint8Array)[], headers: HeaderLines = {}): readonly Step[] => [
  head(200, { ...streamHead, ...headers }),
  ...frames.flatMap((frame) => [chunk(frame), pause(5)]),
];
/** A stream that ends correctly. */
export const streamed = (frames: readonly (string | Uint8Array)[], headers: HeaderLines = {}): readonly Step[] => [
  ...opened(frames, headers),
  lastChunk,
  complete,
];
