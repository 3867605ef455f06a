import { richAnswers } from '../../../test/doubling/rich-answers.ts';
import { goodDay } from '../../../test/matrix/sample-bodies.ts';
import { cut, damage, encode } from '../damage.ts';
import { collectDonors, mutate } from '../mutate.ts';
import type { Random } from '../random.ts';
import { fuzzWires, vendorFrames, vendorText, type FuzzWire } from './wires.ts';

/** The response of an upstream as it is sent. */
export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly Buffer[];
  /** `hang`: nothing more is sent, and the connection stays open. */
  readonly ending: 'end' | 'reset' | 'hang';
}

const donors = collectDonors(
  fuzzWires.flatMap((wire) => [
    JSON.parse(vendorText(wire, 'plain', richAnswers)) as unknown,
    ...vendorFrames(wire, richAnswers).map((text) => text),
  ]),
);

const errors: readonly unknown[] = [
  { error: { message: 'no', type: 'invalid_request_error', code: 'x', param: null } },
  { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  {
    error: {
      code: 429,
      message: 'x',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' }],
    },
  },
  [{ error: { code: 500, message: 'x', status: 'INTERNAL' } }],
  { detail: [{ loc: ['a'], msg: 'x', type: 'y' }] },
  { message: 'x' },
  'plain text',
];

/** The total of one repeated frame. */
const MAX_BYTES = 4_000_000;

/** Changes the structure of the data of a frame. */
const changeFrame = (text: string, random: Random): string => {
  const found = /^([\s\S]*?)data: (\{[\s\S]*\})(\s*)$/.exec(text);
  if (found === null) return text;
  const [, lines = '', data = '{}', end = ''] = found;
  return `${lines}data: ${JSON.stringify(mutate(JSON.parse(data), random, donors))}${end}`;
};

const changeFrames = (frames: readonly string[], random: Random): readonly string[] => {
  const at = random.below(frames.length);
  const frame = frames[at] ?? '';
  return random.pick<() => readonly string[]>([
    () => frames.toSpliced(at, 1, changeFrame(frame, random)),
    () => frames.toSpliced(at, 1, changeFrame(frame, random)),
    () => frames.toSpliced(at, 1),
    () =>
      frames.toSpliced(
        at,
        0,
        ...Array.from(
          { length: Math.min(random.pick([1, 10, 2_000]), Math.ceil(MAX_BYTES / (frame.length + 1))) },
          () => frame,
        ),
      ),
    () => frames.toSorted(() => random.next() - 0.5),
    () => frames.toSpliced(at, 0, random.pick(vendorFrames(random.pick(fuzzWires), richAnswers))),
    () =>
      frames.toSpliced(
        at,
        0,
        random.pick([
          ': comment\n\n',
          'event: x\n\n',
          'data:\n\n',
          'retry: 1\n\n',
          '\n\n\n',
          'data: [DONE]\n\n',
          'id: x\ndata: {}\n\n',
          'event: error\ndata: {"error":{"message":"x"}}\n\n',
        ]),
      ),
    () => frames.slice(0, at),
  ])();
};

const makeText = (random: Random, wire: FuzzWire, streamed: boolean): string => {
  const good = random.pick([richAnswers, goodDay]);
  if (!streamed) return JSON.stringify(mutate(JSON.parse(vendorText(wire, 'plain', good)), random, donors)) ?? '';
  let frames = vendorFrames(wire, good);
  for (let times = 1 + random.below(4); times > 0 && frames.length > 0; times -= 1)
    frames = changeFrames(frames, random);
  return frames.join('');
};

/** A good response of the wire with random changes of its structure, frames, bytes, status, headers and end. */
export function makeAnswer(random: Random, wire: FuzzWire, streamed: boolean): FuzzAnswer {
  const failed = random.chance(0.15);
  const text = failed
    ? JSON.stringify(random.chance(0.5) ? mutate(random.pick(errors), random, donors) : random.pick(errors))
    : makeText(random, random.chance(0.97) ? wire : random.pick(fuzzWires), streamed);
  const { headers, bytes } = encode(damage(text ?? '', random), random);
  const type = streamed ? 'text/event-stream' : 'application/json';
  return {
    status: failed
      ? random.pick([400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 503, 529, 302, 204])
      : random.pick([200, 200, 200, 200, 200, 200, 200, 201]),
    headers: {
      'content-type': random.chance(0.95)
        ? type
        : random.pick([
            'text/html',
            '',
            'application/json',
            'text/event-stream; charset=utf-8',
            'application/x-ndjson',
          ]),
      ...(random.chance(0.05)
        ? { 'retry-after': random.pick(['1', '-1', 'x', '1e9', 'Wed, 21 Oct 2099 07:28:00 GMT']) }
        : {}),
      ...headers,
    },
    pieces: cut(bytes, random),
    ending: random.pick(['end', 'end', 'end', 'end', 'end', 'end', 'end', 'end', 'reset', 'hang']),
  };
}
