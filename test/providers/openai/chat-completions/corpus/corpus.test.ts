import { expect } from 'chai';
import OpenAI from 'openai';
import type { JsonObject } from '../../../../../core/api/index.ts';
import { foldEvents, type GenerateEvent } from '../../../../../core/api/codec.ts';
import {
  decodeBody,
  decode,
  encode,
  readCorpus,
  readResponse,
  readSse,
  respond,
  writeSse,
  type Recording,
} from '../harness.ts';
import { readPlain, summarise } from './plain-answer.ts';
import { plainRequest } from './plain-request.ts';

const vendors = ['openai', 'compat', 'groq', 'mistral', 'deepseek', 'openrouter', 'xai'] as const;
const files = vendors.flatMap((vendor) => [`${vendor}-chat`, `${vendor}-chat-stream`]);
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const requestsOf = (recordings: readonly Recording[]) =>
  recordings.flatMap(({ id, request: { body } }) =>
    isObject(body) && typeof body['model'] === 'string' ? [{ id, body }] : [],
  );
/** The chunks of a recorded stream, read without the codec or the framing. */
const chunksOf = (stream: string): readonly JsonObject[] =>
  stream
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice(5)) as JsonObject);
const streamsOf = (recordings: readonly Recording[]) =>
  recordings.flatMap(({ id, provider, response: { sse } }) =>
    sse === undefined
      ? []
      : [{ id, sse, chunks: chunksOf(sse), events: readSse(sse, { omitsFinish: provider === 'snowflake' }) }],
  );
const isError = (event: GenerateEvent) => event.type === 'error';

/** Tool messages with images are written otherwise, because the wire does not allow them. */
const movesImages = (losses: readonly { readonly kind: string; readonly field: string }[]) =>
  losses.some(({ kind, field }) => kind === 'approximated' && field.endsWith('.content'));

for (const file of files) {
  describe(`recorded ${file}`, () => {
    const load = (context: Mocha.Context): readonly Recording[] => readCorpus(file) ?? context.skip();

    it('reads requests and writes them back with the same meaning', function () {
      for (const { id, body } of requestsOf(load(this))) {
        const { body: again, losses } = encode(decodeBody(body).request);
        expect(again['model'], id).to.equal('m-1');
        if (!movesImages(losses)) expect(plainRequest(again), id).to.deep.equal(plainRequest(body));
      }
    });

    it('reads the requests that it wrote as they were', function () {
      for (const { id, body } of requestsOf(load(this))) {
        const first = encode(decodeBody(body).request).body;
        expect(encode(decodeBody({ ...first, model: 'm-1' }).request).body, id).to.deep.equal(first);
      }
    });

    it('reads the recorded text, reasoning, calls, finish and usage of plain responses', function () {
      for (const { id, response } of load(this)) {
        if (response.sse === undefined && isObject(response.body))
          expect(summarise(readResponse(response.body)), id).to.deep.equal(readPlain([response.body]));
      }
    });

    it('writes plain responses back with the same meaning', function () {
      for (const { id, response } of load(this)) {
        if (response.sse !== undefined || !isObject(response.body)) continue;
        const { body, losses } = respond(readResponse(response.body));
        expect(summarise(readResponse(body)), id).to.deep.equal(summarise(readResponse(response.body)));
        expect(
          losses.filter(({ field }) => !field.endsWith('.content')),
          id,
        ).to.deep.equal([]);
      }
    });

    it('reads streams as the sum of their chunks, or ends in the error they hold', function () {
      for (const { id, chunks, events } of streamsOf(load(this))) {
        const failed = chunks.some((chunk) => isObject(chunk['error']));
        expect(
          events.filter((event) => isError(event) || event.type === 'response-end'),
          id,
        ).to.have.length(1);
        expect(events.some(isError), id).to.equal(failed);
        if (!failed) expect(summarise(foldEvents(events)), id).to.deep.equal(readPlain(chunks));
      }
    });

    it('writes streams that the official SDK accumulates to the same response', async function () {
      for (const { id, chunks, events } of streamsOf(load(this))) {
        if (events.some(isError)) continue;
        const bytes = writeSse(events, decode({ stream: true, stream_options: { include_usage: true } }));
        const sdk = new OpenAI({
          apiKey: 'k',
          fetch: async () => new Response(bytes, { headers: { 'content-type': 'text/event-stream' } }),
        });
        const completion = await sdk.chat.completions.stream({ model: 'm', messages: [] }).finalChatCompletion();
        const expected = readPlain(chunks);
        const seen = completion.choices.map(({ message, finish_reason: finish }) => ({
          text: message.content ?? '',
          calls: (message.tool_calls ?? []).map((call) =>
            'function' in call ? [call.function.name, JSON.parse(call.function.arguments) as unknown] : [],
          ),
          finish,
        }));
        expect(seen, id).to.deep.equal(
          expected.choices.map(({ text, calls, finish }) => ({
            text,
            calls,
            finish: finish === 'refusal' ? 'stop' : finish,
          })),
        );
        expect(completion.usage?.completion_tokens, id).to.equal(expected.usage?.output);
      }
    });
  });
}
