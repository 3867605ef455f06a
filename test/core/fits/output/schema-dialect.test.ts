import { expect } from 'chai';
import type { JsonObject, Tool } from '../../../../core/api/index.ts';
import { omitUndefined } from '../../../../core/api/codec.ts';
import { jsonOutputFit } from '../../../../core/fits/output/json-output.ts';
import { schemaDialectFit } from '../../../../core/fits/output/schema-dialect.ts';
import { traits as cohereTraits } from '../../../../providers/cohere/chat/shape.ts';
import { traits as converseTraits } from '../../../../providers/bedrock/converse/traits.ts';
import { createProfile, createRequest, runFit } from '../samples.ts';

const upstreamOnly = new Map([
  ['cohere-chat', cohereTraits],
  ['bedrock-converse', converseTraits],
]);
const profileOf = (wire: string) => {
  const traits = upstreamOnly.get(wire);
  return createProfile({}, { wire, ...(traits === undefined ? {} : { traits }) });
};

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const text = { type: 'string' };

const runOutput = (schema: JsonObject, wire: string, strict?: boolean, client = 'chat-completions') => {
  const request = createRequest({ wire: client, output: omitUndefined({ type: 'schema' as const, schema, strict }) });
  const { request: fitted, losses } = runFit(schemaDialectFit, request, profileOf(wire));
  const { output } = fitted;
  return { output, schema: output?.type === 'schema' ? output.schema : undefined, losses };
};
const runTool = (schema: JsonObject, wire: string, strict?: boolean, client = 'generate-content') => {
  const tool = omitUndefined<Tool>({ name: 'find', kind: 'function', schema, strict });
  const request = createRequest({ wire: client, tools: [tool] });
  const { request: fitted, losses } = runFit(schemaDialectFit, request, profileOf(wire));
  return { tool: fitted.tools[0], losses };
};
const withAge = (age: JsonObject): JsonObject => object({ age });

/** A keyword that the vendor of a wire refuses, in a property. */
const moves: readonly (readonly [wire: string, given: JsonObject, sent: JsonObject])[] = [
  ['messages', { type: 'integer', minimum: 1 }, { type: 'integer', description: '(minimum: 1)' }],
  ['messages', { type: 'number', multipleOf: 0.5 }, { type: 'number', description: '(multipleOf: 0.5)' }],
  ['messages', { ...text, minLength: 2, description: 'Age.' }, { ...text, description: 'Age. (minLength: 2)' }],
  [
    'messages',
    { type: 'array', items: text, maxItems: 3 },
    { type: 'array', items: text, description: '(maxItems: 3)' },
  ],
  ['messages', { type: 'array', minItems: 2 }, { type: 'array', description: '(minItems: 2)' }],
  ['messages', { type: 'array', uniqueItems: true }, { type: 'array', description: '(uniqueItems: true)' }],
  ['messages', { ...text, format: 'regex' }, { ...text, description: '(format: "regex")' }],
  ['messages', { ...text, pattern: '^(?=a)' }, { ...text, description: '(pattern: "^(?=a)")' }],
  ['messages', { oneOf: [text, { type: 'null' }] }, { anyOf: [text, { type: 'null' }] }],
  ['messages', { type: 'object', additionalProperties: true }, { type: 'object', additionalProperties: false }],
  ['messages', { type: 'object' }, { type: 'object', additionalProperties: false }],
  ['bedrock-converse', { type: 'integer', maximum: 9 }, { type: 'integer', description: '(maximum: 9)' }],
  ['generate-content', { ...text, maxLength: 9 }, { ...text, description: '(maxLength: 9)' }],
  ['generate-content', { not: text }, { description: '(not: {"type":"string"})' }],
  ['generate-content', { $ref: '#/$defs/a', description: 'An age.' }, { $ref: '#/$defs/a' }],
  [
    'cohere-chat',
    { type: 'array', items: text, minItems: 1 },
    { type: 'array', items: text, description: '(minItems: 1)' },
  ],
  ['cohere-chat', { ...text, pattern: '^a$' }, { ...text, description: '(pattern: "^a$")' }],
  ['cohere-chat', { ...text, format: 'email' }, { ...text, description: '(format: "email")' }],
];

/** Keywords that the vendor of a wire accepts. */
const kept: readonly (readonly [wire: string, given: JsonObject])[] = [
  ['messages', { ...text, format: 'date-time' }],
  ['messages', { ...text, pattern: '^[a-z]+$' }],
  ['messages', { type: 'array', items: text, minItems: 1 }],
  ['messages', { allOf: [text], enum: ['a'], default: 'a', const: 'a' }],
  ['generate-content', { type: 'integer', minimum: 1, maximum: 2 }],
  ['chat-completions', { type: 'integer', minimum: 1 }],
  ['ollama-chat', { ...text, minLength: 1 }],
];

describe('schema-dialect fit', () => {
  for (const [wire, given, sent] of moves)
    it(`a format for ${wire} has ${JSON.stringify(sent)} in place of ${JSON.stringify(given)}`, () => {
      const { schema, losses } = runOutput(withAge(given), wire);
      expect(schema).to.deep.equal(withAge(sent));
      expect(losses.map(({ field, kind }) => `${field} ${kind}`)).to.deep.equal(['response_format approximated']);
    });

  for (const [wire, given] of kept)
    it(`a format for ${wire} keeps ${JSON.stringify(given)}`, () => {
      const { schema, losses } = runOutput(withAge(given), wire, true, 'generate-content');
      if (wire !== 'generate-content') expect(losses).to.deep.equal([]);
      expect(schema).to.deep.equal(withAge(given));
    });

  it('only strict tools have the dialect of formats', () => {
    const schema = withAge({ type: 'integer', minimum: 1 });
    expect(runTool(schema, 'messages').tool?.schema).to.deep.equal(schema);
    const { tool, losses } = runTool(schema, 'messages', true);
    expect(tool?.schema).to.deep.equal(withAge({ type: 'integer', description: '(minimum: 1)' }));
    expect(losses).to.have.length(1);
  });

  it('alternatives at the top of a tool become its properties', () => {
    const { tool, losses } = runTool(
      {
        type: 'object',
        properties: { id: text },
        required: ['id'],
        anyOf: [{ properties: { yaml: text }, required: ['yaml'] }, { properties: { dir: text } }],
        allOf: [{ properties: { all: text }, required: ['all'] }],
      },
      'messages',
    );
    expect(tool?.schema).to.deep.include({
      type: 'object',
      properties: { yaml: text, dir: text, all: text, id: text },
      required: ['id', 'all'],
    });
    expect(tool?.schema).to.not.have.any.keys('anyOf', 'allOf');
    expect(losses.map(({ field }) => field)).to.deep.equal(['tools']);
  });

  it('a strict tool that the vendor cannot enforce is sent without strict', () => {
    const open = { type: 'object', properties: { a: text, b: text }, required: ['a'], additionalProperties: false };
    const tree = object(
      { next: { $ref: '#/$defs/node' } },
      { $defs: { node: object({ next: { $ref: '#/$defs/node' } }) } },
    );
    const map = object({ headers: { type: 'object', additionalProperties: text } });
    for (const [schema, wire] of [
      [open, 'chat-completions'],
      [tree, 'messages'],
      [map, 'messages'],
      [map, 'bedrock-converse'],
    ] as const) {
      const { tool, losses } = runTool(schema, wire, true);
      expect(tool, wire).to.deep.equal({ name: 'find', kind: 'function', schema, strict: false });
      expect(losses, wire).to.have.length(1);
    }
  });

  it('a strict format that strict mode refuses is sent without strict', () => {
    const { output } = runOutput(
      object({ a: text, b: text }, { required: ['a'] }),
      'chat-completions',
      true,
      'messages',
    );
    expect(output).to.have.property('strict', false);
  });

  it('a format that the vendor cannot enforce becomes a hidden tool', () => {
    const schema = object({ headers: { type: 'object', additionalProperties: text } });
    const request = createRequest({ output: { type: 'schema', schema } });
    const { request: fitted, losses } = runFit(jsonOutputFit, request, createProfile({}, { wire: 'messages' }));
    expect([fitted.output, fitted.tools[0]?.schema]).to.deep.equal([undefined, schema]);
    expect(losses).to.have.length(1);
  });

  it('a client of the wire keeps its schema', () => {
    const { schema, losses } = runOutput(withAge({ type: 'integer', minimum: 1 }), 'messages', undefined, 'messages');
    expect([schema, losses]).to.deep.equal([withAge({ type: 'integer', minimum: 1 }), []]);
  });
});
