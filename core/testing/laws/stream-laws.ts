import { foldEvents, isObject, type Codec, type Frame, type Framing, type GenerateEvent } from '../../api/codec.ts';
import { parseJson } from '../../framing/json.ts';
import { sse } from '../../framing/sse.ts';
import { collectLaws, expectNone, expectSame, type Check } from '../check.ts';
import { createWriteContext } from '../contexts.ts';
import { checkEventGrammar } from './event-grammar.ts';
import { describeEvents } from '../expectation.ts';
import { expectRecorded } from './expectation-laws.ts';
import { mutate } from './mutations.ts';
import { evenCuts, hazardousCuts, rechunk } from '../rechunk.ts';
import type { Recording } from '../recording.ts';
import {
  askingFor,
  listSampleResponses,
  survivesWriting,
  type CheckFrames,
  type ResponseLawOptions,
} from './response-laws.ts';
import { interleavedEvents } from '../sample-responses.ts';
import { comparableEvents, decodeEvents, decodeFrames, encodeEvents, listEvents } from '../streams.ts';
import { checkUsage } from './usage-rules.ts';

const isFailed = (events: readonly GenerateEvent[]): boolean => events.at(-1)?.type === 'error';
const failure = (codec: Codec<'generate'>, frames: readonly Frame[]): string[] => {
  const events = decodeEvents(codec, frames);
  const problems = checkEventGrammar(events);
  const complete = events.some(({ type }) => type === 'choice-end');
  return complete || isFailed(events)
    ? problems
    : [...problems, `ends in ${String(events.at(-1)?.type)}, not in an error`];
};

/** What the stream says is what is expected of it, wherever its bytes are split. */
const decodesAsExpected = (
  codec: Codec<'generate'>,
  recording: Recording,
  bytes: Uint8Array,
  framing: Framing,
): void => {
  const frames = decodeFrames([bytes], framing);
  if (frames.every(({ data }) => data === ''))
    throw new Error(`no frame is found by the framing ${framing.name}: pass { framing }`);
  const events = decodeEvents(codec, frames);
  expectNone(checkEventGrammar(events), 'the events');
  expectRecorded(recording, describeEvents(events));
  for (const event of events) if (event.type === 'usage') expectNone(checkUsage(event.usage), 'the usage');
  const whole = comparableEvents(events);
  for (const cuts of [hazardousCuts(bytes), evenCuts(bytes, 1), evenCuts(bytes, 7), evenCuts(bytes, 1_448)]) {
    expectSame(
      comparableEvents(decodeEvents(codec, decodeFrames(rechunk(bytes, cuts), framing))),
      whole,
      'the events depend on the chunks',
    );
  }
};

/** The members of a frame at any depth. Frames of one shape are decoded by the same code. */
const shapeOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `{${Object.entries(value)
        .map(([key, child]) => `${Array.isArray(value) ? '' : key}${shapeOf(child)}`)
        .join()}}`
    : typeof value;
const shapesOf = (frames: readonly Frame[]): readonly string[] =>
  frames.map(({ event, data }) => `${event} ${shapeOf(parseJson(data))}`);

/**
 * The first two and the last of consecutive frames of one shape: hundreds of fragments of a text bring a decoder into
 * no other state than three. The laws that decode a stream once per frame read this.
 */
const shorten = (frames: readonly Frame[]): readonly Frame[] => {
  const shapes = shapesOf(frames);
  return frames.filter((_frame, index) => {
    const shape = shapes[index];
    return [index - 2, index - 1, index + 1].some((place) => shapes[place] !== shape);
  });
};

/** Cut off after any frame, or within one, a stream decodes to an error: never a throw, never a silent end. */
const namesTruncation = (codec: Codec<'generate'>, frames: readonly Frame[]): void => {
  expectNone(checkEventGrammar(decodeEvents(codec, [...frames, ...frames])), 'a stream that continues after its end');
  const problems = frames.flatMap((frame, count) => {
    const cut = { event: frame.event, data: frame.data.slice(0, Math.floor(frame.data.length / 2)) };
    return [
      ...failure(codec, frames.slice(0, count)).map((text) => `after ${count} frames: ${text}`),
      ...failure(codec, [...frames.slice(0, count), cut]).map((text) => `within frame ${count}: ${text}`),
    ];
  });
  expectNone(problems.slice(0, 20), 'a truncated stream');
};

const unknownFrame: Frame = { event: 'koine_unknown', data: '{"type":"koine_unknown","value":{"a":[1]}}' };
const comment: Frame = { event: undefined, data: '' };
const withUnknownMember = (frame: Frame): Frame => {
  const data = parseJson(frame.data);
  return isObject(data) ? { ...frame, data: JSON.stringify({ ...data, koine_unknown: { a: [1] } }) } : frame;
};

/** The vendor's own figures are kept as they are, with members that are unknown. */
const withoutRaw = (event: GenerateEvent): GenerateEvent => {
  if (event.type !== 'usage') return event;
  const { raw: _raw, ...usage } = event.usage;
  return { ...event, usage };
};

const ignoresUnknown = (codec: Codec<'generate'>, frames: readonly Frame[]): void => {
  const read = (altered: readonly Frame[]): unknown => comparableEvents(decodeEvents(codec, altered).map(withoutRaw));
  const known = read(frames);
  expectSame(read(frames.flatMap((frame) => [comment, frame])), known, 'comments change the events');
  expectSame(read(frames.map(withUnknownMember)), known, 'unknown members change the events');
  expectSame(
    read(frames.flatMap((frame, index) => (index === 0 ? [frame] : [unknownFrame, frame]))),
    known,
    'unknown events change the events',
  );
};

/** One frame of each shape, altered. */
const survivesJunk = (codec: Codec<'generate'>, frames: readonly Frame[]): void => {
  const shapes = shapesOf(frames);
  const problems = frames.flatMap((frame, index) => {
    if (shapes.lastIndexOf(shapes[index] ?? '') !== index) return [];
    const values = mutate(parseJson(frame.data) ?? frame.data, 40).map(({ name, value }) => ({
      name,
      data: JSON.stringify(value),
    }));
    return [{ name: 'broken JSON', data: '{"a":' }, ...values].flatMap(({ name, data }) => {
      const altered = frames.with(index, { event: frame.event, data });
      try {
        // A missing name cannot be invented; the other rules can be kept.
        const found = checkEventGrammar(decodeEvents(codec, altered)).filter(
          (problem) => !problem.endsWith('has no name'),
        );
        return found.map((problem) => `frame ${index}, ${name}: ${problem}`);
      } catch (thrown) {
        return [`frame ${index}, ${name}: throws ${String(thrown)}`];
      }
    });
  });
  expectNone(problems.slice(0, 20), `${problems.length} altered streams are not read properly`);
};

/** Events encoded for a client satisfy the rules of its wire, wherever they break off. */
const writesGrammar = (
  codec: Codec<'generate'>,
  events: readonly GenerateEvent[],
  check: CheckFrames,
  options: ResponseLawOptions,
): void => {
  const hasUsage = events.some(({ type }) => type === 'usage');
  const write = (list: readonly GenerateEvent[]): readonly string[] =>
    check(encodeEvents(codec, list, createWriteContext(askingFor(codec, options, true, hasUsage))), {
      includeUsage: hasUsage,
    });
  expectNone(write(events), 'the frames written');
  const [failed] = decodeEvents(codec, []).slice(-1);
  if (failed?.type !== 'error') return;
  events.forEach((_event, count) => {
    expectNone(
      write([...events.slice(0, count), failed]),
      `the frames written when the stream fails after ${count} events`,
    );
  });
};

/** Options of the laws of streams. */
export interface StreamLawOptions {
  /** How the streams of the wire are framed; default `sse`. */
  readonly framing?: Framing;
}

export function streamLaws(
  codec: Codec<'generate'>,
  recordings: readonly Recording[],
  options: ResponseLawOptions & StreamLawOptions = {},
): Check[] {
  const { framing = sse } = options;
  const { checks, law } = collectLaws(codec.wire);
  const writes = codec.client?.encodeStream !== undefined;
  const { checkFrames } = options;
  /** The frames are encoded when the law runs. */
  const lawOfFrames = (of: string, events: () => readonly GenerateEvent[]): void => {
    if (checkFrames !== undefined)
      law(`writes valid frames of ${of}`, () => writesGrammar(codec, events(), checkFrames, options));
  };
  if (writes && codec.upstream?.decodeStream !== undefined) {
    for (const [name, response] of listSampleResponses(codec))
      lawOfFrames(`a response with ${name}`, () => listEvents(response));
    lawOfFrames('calls that alternate', () => interleavedEvents);
  }
  if (codec.upstream?.decodeStream === undefined) return checks;
  for (const recording of recordings) {
    const { name, response } = recording;
    if (response?.text === undefined || response.status >= 400) continue;
    const bytes = Buffer.from(response.text);
    const frames = (): Frame[] =>
      decodeFrames([bytes], framing)
        .filter(({ data }) => data !== '')
        .map(({ event, data }) => ({ event, data }));
    law(`decodes the stream of ${name} as expected`, () => decodesAsExpected(codec, recording, bytes, framing));
    law(`reports a truncation of the stream of ${name}`, () => namesTruncation(codec, shorten(frames())));
    law(`ignores unknown members and events in the stream of ${name}`, () => ignoresUnknown(codec, frames()));
    law(`survives junk in the stream of ${name}`, () => survivesJunk(codec, shorten(frames())));
    if (!writes) continue;
    lawOfFrames(`the stream of ${name}`, () => decodeEvents(codec, frames()));
    law(`a round trip preserves the stream of ${name}`, () => {
      const events = decodeEvents(codec, frames());
      if (!isFailed(events)) survivesWriting(codec, foldEvents(events), options);
    });
  }
  return checks;
}
