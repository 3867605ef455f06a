import { expect } from 'chai';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../../../core/api/index.ts';
import { foldEvents, type GenerateEvent } from '../../../../../core/api/codec.ts';
import { checkEventGrammar, checkUsage } from '../../../../../core/testing/index.ts';
import { createTap } from '../../../../../providers/google/generate-content/upstream/response/tap.ts';
import {
  arrayOf,
  decodeBody,
  encode,
  native,
  profile,
  readArray,
  readBytes,
  readCorpus,
  readResponse,
  type Recording,
} from '../upstream/exchange.ts';
import { readPlainly, summarise } from './plain-response.ts';
import { plainRequest } from './plain-request.ts';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** The chunks of a recorded stream, read without the codec or the framing. */
const chunksOf = (stream: string): readonly JsonObject[] =>
  stream
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)) as JsonObject);
const isError = (event: GenerateEvent) => event.type === 'error';
const load = (context: Mocha.Context, file: string): readonly Recording[] => readCorpus(file) ?? context.skip();

const requestsOf = (context: Mocha.Context) =>
  ['gemini-generate', 'gemini-stream']
    .flatMap((file) => load(context, file))
    .flatMap(({ id, request: { body } }) => (isObject(body) && 'contents' in body ? [{ id, body }] : []));
const streamsOf = (context: Mocha.Context) =>
  load(context, 'gemini-stream').flatMap(({ id, response: { sse } }) =>
    sse === undefined ? [] : [{ id, sse, chunks: chunksOf(sse) }],
  );
/** The one recorded answer in which the model called what was not declared. */
const isUnexpected = (body: unknown): boolean => JSON.stringify(body).includes('"UNEXPECTED_TOOL_CALL"');

describe('recorded requests of generate-content', () => {
  it('recorded requests keep their meaning when they are read and written', function () {
    for (const { id, body } of requestsOf(this)) {
      const { body: again, losses } = encode(decodeBody(body));
      expect(losses, id).to.deep.equal([]);
      expect(plainRequest(again), id).to.deep.equal(plainRequest(body));
    }
  });

  it('recorded requests are written as they were read', function () {
    for (const { id, body } of requestsOf(this)) {
      const first = encode(decodeBody(body)).body;
      expect(encode(decodeBody(first)).body, id).to.deep.equal(first);
    }
  });

  it('recorded requests are sent to their vendor unchanged', function () {
    for (const { id, body } of requestsOf(this)) {
      const plan = native(
        { raw: Buffer.from(JSON.stringify(body)), body, headers: {}, query: {} },
        decodeBody(body),
        profile,
      );
      expect(
        plan?.edits.filter(({ member }) => member !== 'model'),
        id,
      ).to.deep.equal([]);
    }
  });
});

describe('recorded responses of generate-content', () => {
  it('recorded responses have the recorded text, thoughts, calls, signatures, media, sources, finish and usage', function () {
    const answers = load(this, 'gemini-generate');
    expect(answers.length).to.be.greaterThan(90);
    for (const { id, response } of answers) {
      const answer = readResponse(response.body);
      expect(summarise(answer), id).to.deep.equal(readPlainly([response.body].flat() as JsonObject[]));
      if (answer.usage !== undefined) expect(checkUsage(answer.usage), id).to.deep.equal([]);
    }
  });

  it('E35: recorded responses are responses even if the model called an undeclared function', function () {
    const unexpected = load(this, 'gemini-generate').find(({ response: { body } }) => isUnexpected(body));
    expect(readResponse(unexpected?.response.body).choices[0]?.finish).to.deep.equal({
      reason: 'tool_calls',
      vendor: 'UNEXPECTED_TOOL_CALL',
    });
  });

  it('the tap and the decoder read recorded responses in the same way', function () {
    for (const { id, response } of load(this, 'gemini-generate')) {
      if (!isObject(response.body)) continue;
      const tap = createTap();
      tap.inspectBody(response.body);
      const { usage, model, choices } = readResponse(response.body);
      expect([tap.observed.error, tap.observed.usage, tap.observed.model, tap.observed.finish], id).to.deep.equal([
        undefined,
        usage,
        model,
        choices[0]?.finish,
      ]);
    }
  });
});

describe('recorded streams of generate-content', () => {
  it('recorded streams add up to the sum of their chunks', function () {
    for (const { id, sse, chunks } of streamsOf(this)) {
      const events = readBytes(Buffer.from(sse));
      expect(events.some(isError), id).to.equal(false);
      expect(checkEventGrammar([...events]), id).to.deep.equal([]);
      expect(summarise(foldEvents(events)), id).to.deep.equal(readPlainly(chunks));
      for (const event of events) if (event.type === 'usage') expect(checkUsage(event.usage), id).to.deep.equal([]);
    }
  });

  it('recorded streams decode to the same events as one JSON array', function () {
    for (const { id, sse, chunks } of streamsOf(this)) {
      expect(readArray(arrayOf(...chunks)), id).to.deep.equal(readBytes(Buffer.from(sse)));
    }
  });

  it('recorded streams fold to the same response when read as one array', function () {
    for (const { id, sse, chunks } of streamsOf(this)) {
      const { extra: _rest, choices, ...whole } = readResponse(chunks);
      const folded = foldEvents(readBytes(Buffer.from(sse)));
      expect({ ...whole, choices: choices.map(({ extra: _members, ...choice }) => choice) }, id).to.deep.equal(folded);
    }
  });

  it('E39: recorded streams decode to the same events wherever the bytes are cut', function () {
    const streams = streamsOf(this).filter((_stream, index) => index % 6 === 0);
    for (const { id, sse, chunks } of streams) {
      const bytes = Buffer.from(sse);
      const array = arrayOf(...chunks);
      const whole = readBytes(bytes);
      const cutting = fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        expect(readBytes(bytes, { cuts }), id).to.deep.equal(whole);
        expect(
          readArray(
            array,
            cuts.map((cut) => Math.min(cut, array.length)),
          ),
          id,
        ).to.deep.equal(whole);
      });
      fc.assert(cutting, { numRuns: 12 });
    }
  });

  it('the tap and the decoder read recorded streams in the same way', function () {
    for (const { id, sse, chunks } of streamsOf(this)) {
      const tap = createTap();
      const verdicts = new Set(
        chunks.map((chunk) => tap.inspectFrame({ event: undefined, data: JSON.stringify(chunk) })),
      );
      const { usage, model, choices } = foldEvents(readBytes(Buffer.from(sse)));
      expect(tap.end(), id).to.equal(undefined);
      expect(verdicts.has('error'), id).to.equal(false);
      expect(verdicts.has('content'), id).to.equal(choices.some(({ parts }) => parts.length > 0));
      expect([tap.observed.usage, tap.observed.model, tap.observed.finish?.reason], id).to.deep.equal([
        usage,
        model,
        choices[0]?.finish.reason,
      ]);
    }
  });
});
