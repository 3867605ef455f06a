import { createGzip, constants } from 'node:zlib';
import type { EndingReason, AnyErrorCode } from '../../core/api/index.ts';
import { errorFrame, halfFrame } from '../matrix/vendors/breaks.ts';
import type { Wire } from '../matrix/wires.ts';
import { secrets, type Pace } from './models.ts';
import { contentFrame, firstFrames, ping } from './upstream/answers.ts';
import {
  chunk,
  complete,
  drip,
  end,
  forever,
  head,
  lastChunk,
  opened,
  reset,
  silence,
  write,
  type Step,
} from './upstream/steps.ts';

/** A fault after the client has received content. */
export interface LateFault {
  readonly row: number;
  readonly name: string;
  readonly script: (wire: Wire) => readonly Step[];
  readonly code: AnyErrorCode;
  readonly ending: EndingReason;
  readonly pace?: Pace;
}

/** Compressed content that was flushed and can be read, followed by garbage. */
const brokenGzip = async (text: string): Promise<Buffer> => {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (bytes: Buffer) => chunks.push(bytes));
  gzip.write(text);
  await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, () => resolve()));
  return Buffer.concat(chunks);
};
const packed =
  (wire: Wire): Step =>
  async (line) =>
    chunk(await brokenGzip(firstFrames(wire).join('')))(line);
/** The error of the vendor, with the keys of all vendors in its message. */
const talkative = (wire: Wire): string =>
  errorFrame[wire].replace(/"message":"[^"]*"/, `"message":"Refused: ${Object.values(secrets).join(', ')}"`);

export const lateFaults: readonly LateFault[] = [
  {
    row: 7,
    name: 'a reset',
    script: (wire) => [...opened(firstFrames(wire)), reset],
    code: 'upstream_reset',
    ending: 'upstream_reset',
  },
  {
    row: 7,
    name: 'a close',
    script: (wire) => [...opened(firstFrames(wire)), end],
    code: 'upstream_reset',
    ending: 'upstream_reset',
  },
  {
    row: 8,
    name: 'silence',
    script: (wire) => [...opened(firstFrames(wire)), silence],
    code: 'upstream_timeout',
    ending: 'idle_timeout',
    pace: 'hurried-pauses',
  },
  {
    row: 8,
    name: 'keep-alives without content',
    script: (wire) => [...opened(firstFrames(wire)), forever(50, chunk(ping(wire)))],
    code: 'upstream_timeout',
    ending: 'idle_timeout',
    pace: 'hurried-pauses',
  },
  {
    row: 8,
    name: 'content without an end',
    script: (wire) => [...opened(firstFrames(wire)), forever(50, chunk(contentFrame(wire)))],
    code: 'upstream_too_long',
    ending: 'max_duration',
    pace: 'hurried-whole',
  },
  {
    row: 9,
    name: 'a frame that arrives byte by byte',
    script: (wire) => [...opened(firstFrames(wire)), write('ff\r\n'), ...drip(`data: ${'x'.repeat(60)}`, 20), silence],
    code: 'upstream_timeout',
    ending: 'idle_timeout',
    pace: 'hurried-pauses',
  },
  {
    row: 10,
    name: 'a chunk without a size',
    script: (wire) => [...opened(firstFrames(wire)), write('zz\r\ndata\r\n')],
    code: 'upstream_reset',
    ending: 'upstream_reset',
  },
  {
    row: 15,
    name: 'an error event',
    script: (wire) => [...opened([...firstFrames(wire), errorFrame[wire]]), lastChunk, complete],
    code: 'upstream_overloaded',
    ending: 'upstream_error_event',
  },
  {
    row: 15,
    name: 'an error event with the key',
    script: (wire) => [...opened([...firstFrames(wire), talkative(wire)]), lastChunk, complete],
    code: 'upstream_overloaded',
    ending: 'upstream_error_event',
  },
  {
    row: 16,
    name: 'an end without the terminal event',
    script: (wire) => [...opened(firstFrames(wire)), lastChunk, complete],
    code: 'upstream_truncated',
    ending: 'truncated',
  },
  {
    row: 19,
    name: 'an encoding that breaks',
    script: (wire) => [
      head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' }),
      packed(wire),
      chunk('no gzip at all'),
      silence,
    ],
    code: 'upstream_bad_response',
    ending: 'upstream_error_event',
  },
  {
    row: 22,
    name: 'a frame that is not JSON',
    script: (wire) => [...opened([...firstFrames(wire), halfFrame[wire]]), silence],
    code: 'upstream_bad_response',
    ending: 'upstream_error_event',
  },
];
