import { expect } from 'chai';
import type { GenerateResponse } from '../../../../core/api/index.ts';
import type { ClientSide, Codec, EventDecoder, EventEncoder, UpstreamSide } from '../../../../core/api/codec.ts';
import { codecLaws, comparableResponse } from '../../../../core/testing/index.ts';
import { chatCompletionsCodec } from '../../../../providers/openai/chat-completions/index.ts';
import { writtenRecordings } from '../written-recordings.ts';
import { clientRulesOf } from '../../../providers/frame-rules.ts';

const { client, upstream } = chatCompletionsCodec;
if (client?.encodeStream === undefined || upstream?.decodeStream === undefined)
  throw new Error('the codec under test has both sides');
const { encodeStream } = client;
const { decodeStream } = upstream;

const simplify = (response: GenerateResponse): unknown =>
  comparableResponse({
    ...response,
    choices: response.choices.map((choice) => ({
      ...choice,
      finish: { reason: choice.finish.reason === 'refusal' ? 'content_filter' : choice.finish.reason },
    })),
  });

const brokenLaws = async (codec: Codec<'generate'>): Promise<string[]> => {
  const broken: string[] = [];
  for (const { name, run } of codecLaws(codec, writtenRecordings, { ...clientRulesOf('chat-completions'), simplify })) {
    try {
      await run();
    } catch {
      broken.push(name.replace('chat-completions: ', ''));
    }
  }
  return broken;
};

const withClient = (change: Partial<ClientSide<'generate'>>): Codec<'generate'> => ({
  ...chatCompletionsCodec,
  client: { ...client, ...change },
});
const withUpstream = (change: Partial<UpstreamSide<'generate'>>): Codec<'generate'> => ({
  ...chatCompletionsCodec,
  upstream: { ...upstream, ...change },
});
/** The codec with a broken stream decoder. */
const withDecoder = (spoil: (good: EventDecoder) => Partial<EventDecoder>): Codec<'generate'> =>
  withUpstream({
    decodeStream: (context) => {
      const good = decodeStream(context);
      return { push: good.push.bind(good), end: good.end.bind(good), ...spoil(good) };
    },
  });
const withEncoder = (spoil: (good: EventEncoder) => EventEncoder): Codec<'generate'> =>
  withClient({ encodeStream: (context) => spoil(encodeStream(context)) });

describe('the laws of codecs', () => {
  it('the codec laws pass for a correct codec', async () => {
    expect(await brokenLaws(chatCompletionsCodec)).to.deep.equal([]);
  });
  it('the codec laws ignore recordings of other wires', () => {
    expect(codecLaws(chatCompletionsCodec, writtenRecordings).some(({ name }) => name.includes('foreign'))).to.equal(
      false,
    );
  });

  const defects: readonly (readonly [defect: string, codec: Codec<'generate'>, law: string])[] = [
    [
      'a field that is not read',
      withUpstream({
        encodeRequest: ({ seed: _seed, ...request }, profile, lose) =>
          upstream.encodeRequest({ ...request }, profile, lose),
      }),
      'a round trip preserves the request of plain',
    ],
    [
      'a field that is neither read nor named',
      withUpstream({
        encodeRequest: ({ turns, stream }) => ({
          body: { messages: turns.map(({ role, parts }) => ({ role, content: JSON.stringify(parts) })), stream },
          headers: {},
        }),
      }),
      'reads or names every field of a request with sampling',
    ],
    [
      'members that are forgotten',
      withClient({
        decodeRequest: (inbound) => {
          const accepted = client.decodeRequest(inbound);
          return { ...accepted, request: { ...accepted.request, extra: { wire: 'chat-completions', members: {} } } };
        },
      }),
      'keeps an unknown member in the request of plain',
    ],
    [
      'a text that both sides lose',
      withClient({
        decodeRequest: (inbound) => {
          const accepted = client.decodeRequest(inbound);
          return {
            ...accepted,
            request: { ...accepted.request, turns: accepted.request.turns.filter(({ role }) => role !== 'system') },
          };
        },
      }),
      'keeps every text of the request of plain',
    ],
    [
      'a TypeError on odd input',
      withClient({
        decodeRequest: (inbound) => {
          void (inbound.body as { messages: { role: string }[] }).messages.map(({ role }) => role.trim());
          return client.decodeRequest(inbound);
        },
      }),
      'refuses junk in the request of plain',
    ],
    [
      'usage that is negative',
      withUpstream({
        decodeResponse: (body, context) => ({
          ...upstream.decodeResponse(body, context),
          usage: {
            inputUncached: -1,
            cacheRead: 0,
            cacheWrite5m: 0,
            cacheWrite1h: 0,
            output: 0,
            reasoning: 0,
            source: 'provider',
          },
        }),
      }),
      'decodes the response of plain as expected',
    ],
    [
      'an answer whose body is trusted',
      withUpstream({
        decodeResponse: (body, context) => {
          void (body as { choices: { message: { role: string } }[] }).choices.map(({ message }) => message.role);
          return upstream.decodeResponse(body, context);
        },
      }),
      'refuses junk in the response of plain',
    ],
    [
      'a finish reason that is lost',
      withUpstream({ decodeResponse: (body, context) => ({ ...upstream.decodeResponse(body, context), choices: [] }) }),
      'a round trip preserves a response with text',
    ],
    [
      'two ends',
      withDecoder((good) => ({ end: (emit) => (good.end(emit), emit({ type: 'response-end' })) })),
      'decodes the stream of streamed as expected',
    ],
    ['no end', withDecoder(() => ({ end: () => undefined })), 'reports a truncation of the stream of streamed'],
    [
      'a silent end',
      withDecoder((good) => ({
        end: (emit) => good.end((event) => emit(event.type === 'error' ? { type: 'response-end' } : event)),
      })),
      'reports a truncation of the stream of streamed',
    ],
    [
      'events that depend on chunks',
      withDecoder((good) => {
        let memory: ArrayBufferLike | undefined;
        return {
          push: (frame, emit) =>
            (memory ??= frame.raw?.buffer) === frame.raw?.buffer ? good.push(frame, emit) : undefined,
        };
      }),
      'decodes the stream of streamed as expected',
    ],
    [
      'a throw on broken JSON',
      withDecoder((good) => ({
        push: (frame, emit) => {
          if (frame.data !== '' && frame.data !== '[DONE]') JSON.parse(frame.data);
          good.push(frame, emit);
        },
      })),
      'survives junk in the stream of streamed',
    ],
    [
      'comments that are taken for events',
      withDecoder((good) => ({
        push: (frame, emit) =>
          frame.data === '' ? emit({ type: 'part-delta', choice: 0, part: 0, text: '' }) : good.push(frame, emit),
      })),
      'ignores unknown members and events in the stream of streamed',
    ],
    [
      'life after the end',
      withDecoder((good) => ({
        push: (frame, emit) => (frame.data === '[DONE]' ? emit({ type: 'response-end' }) : good.push(frame, emit)),
      })),
      'reports a truncation of the stream of streamed',
    ],
    [
      'frames without a terminal',
      withEncoder((good) => ({
        push: (event, write) => good.push(event, (name, data) => (data === '[DONE]' ? undefined : write(name, data))),
      })),
      'writes valid frames of a response with text',
    ],
    [
      'errors that are swallowed',
      withEncoder((good) => ({
        push: (event, write) => (event.type === 'error' ? undefined : good.push(event, write)),
      })),
      'writes valid frames of calls that alternate',
    ],
    [
      'a stream that differs from the plain answer',
      withEncoder((good) => ({
        push: (event, write) =>
          good.push(event.type === 'part-delta' ? { ...event, text: `${event.text} ` } : event, write),
      })),
      'a round trip preserves the stream of streamed',
    ],
    [
      'an error of another kind',
      withClient({ encodeError: (error, context) => ({ ...client.encodeError(error, context), status: 500 }) }),
      'reads the error of refused as expected',
    ],
    [
      'an error body that is trusted',
      withUpstream({
        decodeError: (reply) => (
          void (reply.body as { error: { message: string } }).error.message,
          upstream.decodeError(reply)
        ),
      }),
      'reads errors with unexpected bodies',
    ],
  ];
  for (const [defect, codec, law] of defects) {
    it(`the codec laws detect ${defect}`, async () => {
      expect(await brokenLaws(codec)).to.include(law);
    });
  }
});
