import { expect } from 'chai';
import { omitUndefined } from '../../../../../core/api/codec.ts';
import { createProfile } from '../../../../../core/testing/index.ts';
import { decode, inboundOf, native, read, catchError, upstream } from '../exchange.ts';

const item = (index: number | undefined, embedding: unknown) =>
  omitUndefined({
    object: 'embedding',
    index,
    embedding,
  });
const base64 = (...values: readonly number[]): string =>
  Buffer.from(Float32Array.from(values).buffer).toString('base64');
const watch = (body: unknown) => {
  const tap = native(
    inboundOf({ model: 'm', input: 'Hi' }),
    decode({ input: 'Hi' }),
    createProfile('embeddings'),
  )?.tap();
  tap?.inspectBody(body);
  return tap;
};

describe('embeddings: upstream response', () => {
  it('reads numbers or base64, with the model and the usage', () => {
    const body = {
      object: 'list',
      data: [item(0, [1, 0.5])],
      model: 'm-1',
      usage: { prompt_tokens: 5, total_tokens: 5 },
    };
    const { usage, ...rest } = read(body);
    expect(rest).to.deep.equal({ model: 'm-1', vectors: [Float32Array.of(1, 0.5)] });
    expect(usage).to.deep.include({ inputUncached: 5, output: 0, source: 'provider', raw: body.usage });
    expect(read({ data: [item(0, base64(1, 0.5))] })).to.deep.equal({ vectors: [Float32Array.of(1, 0.5)] });
  });

  it('sorts vectors by their indices, and keeps the order without them', () => {
    const places = (...items: readonly object[]) => read({ data: items }).vectors.map(([first]) => first);
    expect(places(item(2, [2]), item(0, [0]), item(1, [1]))).to.deep.equal([0, 1, 2]);
    expect(places(item(undefined, [0]), item(undefined, [1]))).to.deep.equal([0, 1]);
    expect(places(item(0, [0]), item(0, [1]), item(0, [2]))).to.deep.equal([0, 1, 2]);
  });

  it('reads the total when a provider sends nothing else', () => {
    expect(read({ data: [item(0, [1])], usage: { total_tokens: 12 } }).usage?.inputUncached).to.equal(12);
  });

  const unreadable: readonly (readonly [what: string, body: unknown])[] = [
    ['no object in the body', []],
    ['no data', { model: 'm' }],
    ['no vectors', { data: [] }],
    ['an entry that is not an object', { data: [item(0, [1]), null] }],
    ['an entry without a vector', { data: [item(0, null)] }],
    ['an empty vector', { data: [item(0, [])] }],
    ['a text among numbers', { data: [item(0, [1, '2'])] }],
    ['base64 of an odd length', { data: [item(0, Buffer.from([1, 2, 3]).toString('base64'))] }],
    ['a text that is not base64', { data: [item(0, 'not base64 at all')] }],
    ['an empty text', { data: [item(0, '')] }],
    [
      'bytes that are not floats',
      { data: [item(0, Buffer.from([0xf6, 0xc6, 0, 0x03, 0x3c, 0xf2, 0xfe, 0xf7]).toString('base64'))] },
    ],
  ];
  for (const [what, body] of unreadable) {
    it(`rejects a response with ${what}`, () => {
      expect(catchError(() => read(body))).to.include({ code: 'upstream_bad_response', status: 502 });
    });
  }

  it('reads an error inside a 200', () => {
    const body = { error: { message: 'slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' } };
    expect(catchError(() => read(body))).to.include({ code: 'upstream_rate_limit' });
    expect(watch(body)?.observed.error).to.include({ code: 'upstream_rate_limit' });
  });

  it('reads usage and model on the native lane', () => {
    const { usage, ...seen } =
      watch({ data: [item(0, [1])], model: 'm-1', usage: { prompt_tokens: 5, total_tokens: 5 } })?.observed ?? {};
    expect(seen).to.deep.equal({ outputChars: 0, model: 'm-1' });
    expect(usage).to.include({ inputUncached: 5 });
    expect(watch({ model: 'm' })?.observed.error).to.include({ code: 'upstream_bad_response' });
    expect(watch('no')?.observed.error).to.include({ code: 'upstream_bad_response' });
  });

  it('returns errors of chat-completions for embeddings', () => {
    const body = {
      error: {
        message: 'The model `nonexistent` does not exist or you do not have access to it.',
        type: 'invalid_request_error',
        param: null,
        code: 'model_not_found',
      },
    };
    expect(upstream.decodeError({ status: 404, headers: {}, body })).to.include({ failure: 'model-gone', status: 404 });
  });

  it('E48 writes base64 for a native client that requested it, also when the server sends numbers', () => {
    const planOf = (encoding: 'float' | 'base64') =>
      native(
        inboundOf({ model: 'm', input: 'Hi' }),
        decode({ input: 'Hi', encoding_format: encoding }),
        createProfile('embeddings'),
      );
    const numbers = { object: 'list', data: [{ ...item(0, [1, 0.5]), extra: true }], model: 'm-1' };
    expect(planOf('base64')?.addToResponse?.(numbers)).to.deep.equal([
      { member: 'data', value: [{ ...item(0, base64(1, 0.5)), extra: true }] },
    ]);
    expect(planOf('base64')?.addToResponse?.({ data: [item(0, base64(1, 0.5))] })).to.deep.equal([]);
    expect(planOf('float')?.addToResponse).to.equal(undefined);
    expect(catchError(() => planOf('base64')?.addToResponse?.({ data: [item(0, ['1'])] }))).to.include({
      code: 'upstream_bad_response',
    });
  });
});
