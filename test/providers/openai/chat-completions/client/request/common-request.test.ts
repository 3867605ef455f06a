import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { array, assert, constant, constantFrom, dictionary, oneof, property, record, string, tuple } from 'fast-check';
import type { JsonObject } from '../../../../../../core/api/index.ts';
import type { InboundRequest } from '../../../../../../core/api/codec.ts';
import { mutate } from '../../../../../../core/testing/laws/mutations.ts';
import { decodeCommon } from '../../../../../../providers/openai/chat-completions/client/request/common-request.ts';
import { decodeFully } from '../../../../../../providers/openai/chat-completions/client/request/request.ts';
import { readCorpus } from '../../harness.ts';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether the short decoder reads the body. It must then agree with the full one, also in members that only symbols
 * name.
 */
const agrees = (body: JsonObject): boolean => {
  const common = decodeCommon(body);
  if (common === undefined) return false;
  const inbound: InboundRequest = { raw: Buffer.from(JSON.stringify(body)), body, headers: {}, query: {} };
  const full = decodeFully(inbound);
  if (!isDeepStrictEqual(common, full)) expect(common, JSON.stringify(body)).to.deep.equal(full);
  expect(isDeepStrictEqual(common, full), JSON.stringify(body)).to.equal(true);
  return true;
};

const plain: JsonObject = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: 'A poem' },
  ],
  max_completion_tokens: 20,
  temperature: 0.5,
  top_p: 0.9,
  user: 'u',
  stream: true,
};

const scalars = [
  null,
  true,
  false,
  0,
  -0,
  1,
  2,
  2.5,
  -1,
  20,
  2 ** 53,
  1e300,
  '',
  'text',
  'auto',
  [],
  {},
  ['x'],
  [null],
];
/** A value that is right for some member, or for none. */
const anyValue = constantFrom<unknown>(...scalars, { include_usage: true });
const anyMessage = oneof(
  { weight: 6, arbitrary: record({ role: constantFrom('user', 'system', 'assistant'), content: string() }) },
  record({
    role: constantFrom<unknown>('user', 'developer', 'tool', 'function', 'root', 1),
    content: oneof(anyValue, constant([{ type: 'text', text: 'x' }])),
  }),
  record({
    role: constant('assistant'),
    content: anyValue,
    refusal: anyValue,
    tool_calls: anyValue,
    name: anyValue,
  }),
);
const members = ['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'user', 'stream', 'stream_options'];
const others = ['n', 'stop', 'seed', 'store', 'tools', 'reasoning_effort', 'best_of', 'Max_Tokens', 'max_new_tokens'];
const anyMember = oneof({ weight: 4, arbitrary: constantFrom(...members) }, constantFrom(...others));
const anyBody = tuple(
  record({ model: constantFrom<unknown>('m', 'm', '', 1), messages: array(anyMessage, { maxLength: 3 }) }),
  dictionary(anyMember, anyValue, { maxKeys: 3 }),
).map(([required, settings]) => ({ ...required, ...settings }));

describe('the short decoder of a chat completions request', () => {
  it('reads a plain request, with either cap', () => {
    const { max_completion_tokens: cap, ...others } = plain;
    expect(agrees(plain)).to.equal(true);
    expect(agrees({ ...others, max_tokens: cap })).to.equal(true);
  });

  it('leaves a request with both caps to the full decoder', () => {
    expect(agrees({ ...plain, max_tokens: 10 })).to.equal(false);
  });

  it('agrees with the full decoder on every recorded request that it reads', function () {
    const bodies = ['openai', 'compat', 'groq', 'mistral', 'deepseek', 'openrouter', 'xai']
      .flatMap((vendor) => [`${vendor}-chat`, `${vendor}-chat-stream`])
      .flatMap((file) => readCorpus(file) ?? [])
      .flatMap(({ request: { body } }) => (isObject(body) ? [body] : []));
    // The recordings are not in a checkout alone.
    if (bodies.length === 0) this.skip();
    expect(bodies.filter(agrees).length).to.be.greaterThan(0);
  });

  it('agrees on a plain request in which one value is another', () => {
    const changed = mutate(plain).flatMap(({ value }) => (isObject(value) ? [value] : []));
    expect(changed.filter(agrees).length).to.be.greaterThan(0);
  });

  it('agrees on any request', () => {
    let read = 0;
    assert(
      property(anyBody, (body) => {
        if (agrees(body)) read += 1;
      }),
      { numRuns: 3_000 },
    );
    expect(read).to.be.greaterThan(0);
  });
});
