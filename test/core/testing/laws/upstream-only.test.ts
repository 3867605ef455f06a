import { expect } from 'chai';
import {
  GatewayError,
  type GenerateRequest,
  type GenerateResponse,
  type Part,
  type Usage,
} from '../../../../core/api/index.ts';
import type { Codec, EmitEvent, EventDecoder, GenerateEvent, UpstreamSide } from '../../../../core/api/codec.ts';
import { codecLaws } from '../../../../core/testing/index.ts';
import { chatCompletionsCodec } from '../../../../providers/openai/chat-completions/index.ts';
import { upstreamRecordings } from '../upstream-recordings.ts';

const { upstream } = chatCompletionsCodec;
if (upstream?.decodeStream === undefined) throw new Error('the codec under test reads streams');
const { decodeStream } = upstream;
const sound: Codec<'generate'> = { operation: 'generate', wire: 'chat-completions', upstream };

const brokenLaws = async (codec: Codec<'generate'>): Promise<string[]> => {
  const broken: string[] = [];
  for (const { name, run } of codecLaws(codec, upstreamRecordings)) {
    try {
      await run();
    } catch {
      broken.push(name);
    }
  }
  return broken;
};

type Change = Partial<UpstreamSide<'generate'>>;
const stream = (spoil: (good: EventDecoder) => Partial<EventDecoder>): Change => ({
  decodeStream: (context) => {
    const good = decodeStream(context);
    return { push: good.push.bind(good), end: good.end.bind(good), ...spoil(good) };
  },
});
/** Each event becomes these events. */
const events = (change: (event: GenerateEvent) => readonly GenerateEvent[]): Change =>
  stream((good) => {
    const through =
      (emit: EmitEvent): EmitEvent =>
      (event) =>
        change(event).forEach(emit);
    return {
      push: (frame, emit) => good.push(frame, through(emit)),
      end: (emit) => good.end(through(emit)),
    };
  });
const response = (change: (good: GenerateResponse) => GenerateResponse): Change => ({
  decodeResponse: (body, context) => change(upstream.decodeResponse(body, context)),
});
const parts = (change: (part: Part) => readonly Part[]): Change =>
  response((good) => ({
    ...good,
    choices: good.choices.map((choice) => ({ ...choice, parts: choice.parts.flatMap(change) })),
  }));
const usage = (change: (usage: Usage) => Usage | undefined): Change =>
  response(({ usage: good, ...rest }) => {
    const changed = good === undefined ? undefined : change(good);
    return changed === undefined ? rest : { ...rest, usage: changed };
  });
const request = (change: (request: GenerateRequest) => GenerateRequest): Change => ({
  encodeRequest: (given, profile, lose) =>
    upstream.encodeRequest(change(JSON.parse(JSON.stringify(given))), profile, lose),
});
const turnParts = (change: (part: Part) => readonly Part[]): Change =>
  request((given) => ({
    ...given,
    turns: given.turns.map((turn) => ({ ...turn, parts: turn.parts.flatMap(change) })),
  }));
const without = (member: keyof GenerateRequest): Change =>
  request(({ [member]: _left, ...rest }) => rest as GenerateRequest);
const errors = (change: (good: GatewayError) => GatewayError): Change => ({
  decodeError: (reply) => change(upstream.decodeError(reply)),
});
const isPart =
  (kind: Part['type']) =>
  (part: Part): readonly Part[] =>
    part.type === kind ? [] : [part];

/** Kinds of parts whose events are dropped, by their numbers. */
const dropKind = (kind: string): Change => {
  const dropped = new Set<number>();
  return events((event) => {
    if (event.type === 'response-start') dropped.clear();
    if (event.type === 'part-start' && event.kind === kind) dropped.add(event.part);
    return 'part' in event && dropped.has(event.part) ? [] : [event];
  });
};
const onDelta = (change: (text: string) => readonly string[]): Change =>
  events((event) => (event.type === 'part-delta' ? change(event.text).map((text) => ({ ...event, text })) : [event]));
const onCall = (change: { readonly id?: string; readonly name?: string }): Change =>
  events((event) =>
    event.type === 'part-start' && event.call !== undefined
      ? [{ ...event, call: { ...event.call, ...change } }]
      : [event],
  );
const onUsage = (change: (usage: Usage) => readonly Usage[]): Change =>
  events((event) =>
    event.type === 'usage' ? change(event.usage).map((changed) => ({ type: 'usage', usage: changed })) : [event],
  );
const swap = ({ inputUncached, output, ...rest }: Usage): Usage => ({
  ...rest,
  inputUncached: output,
  output: inputUncached,
});
const zero = (good: Usage): Usage => ({ ...good, inputUncached: 0, cacheRead: 0, output: 0, reasoning: 0 });

const defects: Readonly<Record<string, Change>> = {
  'reads nothing of a stream': stream(() => ({
    push: () => undefined,
    end: (emit) =>
      [
        { type: 'response-start' } as const,
        { type: 'choice-end', choice: 0, finish: { reason: 'stop' } } as const,
        { type: 'response-end' } as const,
      ].forEach(emit),
  })),
  'reads no frame': stream(() => ({ push: () => undefined })),
  'throws on every frame': stream(() => ({
    push: () => {
      throw new TypeError('no');
    },
  })),
  'never ends a stream': stream(() => ({ end: () => undefined, push: () => undefined })),
  'never emits the end': events((event) => (event.type === 'response-end' ? [] : [event])),
  'ends a stream twice': events((event) => (event.type === 'response-end' ? [event, event] : [event])),
  'ends every stream in an error': events((event) =>
    event.type === 'response-end' ? [{ type: 'error', error: new GatewayError('upstream_error') }] : [event],
  ),
  'doubles the text of a stream': onDelta((text) => [text, text]),
  'drops the text of a stream': dropKind('text'),
  'drops the reasoning of a stream': dropKind('reasoning'),
  'drops the calls of a stream': dropKind('tool-call'),
  'drops empty space in a stream': onDelta((text) => [text.trim()]),
  'drops the first delta': (() => {
    let first = true;
    return events((event) => {
      if (event.type === 'response-start') first = true;
      if (event.type !== 'part-delta' || !first) return [event];
      first = false;
      return [];
    });
  })(),
  'puts everything into one part': events((event) => ('part' in event ? [{ ...event, part: 0 }] : [event])),
  'gives calls another id in a stream': onCall({ id: 'call_x' }),
  'gives calls another name in a stream': onCall({ name: 'tool' }),
  'loses the usage of a stream': onUsage(() => []),
  'reads a usage of zero in a stream': onUsage((good) => [zero(good)]),
  'takes input for output in a stream': onUsage((good) => [swap(good)]),
  'ends every stream with stop': events((event) =>
    event.type === 'choice-end' ? [{ ...event, finish: { reason: 'stop' } }] : [event],
  ),
  'drops the text of a response': parts(isPart('text')),
  'drops the reasoning of a response': parts(isPart('reasoning')),
  'drops the calls of a response': parts(isPart('tool-call')),
  'drops the arguments of calls': parts((part) => [part.type === 'tool-call' ? { ...part, input: '{}' } : part]),
  'gives calls another id': parts((part) => [part.type === 'tool-call' ? { ...part, id: 'call_x' } : part]),
  'gives all calls the same arguments': parts((part) => [
    part.type === 'tool-call' ? { ...part, input: '{"city":"Paris"}' } : part,
  ]),
  'doubles the text of a response': parts((part) => (part.type === 'text' ? [part, part] : [part])),
  'loses the usage': usage(() => undefined),
  'reads a usage of zero': usage(zero),
  'takes input for output': usage(swap),
  'loses cached tokens': usage((good) => ({ ...good, inputUncached: 30, cacheRead: 0 })),
  'loses reasoning tokens': usage((good) => ({ ...good, reasoning: 0 })),
  'ends every response with stop': response((good) => ({
    ...good,
    choices: good.choices.map((choice) => ({ ...choice, finish: { reason: 'stop' } })),
  })),
  'makes every error a 500': errors(() => new GatewayError('upstream_error', 'The provider failed.')),
  'makes every error a fault of the caller': errors(({ message }) => new GatewayError('invalid_request', message)),
  'makes every error a rate limit': errors(({ message }) => new GatewayError('upstream_rate_limit', message)),
  'loses the messages of errors': errors(
    ({ code, status, failure }) => new GatewayError(code, 'It failed.', { status, failure }),
  ),
  'drops the content of a request': turnParts(() => []),
  'drops the system prompt': request((given) => ({
    ...given,
    turns: given.turns.filter(({ role }) => role !== 'system'),
  })),
  'drops images': turnParts(isPart('media')),
  'drops tool results': turnParts(isPart('tool-result')),
  'gives a result the id of another call': turnParts((part) => [
    part.type === 'tool-result' ? { ...part, id: 'call_9' } : part,
  ]),
  'drops the calls of a request': turnParts(isPart('tool-call')),
  'drops tools': request((given) => ({ ...given, tools: [] })),
  'drops the schemas of tools': request((given) => ({
    ...given,
    tools: given.tools.map(({ schema: _schema, ...tool }) => tool),
  })),
  'drops the temperature': without('temperature'),
  'drops the cap of tokens': without('maxTokens'),
  'drops the stop sequences': without('stop'),
};

describe('the laws of a codec without a client side', () => {
  it('a sound codec satisfies every law for upstreams', async () => {
    expect(await brokenLaws(sound)).to.deep.equal([]);
  });
  for (const [defect, change] of Object.entries(defects))
    it(`the laws detect a codec that ${defect}`, async () => {
      expect(await brokenLaws({ ...sound, upstream: { ...upstream, ...change } })).to.not.deep.equal([]);
    });
});
