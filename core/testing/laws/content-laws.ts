import { isDeepStrictEqual } from 'node:util';
import type { Choice, Finish, GenerateResponse, Part, Usage } from '../../api/index.ts';
import { foldEvents, type Codec, type Frame, type Framing, type GenerateEvent } from '../../api/codec.ts';
import { parseJson } from '../../framing/json.ts';
import { sse } from '../../framing/sse.ts';
import { expectNone, expectSame, type Check } from '../check.ts';
import { createReadContext } from '../contexts.ts';
import type { Recording } from '../recording.ts';
import { decodeEvents, decodeFrames } from '../streams.ts';
import { readContent, type RecordedContent, type RecordedCount } from './recorded-content.ts';
import { comparableResponse } from './response-laws.ts';

export interface ContentLawOptions {
  /** How the streams of the wire are framed; default `sse`. */
  readonly framing?: Framing;
  /** Texts, tool names and names of counts that the codec rightly leaves out. */
  readonly leftOut?: readonly RegExp[];
}

const textOf = (part: Part): string => {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return part.text;
    case 'tool-call':
      return `${part.name} ${part.input}`;
    default:
      return JSON.stringify(part);
  }
};
const partsOf = ({ choices }: GenerateResponse): readonly Part[] => choices.flatMap(({ parts }) => parts);

/** Every sum of disjoint counts: a vendor may count cached or reasoning tokens within another count, or beside it. */
const sumsOf = (counts: readonly number[]): ReadonlySet<number> =>
  new Set(counts.reduce<number[]>((sums, count) => sums.flatMap((sum) => [sum, sum + count]), [0]));

function missingCounts(usage: Usage | undefined, counts: readonly RecordedCount[]): string[] {
  if (usage === undefined) return counts.length === 0 ? [] : ['there is no usage'];
  const input = [
    usage.inputUncached,
    usage.cacheRead,
    usage.cacheWrite5m,
    usage.cacheWrite1h,
    usage.cacheWrite12h ?? 0,
  ];
  const output = [usage.output - usage.reasoning, usage.reasoning];
  const sums = { input: sumsOf(input), output: sumsOf(output), any: sumsOf([...input, ...output]) };
  // A vendor may also count tokens apart that the usage has in one figure: those of tool results, for one.
  const isAddend = ({ side, count }: RecordedCount, others: readonly RecordedCount[]): boolean =>
    others.some((other) => other.side === side && other.count > 0 && sums[side].has(count + other.count));
  return counts
    .filter(
      (one) =>
        !sums[one.side].has(one.count) &&
        !isAddend(
          one,
          counts.filter((other) => other !== one),
        ),
    )
    .map(({ name, count }) => `${name} (${count}) is not in the usage`);
}

function missingCalls(parts: readonly Part[], { calls }: RecordedContent, isStream: boolean): string[] {
  const decoded = parts.filter((part) => part.type === 'tool-call');
  const others = JSON.stringify(parts.filter(({ type }) => type === 'opaque'));
  return calls.flatMap(({ name, id, input }) => {
    const named = decoded.filter((call) => call.name === name);
    if (named.length === 0) return others.includes(JSON.stringify(name)) ? [] : [`there is no call of ${name}`];
    const problems = id === undefined || named.some((call) => call.id === id) ? [] : [`no call has the id ${id}`];
    const written = typeof input === 'string' ? (parseJson(input) ?? input) : input;
    const isPartial = isStream && (typeof input === 'string' || Object.keys(input as object).length === 0);
    return isPartial || named.some((call) => isDeepStrictEqual(parseJson(call.input) ?? call.input, written))
      ? problems
      : [...problems, `no call of ${name} has the arguments ${JSON.stringify(written)}`];
  });
}

/** JSON can be written again with other white space. */
const squeeze = (text: string): string => text.replaceAll(/\s+/g, '');

/** Reasons that every vendor has, however it calls them. */
const reasons: readonly (readonly [vendor: RegExp, reason: Finish['reason']])[] = [
  [/length|max.?(?:output.?)?tokens/i, 'length'],
  [/tool|function/i, 'tool_calls'],
];
const missingReasons = (choices: readonly Choice[], recorded: readonly string[]): string[] =>
  reasons.flatMap(([vendor, reason]) =>
    recorded.length > 0 &&
    recorded.every((word) => vendor.test(word)) &&
    !choices.some(({ finish }) => finish.reason === reason)
      ? [`no choice ends with ${reason}`]
      : [],
  );

/** Every text, call and count of the recording is in the response. */
function missingContent(response: GenerateResponse, recorded: RecordedContent, isStream: boolean): string[] {
  const parts = partsOf(response);
  const all = squeeze(parts.map(textOf).join('\n'));
  const texts = recorded.texts.filter((text) => {
    const given = parseJson(text);
    const isThere = all.includes(squeeze(text)) || all.includes(squeeze(JSON.stringify(text).slice(1, -1)));
    return text.trim() !== '' && !isThere && !(typeof given === 'object' && given !== null);
  });
  return [
    ...texts.map((text) => `the text ${JSON.stringify(text)} is missing`),
    ...missingCalls(parts, recorded, isStream),
    ...missingCounts(response.usage, recorded.counts),
    ...missingReasons(response.choices, recorded.reasons),
  ];
}

const expectContent = (problems: readonly string[], { leftOut = [] }: ContentLawOptions): void =>
  expectNone(
    problems.filter((problem) => !leftOut.some((pattern) => pattern.test(problem))).slice(0, 20),
    'what stands in the recording is not in what was decoded',
  );

/** Text that has been emitted, in characters. */
const lengthOf = (events: readonly GenerateEvent[]): number =>
  events.reduce((length, event) => length + (event.type === 'part-delta' ? event.text.length : 0), 0);

/** Characters that a decoder can add to a frame: the empty arguments of a call. */
const ADDED = 2;

/** After each frame, no more text has been emitted than was received: nothing is emitted twice. */
function emittedTwice(codec: Codec<'generate'>, frames: readonly Frame[]): string[] {
  const decoder = codec.upstream?.decodeStream?.(createReadContext());
  const events: GenerateEvent[] = [];
  let received = 0;
  for (const [index, frame] of frames.entries()) {
    const value = parseJson(frame.data);
    const { length, calls } = readContent([value]);
    received += length + ADDED;
    for (const { input } of calls) received += typeof input === 'string' ? 0 : JSON.stringify(input).length;
    decoder?.push(frame, (event) => void events.push(event));
    if (lengthOf(events) > received)
      return [`after frame ${index}, ${lengthOf(events)} characters are emitted of ${received} received`];
  }
  return [];
}

const hasEnd = (events: readonly GenerateEvent[]): string[] =>
  events.at(-1)?.type === 'response-end' ? [] : [`the stream ends in ${JSON.stringify(events.at(-1) ?? 'nothing')}`];

const readFrames = (text: string, framing: Framing): Frame[] =>
  decodeFrames([Buffer.from(text)], framing).filter(({ data }) => data !== '');

/** Whether the recording is of a stream that failed after its status was sent. */
const isBroken = (frames: readonly Frame[]): boolean =>
  frames.some(({ event, data }) => event === 'error' || /"error"\s*:\s*[{"]/.test(data));

/** Plain and streamed recordings of one case. */
function agree(codec: Codec<'generate'>, recordings: readonly Recording[], framing: Framing): void {
  const read = ({ response }: Recording): GenerateResponse | undefined =>
    response?.text === undefined
      ? codec.upstream?.decodeResponse(response?.body, createReadContext())
      : foldEvents(decodeEvents(codec, readFrames(response.text, framing)));
  const [first, ...others] = recordings;
  if (first === undefined) return;
  for (const other of others)
    expectSame(answerOf(read(other)), answerOf(read(first)), `${other.name} and ${first.name} are one case`);
}
/** A server gives each answer new ids and signatures. */
const withoutIdentity = (part: Part): Part => {
  const known =
    'proof' in part && part.proof !== undefined ? { ...part, proof: { origin: undefined, value: '' } } : part;
  return known.type === 'tool-call' ? { ...known, id: '' } : known;
};
const answerOf = (response: GenerateResponse | undefined): unknown =>
  response === undefined
    ? undefined
    : comparableResponse({
        ...response,
        choices: response.choices.map((choice) => ({ ...choice, parts: choice.parts.map(withoutIdentity) })),
      });

/** What the upstream side reads from recorded responses, held against the recordings themselves. */
export function contentLaws(
  codec: Codec<'generate'>,
  recordings: readonly Recording[],
  options: ContentLawOptions = {},
): Check[] {
  const { upstream } = codec;
  if (upstream === undefined) return [];
  const { framing = sse } = options;
  const checks: Check[] = [];
  const law = (name: string, run: () => void): void => void checks.push({ name: `${codec.wire}: ${name}`, run });
  const answered = recordings.filter(({ response }) => response !== undefined && response.status < 400);
  for (const { name, response } of answered) {
    const text = response?.text;
    if (text === undefined) {
      law(`decodes all that stands in the response of ${name}`, () => {
        const decoded = upstream.decodeResponse(response?.body, createReadContext());
        expectContent(missingContent(decoded, readContent([response?.body]), false), options);
      });
      continue;
    }
    if (upstream.decodeStream === undefined) continue;
    law(`decodes all that stands in the stream of ${name}`, () => {
      const frames = readFrames(text, framing);
      if (frames.length === 0) throw new Error(`no frame is found by the framing ${framing.name}: pass { framing }`);
      if (isBroken(frames)) return;
      const events = decodeEvents(codec, frames);
      const recorded = readContent(frames.map(({ data }) => parseJson(data)));
      const missing = missingContent(foldEvents(events), recorded, true);
      expectContent([...hasEnd(events), ...missing, ...emittedTwice(codec, frames)], options);
    });
  }
  const cases = Map.groupBy(answered, (recording) => recording.case);
  for (const [name, members] of cases)
    if (name !== undefined && members.length > 1)
      law(`decodes the same answer, plain and streamed, in the case ${name}`, () => agree(codec, members, framing));
  return checks;
}
