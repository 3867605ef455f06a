import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** One connection of the gateway to the fault upstream. */
export interface Line {
  /** What is written is encrypted where the upstream speaks TLS. */
  readonly socket: Duplex;
  /** Under TLS, what carries it. */
  readonly raw: Socket;
  /** A whole answer has been given: the gateway may keep the connection. */
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
/** The answer is whole, and the connection is left open. */
export const complete: Step = (line) => {
  line.idle = true;
};
/** FIN: nothing more is said. */
export const end: Step = ({ socket }) => void socket.end();
/** RST, under TLS on what carries it: TLS itself would say goodbye. What was written goes out before. */
export const reset: Step = async ({ raw }) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  raw.resetAndDestroy();
};
/** Says nothing more, for as long as the other side holds. */
export const silence: Step = ({ raw }) => new Promise((resolve) => raw.once('close', () => resolve()));
/** The same things again and again, for as long as the other side holds. */
export const forever =
  (everyMs: number, ...steps: readonly Step[]): Step =>
  async (line) => {
    while (!line.raw.closed && line.socket.writable) {
      for (const step of steps) await step(line);
      await pause(everyMs)(line);
    }
  };
/** Gives what was written its own way. */
const turn: Step = () => new Promise((resolve) => setImmediate(resolve));
/** One byte after the other; without a pause, each is a piece of its own all the same. */
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

/** A whole answer with a length. */
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
/** A stream that ends as it should. */
export const streamed = (frames: readonly (string | Uint8Array)[], headers: HeaderLines = {}): readonly Step[] => [
  ...opened(frames, headers),
  lastChunk,
  complete,
];
