import { expect } from 'chai';
import {
  GatewayError,
  inputTotal,
  type GenerateResponse,
  type JsonObject,
  type Part,
  type Usage,
} from '../../../../../core/api/index.ts';
import { foldEvents } from '../../../../../core/api/codec.ts';
import { checkEventGrammar, checkUsage } from '../../../../../core/testing/index.ts';
import { readCorpus, readResponse, readSse, type Recording } from '../upstream/harness.ts';
import { eventsOf, readPlain, readPlainStream, summarise } from './plain-answer.ts';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const answersOf = (recordings: readonly Recording[]) =>
  recordings.flatMap(({ id, response: { body } }) => (isObject(body) ? [{ id, body }] : []));
const streamsOf = (recordings: readonly Recording[]) =>
  recordings.flatMap(({ id, response: { sse } }) => (sse === undefined ? [] : [{ id, sse, events: eventsOf(sse) }]));

/** Totals add up as the vendor counts: input includes the cache, output includes reasoning. */
const checkTotals = (usage: Usage | undefined, id: string): void => {
  if (usage === undefined || !isObject(usage.raw)) return;
  expect(checkUsage(usage), id).to.deep.equal([]);
  expect(usage.inputUncached + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h, id).to.equal(
    inputTotal(usage),
  );
  expect(inputTotal(usage), id).to.equal(usage.raw['input_tokens']);
  expect(inputTotal(usage) + usage.output, id).to.equal(usage.raw['total_tokens']);
};

/** The final response has rounded log probabilities. */
const withTokens = (part: Part): unknown =>
  part.type === 'text' && part.logprobs !== undefined
    ? { ...part, logprobs: part.logprobs.map(({ token }) => token) }
    : part;

/** Hosted calls run in parallel and are emitted as they finish, without delaying the text of the model. */
const inOrder = (response: GenerateResponse) => ({
  ...response,
  choices: response.choices.map((choice) => ({
    ...choice,
    parts: [
      ...choice.parts.filter(({ type }) => type !== 'opaque').map(withTokens),
      ...choice.parts
        .filter(({ type }) => type === 'opaque')
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    ],
  })),
});

for (const vendor of ['openai', 'compat']) {
  describe(`recorded ${vendor}-responses`, () => {
    const plain = (context: Mocha.Context) => answersOf(readCorpus(`${vendor}-responses`) ?? context.skip());
    const streamed = (context: Mocha.Context) => streamsOf(readCorpus(`${vendor}-responses-stream`) ?? context.skip());

    it('reads text, reasoning, proofs, calls, citations, finish and usage of plain responses', function () {
      const answers = plain(this);
      for (const { id, body } of answers) {
        const response = readResponse(body);
        expect(summarise(response), id).to.deep.equal(readPlain(body));
        checkTotals(response.usage, id);
      }
      expect(answers).not.to.have.length(0);
    });

    it('reads streams as their final response, or ends in the error they hold', function () {
      const streams = streamed(this);
      for (const { id, sse, events } of streams) {
        const read = readSse(sse);
        expect(checkEventGrammar(read), id).to.deep.equal([]);
        const expected = readPlainStream(events);
        if (expected === undefined) {
          expect(read.at(-1)?.type, id).to.equal('error');
          continue;
        }
        const folded = foldEvents(read);
        expect(summarise(folded), id).to.deep.equal(expected.plain);
        checkTotals(folded.usage, id);
      }
      expect(streams).not.to.have.length(0);
    });

    it('folds a stream to the decoded final response, part by part', function () {
      for (const { id, sse, events } of streamed(this)) {
        const final = readPlainStream(events);
        if (final === undefined) continue;
        const { extra: _rest, ...whole } = readResponse(final.answer);
        expect(inOrder(foldEvents(readSse(sse))), id).to.deep.equal(inOrder(whole));
      }
    });
  });
}

describe('a recorded stream that failed', () => {
  it("E31 a recorded stream that failed ends with the vendor's error, classified by its code", function () {
    const failed = streamsOf(readCorpus('openai-responses-stream') ?? this.skip()).find(({ events }) =>
      events.some(({ type }) => type === 'response.failed'),
    );
    const last = readSse(failed?.sse ?? '').at(-1);
    expect(
      last?.type === 'error' && GatewayError.is(last.error) ? [last.error.code, last.error.failure] : last,
    ).to.deep.equal(['upstream_quota', 'quota']);
  });
});
