import { expect } from 'chai';
import { GatewayError, type GenerateRequest, type Part } from '../../../../core/api/index.ts';
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

const onDelta = (change: (text: string) => readonly string[]): Change =>
  events((event) => (event.type === 'part-delta' ? change(event.text).map((text) => ({ ...event, text })) : [event]));

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
  'makes every error a 500': errors(() => new GatewayError('upstream_error', 'The provider failed.')),
  'makes every error a fault of the caller': errors(({ message }) => new GatewayError('invalid_request', message)),
  'makes every error a rate limit': errors(({ message }) => new GatewayError('upstream_rate_limit', message)),
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
