import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../core/api/index.ts';
import { sampleSchema } from '../../../providers/simulator/answer/sample.ts';
import { request } from './canonical-wire.ts';
import { call, createSimulator, textOf } from './simulate.ts';

const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const schemas: Readonly<Record<string, JsonObject>> = {
  'required and optional members': object(
    { city: { type: 'string' }, days: { type: 'integer' }, note: { type: 'string' } },
    ['city', 'days'],
  ),
  'every type': object({
    a: { type: 'string' },
    b: { type: 'number' },
    c: { type: 'integer' },
    d: { type: 'boolean' },
    e: { type: 'null' },
    f: { type: 'array', items: { type: 'string' } },
    g: object({ h: { type: 'string' } }),
  }),
  'constants and enumerations': object({ a: { const: 7 }, b: { enum: ['x', 'y'] }, c: { const: null } }),
  'bounds of numbers': object({
    a: { type: 'integer', minimum: 5 },
    b: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    c: { type: 'integer', maximum: -3 },
    d: { type: 'integer', multipleOf: 7 },
    e: { type: 'integer', minimum: 10, maximum: 20, multipleOf: 4 },
    f: { type: 'integer', exclusiveMinimum: 1 },
  }),
  'lengths of strings': object({
    a: { type: 'string', minLength: 9 },
    b: { type: 'string', maxLength: 2 },
    c: { type: 'string', minLength: 0, maxLength: 0 },
  }),
  'sizes of arrays': object({
    a: { type: 'array', items: { type: 'string' }, minItems: 3 },
    b: { type: 'array', items: { type: 'string' }, maxItems: 0 },
  }),
  'sets': object({
    a: { type: 'array', uniqueItems: true, minItems: 3, items: { type: 'string' } },
    b: { type: 'array', uniqueItems: true, minItems: 3, items: { type: 'integer', minimum: 4 } },
    c: { type: 'array', uniqueItems: true, minItems: 2, items: { type: 'boolean' } },
    d: { type: 'array', uniqueItems: true, minItems: 2, items: object({ name: { enum: ['x', 'y', 'z'] } }) },
  }),
  'least members of an object': {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'integer' } },
    minProperties: 1,
  },
  'members without a schema': {
    type: 'object',
    required: ['a', 'b'],
    properties: { a: {} },
    additionalProperties: { type: 'integer' },
  },
  'nullable types': object({ a: { type: ['null', 'integer'] }, b: { anyOf: [{ type: 'null' }, { type: 'string' }] } }),
  'alternatives with members of their own': {
    type: 'object',
    properties: { kind: { type: 'string' } },
    required: ['kind'],
    oneOf: [{ properties: { kind: { const: 'a' }, x: { type: 'integer' } }, required: ['x'] }],
  },
  'schemas in common': {
    allOf: [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { properties: { b: { type: 'integer' } }, required: ['b'] },
    ],
  },
  'references': {
    ...object({ home: { $ref: '#/$defs/address' }, odd: { $ref: '#/$defs/a~1b%20c' } }),
    $defs: { 'address': object({ street: { type: 'string' } }), 'a/b c': { type: 'boolean' } },
  },
  'recursion through a list': {
    $ref: '#/$defs/node',
    $defs: { node: object({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } }) },
  },
  'recursion through null': {
    $ref: '#/$defs/node',
    $defs: { node: object({ next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }) },
  },
  'a member named like a member of every object': object({
    constructor: { type: 'string' },
    toString: { type: 'integer' },
  }),
};

/** Ajv compares such objects with their own method: https://github.com/epoberezkin/fast-deep-equal */
const isComparable = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (['toString', 'valueOf', 'constructor'].every((name) => !Object.hasOwn(value, name)) &&
    Object.values(value).every(isComparable));

describe('simulator: values made from a JSON Schema', () => {
  const ajv = new Ajv({ strict: false });
  for (const [name, schema] of Object.entries(schemas)) {
    it(`the structured output satisfies ${name}`, () => {
      const value = sampleSchema(schema);
      expect(ajv.validate(schema, value), `${JSON.stringify(value)}: ${ajv.errorsText()}`).to.equal(true);
    });
  }

  it('the structured output satisfies tuples of both drafts', () => {
    const draft7 = {
      type: 'array',
      items: [{ type: 'string' }, { type: 'integer' }],
      minItems: 2,
      additionalItems: false,
    };
    const draft2020 = {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false,
      minItems: 2,
    };
    expect(sampleSchema(draft7)).to.deep.equal(['sample', 1]);
    expect(new Ajv2020({ strict: false }).validate(draft2020, sampleSchema(draft2020))).to.equal(true);
  });

  it('the structured output satisfies any composition of objects, arrays and scalars', () => {
    const { schema } = fc.letrec<{ schema: JsonObject; leaf: JsonObject }>((tie) => ({
      leaf: fc.oneof(
        fc.record({ type: fc.constant('string'), minLength: fc.nat(20) }),
        fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -50, max: 50 }) }),
        fc.record({ type: fc.constant('number'), maximum: fc.integer({ min: -50, max: 50 }) }),
        fc.constant({ type: 'boolean' }),
        fc.record({
          enum: fc.uniqueArray(fc.jsonValue().filter(isComparable), {
            minLength: 1,
            maxLength: 3,
            selector: (value) => JSON.stringify(value),
          }),
        }),
      ),
      schema: fc.oneof(
        { maxDepth: 3 },
        tie('leaf'),
        fc
          .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('schema'), { maxKeys: 3 })
          .map((properties) => object({ ...properties })),
        fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2) }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      ),
    }));
    fc.assert(
      fc.property(schema, (any) => {
        const value: unknown = JSON.parse(JSON.stringify(sampleSchema(any)));
        expect(new Ajv({ strict: false }).validate(any, value), JSON.stringify(value)).to.equal(true);
      }),
      { numRuns: 40 },
    );
  });

  it('the structured output stays small for any schema', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `d${index}`,
        object({ a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } }),
      ]),
    );
    const greedy = [
      { $ref: '#/$defs/d0', $defs: doubling },
      { type: 'array', minItems: 1e9, items: { type: 'array', minItems: 1e9, items: { type: 'string' } } },
      { type: 'array', minItems: 1e9, items: { type: 'array', minItems: 1e9 } },
      { type: 'string', minLength: 1e9 },
      { $ref: '#' },
      { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } } },
    ];
    for (const schema of greedy) expect(JSON.stringify(sampleSchema(schema)).length).to.be.lessThan(1_000_000);
  });

  for (const name of ['toString', 'valueOf', 'constructor', 'toJSON'])
    it(`returns an enumerated value that has a member named ${name}`, async () => {
      const value = { [name]: 0 };
      const schema = { enum: [value] };
      const text = textOf(await call(await createSimulator(), request({ output: { type: 'schema', schema } })));
      expect(JSON.parse(text)).to.deep.equal(value);
    });

  it('returns a value for invalid schemas', () => {
    for (const schema of [
      true,
      false,
      null,
      'text',
      7,
      [],
      { type: 7 },
      { type: 'unheard' },
      { properties: 7, required: 'x' },
      { enum: [] },
      { $ref: 'https://example.com/x' },
      { $ref: '#/no/where' },
      { $ref: '#/%' },
    ]) {
      expect(() => JSON.stringify(sampleSchema(schema)), JSON.stringify(schema)).to.not.throw();
    }
  });
});

describe('simulator: structured output', () => {
  it('returns a value that the schema accepts', async () => {
    const schema = schemas['every type'] ?? {};
    const text = textOf(await call(await createSimulator(), request({ output: { type: 'schema', schema } })));
    expect(new Ajv().validate(schema, JSON.parse(text))).to.equal(true);
  });

  it('returns an object with the response in JSON mode', async () => {
    const text = textOf(await call(await createSimulator(), request({ output: { type: 'json' } })));
    expect(JSON.parse(text))
      .to.have.property('answer')
      .that.matches(/^You said: Good morning\./);
  });
});
