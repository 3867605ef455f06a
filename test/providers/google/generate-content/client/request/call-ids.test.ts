import { expect } from 'chai';
import type { Part, Turn } from '../../../../../../core/api/index.ts';
import { omitUndefined } from '../../../../../../core/api/codec.ts';
import { isLinear } from '../../../../../support/time/growth.ts';
import { decodeContents } from '../harness.ts';

const call = (name: string, args: object = {}, id?: string) => ({
  functionCall: omitUndefined({ id, name, args }),
});
const result = (name: string, output: unknown, id?: string) => ({
  functionResponse: omitUndefined({ id, name, response: { output } }),
});
const exchange = (calls: readonly object[], results: readonly object[]): readonly Turn[] =>
  decodeContents(
    { role: 'user', parts: [{ text: 'q' }] },
    { role: 'model', parts: calls },
    { role: 'user', parts: results },
  ).turns;

/** Each result as the input of the call that it answers, and its text. */
const pairs = (turns: readonly Turn[]): unknown[] => {
  const parts = turns.flatMap((turn): readonly Part[] => turn.parts);
  return parts.flatMap((part) => {
    if (part.type !== 'tool-result') return [];
    const asked = parts.filter((other) => other.type === 'tool-call' && other.id === part.id);
    return [
      [
        ...asked.map((other) => (other.type === 'tool-call' ? other.input : '')),
        part.parts.map((inner) => (inner.type === 'text' ? inner.text : inner.type)).join(),
      ],
    ];
  });
};
const readResult = (response: object | undefined): Part | undefined =>
  decodeContents({ parts: [{ functionResponse: { name: 'f', response } }] }).turns[0]?.parts[0];

describe('generate-content client: calls and results', () => {
  it('E2 derives the same ids for calls each time, and pairs results without ids in the order of the calls', () => {
    const turns = exchange(
      [call('f', { a: 1 }), call('g', { b: 1 }), call('f', { a: 2 })],
      [result('g', 'r2'), result('f', 'r1'), result('f', 'r3')],
    );
    expect(turns[1]?.parts.map((part) => (part.type === 'tool-call' ? part.id : ''))).to.deep.equal([
      'call_1_0',
      'call_1_1',
      'call_1_2',
    ]);
    expect(pairs(turns)).to.deep.equal([
      ['{"b":1}', 'r2'],
      ['{"a":1}', 'r1'],
      ['{"a":2}', 'r3'],
    ]);
  });

  it('pairs two calls of one function by their ids when the results come in reverse order', () => {
    expect(
      pairs(
        exchange(
          [call('f', { a: 1 }, 'x'), call('f', { a: 2 }, 'y')],
          [result('f', 'second', 'y'), result('f', 'first', 'x')],
        ),
      ),
    ).to.deep.equal([
      ['{"a":2}', 'second'],
      ['{"a":1}', 'first'],
    ]);
  });

  it('E3 pairs calls whose ids the client rewrote, on both sides or on one', () => {
    const both = exchange([call('f', { a: 1 }, 'f__call_9')], [result('f', 'r', 'f__call_9')]);
    expect(pairs(both)).to.deep.equal([['{"a":1}', 'r']]);
    expect(both[1]?.parts[0]).to.deep.include({ id: 'f__call_9' });
    const one = exchange(
      [call('f', { a: 1 }, 'call_9'), call('f', { a: 2 }, 'call_10')],
      [result('f', 'r2', 'f__call_10'), result('f', 'r1', 'f__call_9')],
    );
    expect(pairs(one)).to.deep.equal([
      ['{"a":2}', 'r2'],
      ['{"a":1}', 'r1'],
    ]);
  });

  it('pairs results whose ids the client invented for calls without one', () => {
    expect(
      pairs(
        exchange(
          [call('f', { a: 1 }), call('f', { a: 2 })],
          [result('f', 'r1', 'synth_1'), result('f', 'r2', 'synth_2')],
        ),
      ),
    ).to.deep.equal([
      ['{"a":1}', 'r1'],
      ['{"a":2}', 'r2'],
    ]);
  });

  it('pairs results in several contents, only with the latest turn of calls', () => {
    const { turns } = decodeContents(
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: [call('f', { a: 1 })] },
      { role: 'user', parts: [result('f', 'r1')] },
      { role: 'model', parts: [call('f', { a: 2 })] },
      { role: 'model', parts: [call('f', { a: 3 })] },
      { role: 'user', parts: [result('f', 'r2')] },
      { role: 'function', parts: [result('f', 'r3')] },
    );
    expect(pairs(turns)).to.deep.equal([
      ['{"a":1}', 'r1'],
      ['{"a":2}', 'r2'],
      ['{"a":3}', 'r3'],
    ]);
  });

  it('keeps the id of a result without a call, or derives one', () => {
    expect(pairs(exchange([call('f', {}, 'x')], [result('f', 'r', 'other'), result('g', 's')]))).to.deep.equal([
      ['r'],
      ['s'],
    ]);
    const [, , turn] = exchange([call('f', {}, 'x')], [result('f', 'r', 'other'), result('g', 's')]);
    expect(turn?.parts.map((part) => (part.type === 'tool-result' ? part.id : ''))).to.deep.equal([
      'other',
      'result_2_1',
    ]);
  });

  it('E14 reads function output: text unchanged, other values as JSON, an object without `output` whole', () => {
    const textOf = (response: object | undefined) => {
      const part = readResult(response);
      return part?.type === 'tool-result' ? part.parts : undefined;
    };
    expect(textOf({ output: 'sun' })).to.deep.equal([{ type: 'text', text: 'sun' }]);
    expect(textOf({ output: 42 })).to.deep.equal([{ type: 'text', text: '42' }]);
    expect(textOf({ output: { a: [1] } })).to.deep.equal([{ type: 'text', text: '{"a":[1]}' }]);
    expect(textOf({ output: '{"$ref":1}' })).to.deep.equal([{ type: 'text', text: '{"$ref":1}' }]);
    expect(textOf({ result: 'sun' })).to.deep.equal([{ type: 'text', text: '{"result":"sun"}' }]);
    expect(textOf({ output: 'sun', more: 1 })).to.deep.equal([{ type: 'text', text: '{"output":"sun","more":1}' }]);
    expect(textOf({ output: '' })).to.deep.equal([]);
    expect(textOf(undefined)).to.deep.equal([{ type: 'text', text: '{}' }]);
  });

  it('E13 reads the failure of a function', () => {
    expect(readResult({ error: 'ENOENT' })).to.deep.include({
      failed: true,
      parts: [{ type: 'text', text: 'ENOENT' }],
    });
    expect(readResult({ error: { code: 1 } })).to.deep.include({
      failed: true,
      parts: [{ type: 'text', text: '{"code":1}' }],
    });
    expect(readResult({ error: 'late', output: 'partly' })).to.deep.include({ failed: false });
    expect(readResult({ error: null })).to.deep.include({ failed: false });
  });

  it('pairs any number of calls in one turn in linear time', async () => {
    const noIds = [() => call('f'), () => result('f', 1)] as const;
    const turned = [
      (index: number) => call('f', {}, `i${index}`),
      (index: number, size: number) => result('f', 1, `i${size - 1 - index}`),
    ] as const;
    const strangers = [turned[0], (index: number) => result('g', 1, `z${index}`)] as const;
    for (const turns of [noIds, turned, strangers]) {
      const prepare = (size: number) =>
        turns.map((make) => Array.from({ length: size }, (_each, index) => make(index, size)));
      expect(await isLinear(4_000, prepare, ([calls = [], results = []]) => exchange(calls, results))).to.equal(true);
    }
  });

  it('reads media of a result as well as its text', () => {
    const inlineData = { mimeType: 'image/png', data: 'AAAA' };
    const [turn] = decodeContents({
      parts: [
        {
          functionResponse: {
            id: 'x',
            name: 'f',
            response: { output: 'see' },
            parts: [{ inlineData }],
            scheduling: 'SILENT',
          },
        },
      ],
    }).turns;
    expect(turn?.parts).to.deep.equal([
      {
        type: 'tool-result',
        id: 'x',
        name: 'f',
        failed: false,
        parts: [
          { type: 'text', text: 'see' },
          { type: 'media', media: { mediaType: 'image/png', base64: 'AAAA' } },
        ],
      },
    ]);
    expect(turn?.extra?.members).to.deep.equal({ 'parts[0].functionResponse.scheduling': 'SILENT' });
  });
});
