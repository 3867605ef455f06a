import { expect } from 'chai';
import { GatewayError, type Finish, type GenerateResponse, type Part, type Usage } from '../../../../core/api/index.ts';
import {
  foldEvents,
  unfoldResponse,
  type Codec,
  type EmitEvent,
  type EventDecoder,
  type GenerateEvent,
  type UpstreamSide,
} from '../../../../core/api/codec.ts';
import { codecLaws, type Check, type Recording } from '../../../../core/testing/index.ts';
import { createCodec, createRecordings, ownWords, usualWords } from './vocabularies.ts';

interface MutatedCodec {
  readonly codec: Codec<'generate'>;
  readonly upstream: UpstreamSide<'generate'>;
  readonly recordings: readonly Recording[];
}
const codecs: readonly MutatedCodec[] = [ownWords, usualWords].map((words) => {
  const codec = createCodec(words);
  if (codec.upstream === undefined) throw new Error('the codec under test reads responses');
  return { codec, upstream: codec.upstream, recordings: createRecordings(words) };
});

const brokenLaws = async (laws: readonly Check[]): Promise<readonly string[]> => {
  const broken: string[] = [];
  for (const { name, run } of laws)
    try {
      await run();
    } catch (thrown) {
      broken.push(`${name}: ${String(thrown)}`);
    }
  return broken;
};

/** Whether a law finds the mistake. No mutant is one of requests. */
const isFound = async (codec: Codec<'generate'>, recordings: readonly Recording[]): Promise<boolean> => {
  for (const law of codecLaws(codec, recordings))
    if (!law.name.includes('request') && (await brokenLaws([law])).length > 0) return true;
  return false;
};

type Change = Partial<UpstreamSide<'generate'>>;
/** The wrong codecs that a mistake makes of a sound one: of its plain side, of its streams, or of its errors. */
type Mutant = (upstream: UpstreamSide<'generate'>) => readonly Change[];

const withStream = (
  { decodeStream }: UpstreamSide<'generate'>,
  change: (event: GenerateEvent, emit: EmitEvent) => void,
): Change => ({
  decodeStream: (context) => {
    const good = decodeStream?.(context) as EventDecoder;
    return {
      push: (frame, emit) => good.push(frame, (event) => change(event, emit)),
      end: (emit) => good.end((event) => change(event, emit)),
    };
  },
});

/** A mistake in what is read of a response, plain, and as a stream whose events are otherwise sound. */
const response =
  (change: (good: GenerateResponse) => GenerateResponse): Mutant =>
  (upstream) => [
    { decodeResponse: (body, context) => change(upstream.decodeResponse(body, context)) },
    {
      decodeStream: (context) => {
        const good = upstream.decodeStream?.(context) as EventDecoder;
        const events: GenerateEvent[] = [];
        const collect =
          (emit: EmitEvent) =>
          (event: GenerateEvent): void => {
            events.push(event);
            if (event.type === 'error') emit(event);
            if (event.type === 'response-end') unfoldResponse(change(foldEvents(events)), emit);
          };
        return { push: (frame, emit) => good.push(frame, collect(emit)), end: (emit) => good.end(collect(emit)) };
      },
    },
  ];
const parts = (change: (part: Part, index: number) => readonly Part[]): Mutant =>
  response((good) => ({
    ...good,
    choices: good.choices.map((choice) => ({ ...choice, parts: choice.parts.flatMap(change) })),
  }));
const ofType =
  <T extends Part['type']>(type: T, change: (part: Extract<Part, { type: T }>) => readonly Part[]) =>
  (part: Part): readonly Part[] =>
    part.type === type ? change(part as Extract<Part, { type: T }>) : [part];
const usage = (change: (usage: Usage) => Usage | undefined): Mutant =>
  response(({ usage: good, ...rest }) => {
    const changed = good === undefined ? undefined : change(good);
    return changed === undefined ? rest : { ...rest, usage: changed };
  });
const finish = (change: (reason: Finish['reason']) => Finish['reason']): Mutant =>
  response((good) => ({
    ...good,
    choices: good.choices.map((choice) => ({ ...choice, finish: { reason: change(choice.finish.reason) } })),
  }));
const errors =
  (change: (good: GatewayError) => GatewayError): Mutant =>
  (upstream) => [
    { decodeError: (reply) => change(upstream.decodeError(reply)) },
    withStream(upstream, (event, emit) =>
      emit(event.type === 'error' && GatewayError.is(event.error) ? { ...event, error: change(event.error) } : event),
    ),
  ];
const events =
  (change: (event: GenerateEvent) => readonly GenerateEvent[]): Mutant =>
  (upstream) => [withStream(upstream, (event, emit) => change(event).forEach(emit))];

const mutants: Readonly<Record<string, Mutant>> = {
  'reads nothing': response(() => ({ choices: [{ parts: [], finish: { reason: 'stop' } }] })),
  'reads usage of 0': usage((good) => ({ ...good, inputUncached: 0, cacheRead: 0, output: 0, reasoning: 0 })),
  'loses the usage': usage(() => undefined),
  'takes input for output': usage((good) => ({ ...good, inputUncached: good.output, output: good.inputUncached })),
  'does not subtract cached tokens': usage((good) => ({
    ...good,
    inputUncached: good.inputUncached + good.cacheRead,
  })),
  'takes cached tokens for others': usage((good) => ({
    ...good,
    inputUncached: good.inputUncached + good.cacheRead,
    cacheRead: 0,
  })),
  'loses the count of reasoning': usage((good) => ({ ...good, reasoning: 0 })),
  'adds reasoning to the output': usage((good) => ({ ...good, output: good.output + good.reasoning })),
  'ends each response with stop': finish(() => 'stop'),
  'takes blocked for stop': finish((reason) => (reason === 'content_filter' ? 'stop' : reason)),
  'takes a cut for stop': finish((reason) => (reason === 'length' ? 'stop' : reason)),
  'doubles texts': parts(ofType('text', (part) => [{ ...part, text: part.text + part.text }])),
  'loses texts': parts(ofType('text', () => [])),
  'loses the end of texts': parts(ofType('text', (part) => [{ ...part, text: part.text.slice(0, -3) }])),
  'loses empty space': parts(ofType('text', (part) => [{ ...part, text: part.text.replaceAll(' ', '') }])),
  'loses reasoning': parts(ofType('reasoning', () => [])),
  'takes reasoning for text': parts(ofType('reasoning', ({ text }) => [{ type: 'text', text }])),
  'takes text for reasoning': parts(ofType('text', ({ text }) => [{ type: 'reasoning', text }])),
  'loses calls': parts(ofType('tool-call', () => [])),
  'loses the ids of calls': parts((part, index) => [
    part.type === 'tool-call' ? { ...part, id: `call_${index}` } : part,
  ]),
  'loses the ids of calls in streams': events((event) => [
    event.type === 'part-start' && event.call !== undefined
      ? { ...event, call: { ...event.call, id: `call_${event.part}` } }
      : event,
  ]),
  'gives calls another name': parts(ofType('tool-call', (part) => [{ ...part, name: 'tool' }])),
  'loses the arguments of calls': parts(ofType('tool-call', (part) => [{ ...part, input: '{}' }])),
  'gives all calls the same arguments': parts(ofType('tool-call', (part) => [{ ...part, input: '{"city":"Paris"}' }])),
  'reads parts in another order': response((good) => ({
    ...good,
    choices: good.choices.map((choice) => ({ ...choice, parts: choice.parts.toReversed() })),
  })),
  'reads another class of errors': errors(
    ({ message, status }) => new GatewayError('upstream_error', message, { status, failure: 'transient' }),
  ),
  'takes a used-up credit for a rate limit': errors((error) =>
    error.failure === 'quota' ? new GatewayError('upstream_rate_limit', error.message) : error,
  ),
  'loses the text of errors': errors(
    ({ code, status, failure }) => new GatewayError(code, 'It failed.', { status, failure }),
  ),
  'loses the model': response(({ model: _model, ...good }) => good),
  'ignores faults of streams': (upstream) => {
    const rest = [{ type: 'choice-end', choice: 0, finish: { reason: 'stop' } }, { type: 'response-end' }] as const;
    let open: number | undefined;
    return [
      withStream(upstream, (event, emit) => {
        if (event.type === 'part-start') open = event.part;
        if (event.type === 'part-end') open = undefined;
        if (event.type !== 'error' || !GatewayError.is(event.error) || event.error.code === 'upstream_truncated')
          return emit(event);
        if (open !== undefined) emit({ type: 'part-end', choice: 0, part: open });
        rest.forEach(emit);
      }),
    ];
  },
};

describe('the laws, in words of a vendor that no other has and in usual ones', () => {
  it('a correct codec satisfies them', async () => {
    for (const { codec, recordings } of codecs)
      expect(await brokenLaws(codecLaws(codec, recordings))).to.deep.equal([]);
  });

  for (const [defect, mutant] of Object.entries(mutants))
    it(`a codec that ${defect} breaks one`, async () => {
      const passed: string[] = [];
      for (const { codec, upstream, recordings } of codecs)
        for (const change of mutant(upstream))
          if (!(await isFound({ ...codec, upstream: { ...upstream, ...change } }, recordings)))
            passed.push(`${codec.wire}: ${Object.keys(change).join()}`);
      expect(passed).to.deep.equal([]);
    });
});
