import { errorFrame, halfFrame } from '../../test/matrix/vendors/breaks.ts';
import type { Mode, Wire } from '../../test/matrix/wires.ts';
import { firstFrames, goodBody } from '../../test/faults/upstream/answers.ts';
import {
  chunk,
  complete,
  end,
  head,
  lastChunk,
  pause,
  plain,
  reset,
  silence,
  write,
  type Step,
} from '../../test/faults/upstream/steps.ts';

/** How an upstream fails a call, on the wire of the call. */
export interface Fault {
  readonly name: string;
  readonly steps: (wire: Wire, mode: Mode) => readonly Step[];
}

export const streamHead = head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });

/** A stream up to the first half of its text, or half of a plain body. */
const begun = (wire: Wire, mode: Mode): readonly Step[] => {
  if (mode === 'streamed') return [streamHead, ...firstFrames(wire).map(chunk), pause(100)];
  const body = goodBody(wire);
  return [
    head(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    write(body.slice(0, body.length / 2)),
    pause(100),
  ];
};
const error = (status: number): string =>
  JSON.stringify({ error: { code: status, message: 'Not now.', type: 'server_error', status: 'UNAVAILABLE' } });

export const faults: readonly Fault[] = [
  { name: 'reset before the response', steps: () => [reset] },
  { name: 'reset within the response', steps: (wire, mode) => [...begun(wire, mode), reset] },
  // Not 500, which clients receive as it is: a 500 at a client is a fault of the gateway.
  { name: '502', steps: () => plain(502, error(502)) },
  { name: '429', steps: () => plain(429, error(429)) },
  {
    name: 'truncated',
    steps: (wire, mode) => [...begun(wire, mode), ...(mode === 'streamed' ? [lastChunk, complete] : [end])],
  },
  {
    name: 'garbage',
    steps: (wire, mode) =>
      mode === 'streamed'
        ? [...begun(wire, mode), chunk(halfFrame[wire]), lastChunk, complete]
        : plain(200, '<html>Hello</html>', { 'content-type': 'text/html' }),
  },
  {
    name: 'error event',
    steps: (wire, mode) =>
      mode === 'streamed'
        ? [...begun(wire, mode), chunk(errorFrame[wire]), lastChunk, complete]
        : plain(503, error(503)),
  },
  { name: 'stall', steps: (wire, mode) => [...begun(wire, mode), silence] },
];
