import { expect } from 'chai';
import type { GenerateRequest, Tool } from '../../../../../../core/api/index.ts';
import { omitUndefined } from '../../../../../../core/api/codec.ts';
import { encode, foreign, namesOf } from '../exchange.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const named = (...names: readonly string[]): readonly Tool[] =>
  names.map((name) => ({ name, kind: 'function', schema }));
const write = (members: Partial<GenerateRequest>) => encode(foreign(members));
const callingOf = (toolChoice: GenerateRequest['toolChoice']) =>
  (
    write({ tools: named('a', 'b', 'c'), toolChoice }).body['toolConfig'] as
      | { functionCallingConfig?: unknown }
      | undefined
  )?.functionCallingConfig;

describe('generate-content upstream: tools', () => {
  it('puts all functions into one entry, with JSON Schema', () => {
    const { body, losses } = write({
      tools: [
        { name: 'a', kind: 'function', description: 'd', schema, strict: false },
        { name: 'b', kind: 'function', schema: { type: 'object', properties: { k: { const: 1 } } } },
      ],
    });
    expect(body['tools']).to.deep.equal([
      {
        functionDeclarations: [
          { name: 'a', description: 'd', parametersJsonSchema: schema },
          { name: 'b', parametersJsonSchema: { type: 'object', properties: { k: { enum: [1] } } } },
        ],
      },
    ]);
    expect(losses).to.deep.equal([]);
  });

  it('E24: writes no parameters for a function without any', () => {
    for (const empty of [
      undefined,
      {},
      { type: 'object' },
      { type: 'object', properties: {} },
      { type: 'object', properties: {}, required: [], additionalProperties: false },
    ]) {
      const tool: Tool = omitUndefined({ name: 'f', kind: 'function', schema: empty });
      expect(write({ tools: [tool] }).body['tools'], JSON.stringify(empty)).to.deep.equal([
        { functionDeclarations: [{ name: 'f' }] },
      ]);
    }
    for (const full of [
      { type: 'object', additionalProperties: { type: 'string' } },
      { anyOf: [schema] },
      { $ref: '#/$defs/a' },
    ]) {
      expect(
        write({ tools: [{ name: 'f', kind: 'function', schema: full }] }).body['tools'],
        JSON.stringify(full),
      ).to.deep.equal([{ functionDeclarations: [{ name: 'f', parametersJsonSchema: full }] }]);
    }
  });

  it('names what a tool definition loses', () => {
    const { body, losses } = write({
      tools: [
        { name: 'a', kind: 'function', strict: true, cache: { ttl: '5m' }, vendor: { defer_loading: true } },
        { name: 'search', kind: 'hosted', vendor: { type: 'web_search' } },
      ],
    });
    expect(body['tools']).to.deep.equal([{ functionDeclarations: [{ name: 'a' }] }]);
    expect(namesOf(losses)).to.deep.equal([
      'dropped tools[0].strict',
      'dropped tools[0].cache',
      'dropped tools[0].defer_loading',
      'dropped tools[1]',
    ]);
  });

  it('E22: restricts the choice by name and keeps all declarations', () => {
    expect(callingOf({ mode: 'required', only: ['a'] })).to.deep.equal({ mode: 'ANY', allowedFunctionNames: ['a'] });
    expect(callingOf({ mode: 'auto', only: ['a', 'b'] })).to.deep.equal({
      mode: 'VALIDATED',
      allowedFunctionNames: ['a', 'b'],
    });
    expect(
      write({ tools: named('a', 'b', 'c'), toolChoice: { mode: 'required', only: ['a'] } }).body['tools'],
    ).to.deep.equal([
      { functionDeclarations: ['a', 'b', 'c'].map((name) => ({ name, parametersJsonSchema: schema })) },
    ]);
  });

  it('writes each tool choice in the terms of the wire', () => {
    expect(callingOf(undefined)).to.equal(undefined);
    expect(callingOf({ mode: 'auto' })).to.deep.equal({ mode: 'AUTO' });
    expect(callingOf({ mode: 'required' })).to.deep.equal({ mode: 'ANY' });
    expect(callingOf({ mode: 'none', only: ['a'] })).to.deep.equal({ mode: 'NONE' });
  });

  it('drops a tool choice without tools', () => {
    const { body, losses } = write({ toolChoice: { mode: 'auto' } });
    expect(body).to.not.have.any.keys('tools', 'toolConfig');
    expect(namesOf(losses)).to.deep.equal(['dropped tool_choice']);
  });
});
