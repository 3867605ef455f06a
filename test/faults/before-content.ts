import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { AnyErrorCode, FailureClass } from '../../core/api/index.ts';
import type { Mode, Wire } from '../matrix/wires.ts';
import type { Pace } from './models.ts';
import { framesBeforeText, goodAnswer, goodBody, goodFrames, ping } from './upstream/answers.ts';
import {
  chunk,
  complete,
  drip,
  end,
  forever,
  head,
  headText,
  lastChunk,
  opened,
  pause,
  plain,
  reset,
  silence,
  write,
  type Step,
} from './upstream/steps.ts';

/** A fault before anything was sent to the client. */
export interface EarlyFault {
  /** The row of docs/reference/faults.md. */
  readonly row: number;
  readonly name: string;
  readonly script: (wire: Wire, mode: Mode) => readonly Step[];
  readonly code: AnyErrorCode;
  readonly failure: FailureClass;
  /** The status of the upstream before it failed; 0: none. */
  readonly status: number;
  /** Absent: both. */
  readonly mode?: Mode;
  /** Of the deadlines. */
  readonly pace?: Pace;
}
type Facts = Pick<EarlyFault, 'mode' | 'pace'>;

const fault = (
  row: number,
  name: string,
  code: AnyErrorCode,
  status: number,
  script: EarlyFault['script'],
  { failure = 'transient', ...facts }: Facts & { readonly failure?: FailureClass } = {},
): EarlyFault => ({ row, name, code, status, script, failure, ...facts });
const reset_ = (
  row: number,
  name: string,
  status: number,
  script: EarlyFault['script'],
  facts: Facts = {},
): EarlyFault => fault(row, name, 'upstream_reset', status, script, facts);
const bad = (
  row: number,
  name: string,
  script: EarlyFault['script'],
  facts: Facts & { readonly status?: number } = {},
): EarlyFault => fault(row, name, 'upstream_bad_response', facts.status ?? 200, script, facts);

const beginning = (wire: Wire, mode: Mode): readonly Step[] =>
  mode === 'streamed'
    ? opened(framesBeforeText(wire))
    : [
        head(200, { 'content-type': 'application/json', 'content-length': goodBody(wire).length }),
        write(goodBody(wire).slice(0, 9)),
      ];
const typeOf = (mode: Mode): string => (mode === 'plain' ? 'application/json' : 'text/event-stream');
/** A good response after 32 MB of zeros, compressed to 32 kB. */
const bombs = new Map<string, Buffer>();
const bombOf = (wire: Wire, mode: Mode): Buffer => {
  const key = `${wire} ${mode}`;
  const made =
    bombs.get(key) ??
    gzipSync(
      (mode === 'plain' ? ' ' : ': nothing\n\n').repeat(mode === 'plain' ? 33_554_432 : 3_050_402) +
        (mode === 'plain' ? goodBody(wire) : goodFrames(wire).join('')),
    );
  bombs.set(key, made);
  return made;
};
const manyHeaders = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, '1']));

const connections: readonly EarlyFault[] = [
  reset_(3, 'a reset before any answer', 0, () => [reset]),
  reset_(3, 'a close before any answer', 0, () => [end]),
  reset_(3, 'a reset in the middle of the head', 0, () => [write('HTTP/1.1 200 OK\r\ncontent-ty'), reset]),
  reset_(3, 'something that is not HTTP', 0, () => [write('SSH-2.0-OpenSSH_9.9\r\n'), end]),
  reset_(5, 'a reset behind the head', 200, (wire, mode) => [...beginning(wire, mode), reset]),
  reset_(5, 'a close behind the head', 200, (wire, mode) => [...beginning(wire, mode), end]),
];
const deadlines: readonly EarlyFault[] = [
  fault(6, 'no response at all', 'upstream_timeout', 0, () => [silence], { failure: 'timeout', pace: 'hurried-head' }),
  fault(
    9,
    'a head that arrives byte by byte',
    'upstream_timeout',
    0,
    () => [...drip(headText(200, { 'content-type': 'text/plain', 'x-filler': 'x'.repeat(200) }), 20), silence],
    { failure: 'timeout', pace: 'hurried-head' },
  ),
  fault(8, 'silence after the head', 'upstream_timeout', 200, (wire, mode) => [...beginning(wire, mode), silence], {
    failure: 'timeout',
    pace: 'hurried-pauses',
  }),
  fault(
    8,
    'only keep-alives',
    'upstream_timeout',
    200,
    (wire) => [...opened(framesBeforeText(wire)), forever(50, chunk(ping(wire)))],
    { failure: 'timeout', pace: 'hurried-content', mode: 'streamed' },
  ),
  fault(
    9,
    'a body that arrives byte by byte',
    'upstream_too_long',
    200,
    (wire) => [
      head(200, { 'content-type': 'application/json', 'content-length': 10_000 }),
      ...drip(goodBody(wire).slice(0, 60), 20),
      silence,
    ],
    { failure: 'timeout', pace: 'hurried-whole', mode: 'plain' },
  ),
  fault(
    9,
    'a stream that arrives byte by byte',
    'upstream_timeout',
    200,
    (wire) => [
      ...opened([]),
      ...[...`: ${'x'.repeat(60)}`].flatMap((byte) => [chunk(byte), pause(20)]),
      chunk(ping(wire)),
      silence,
    ],
    { failure: 'timeout', pace: 'hurried-content', mode: 'streamed' },
  ),
];
const lengths: readonly EarlyFault[] = [
  reset_(
    10,
    'a length longer than the body',
    200,
    (wire) => [
      head(200, { 'content-type': 'application/json', 'content-length': goodBody(wire).length + 10 }),
      write(goodBody(wire)),
      end,
    ],
    { mode: 'plain' },
  ),
  bad(
    10,
    'a length shorter than the body',
    (wire) => [
      head(200, { 'content-type': 'application/json', 'content-length': goodBody(wire).length - 10 }),
      write(goodBody(wire)),
      pause(50),
    ],
    { mode: 'plain' },
  ),
  reset_(10, 'a chunk without a size', 200, (_, mode) => [
    head(200, { 'content-type': typeOf(mode), 'transfer-encoding': 'chunked' }),
    pause(20),
    write('zz\r\n{}\r\n0\r\n\r\n'),
  ]),
  reset_(10, 'chunks without an end', 200, (_, mode) => [
    head(200, { 'content-type': typeOf(mode), 'transfer-encoding': 'chunked' }),
    chunk('{"a":'),
    end,
  ]),
];
const bodies: readonly EarlyFault[] = [
  bad(11, 'a page', () => plain(200, '<html><body>Welcome</body></html>', { 'content-type': 'text/html' })),
  bad(11, 'text', () => plain(200, 'It works!', { 'content-type': 'text/plain' })),
  bad(11, 'an empty body', (_, mode) => plain(200, '', { 'content-type': typeOf(mode) }), { mode: 'plain' }),
  fault(
    11,
    'an empty stream',
    'upstream_truncated',
    200,
    () => plain(200, '', { 'content-type': 'text/event-stream' }),
    { mode: 'streamed' },
  ),
  bad(11, 'an answer without a body', () => [head(204, {}), complete], { status: 204 }),
  bad(11, 'a list', () => plain(200, '[]'), { mode: 'plain' }),
  bad(11, 'half of its JSON', (wire) => plain(200, goodBody(wire).slice(0, -5)), { mode: 'plain' }),
  fault(
    16,
    'a stream that ends before its first content',
    'upstream_truncated',
    200,
    (wire) => [...opened(framesBeforeText(wire)), lastChunk, complete],
    { mode: 'streamed' },
  ),
];
const heads: readonly EarlyFault[] = [
  ...[301, 302, 303, 307, 308].map((status) =>
    bad(17, `a redirect (${status})`, () => plain(status, '', { location: '/stolen' }), { status }),
  ),
  fault(18, 'a header of 64 KB', 'upstream_bad_response', 0, (wire, mode) =>
    goodAnswer(wire, mode, { 'x-long': 'x'.repeat(65_536) }),
  ),
  fault(18, '500 headers', 'upstream_bad_response', 0, (wire, mode) => goodAnswer(wire, mode, manyHeaders)),
];
const encodings: readonly EarlyFault[] = [
  bad(19, 'an encoding that it does not have', (wire, mode) => goodAnswer(wire, mode, { 'content-encoding': 'gzip' })),
  fault(19, 'an unknown encoding', 'upstream_bad_response', 0, (wire, mode) =>
    goodAnswer(wire, mode, { 'content-encoding': 'rot13' }),
  ),
  bad(19, 'a bomb', (wire, mode) =>
    plain(200, bombOf(wire, mode), { 'content-type': typeOf(mode), 'content-encoding': 'gzip' }),
  ),
  fault(
    19,
    'an encoded body that ends too early',
    'upstream_truncated',
    200,
    (wire) => plain(200, gzipSync(goodBody(wire)).subarray(0, -9), { 'content-encoding': 'gzip' }),
    { mode: 'plain' },
  ),
  bad(19, 'another encoding than it says', (wire, mode) =>
    plain(200, zstdCompressSync(goodFrames(wire).join('')), { 'content-type': typeOf(mode), 'content-encoding': 'br' }),
  ),
];

export const earlyFaults: readonly EarlyFault[] = [
  ...connections,
  ...deadlines,
  ...lengths,
  ...bodies,
  ...heads,
  ...encodings,
];
