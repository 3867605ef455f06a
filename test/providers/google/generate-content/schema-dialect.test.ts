import { expect } from 'chai';
import {
  readJsonSchema,
  readSchema,
  writeSchema,
} from '../../../../providers/google/generate-content/schema-dialect.ts';

describe("the wire's own dialect of schemas", () => {
  it("converts the wire's own dialect of schemas to JSON Schema", () => {
    expect(
      readSchema({
        type: 'OBJECT',
        propertyOrdering: ['b', 'a'],
        properties: {
          a: { type: 'STRING', nullable: true, format: 'enum', enum: ['x', 'y'] },
          b: { type: 'ARRAY', items: { type: 'INTEGER', format: 'int32' }, minItems: '1', maxItems: 3 },
        },
        required: ['a'],
        example: { a: 'x' },
      }),
    ).to.deep.equal({
      type: 'object',
      properties: {
        b: { type: 'array', items: { type: 'integer', format: 'int32' }, minItems: 1, maxItems: 3 },
        a: { type: ['string', 'null'], enum: ['x', 'y', null] },
      },
      required: ['a'],
      examples: [{ a: 'x' }],
    });
  });

  it('converts types that are written as the numbers of the enum', () => {
    const numbered = { type: 6, properties: { a: { type: 5, items: { type: 1, nullable: true } }, b: { type: 99 } } };
    const read = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: ['string', 'null'] } }, b: { type: 99 } },
    };
    expect(readSchema(numbered)).to.deep.equal(read);
    expect(readJsonSchema(numbered)).to.deep.equal(read);
  });

  it('converts a schema from snake_case, at every depth', () => {
    const inner = {
      type: 'OBJECT',
      property_ordering: ['b', 'a'],
      properties: {
        a: {
          any_of: [
            { type: 'STRING', max_length: '9' },
            { type: 'ARRAY', items: { type: 'NUMBER' }, min_items: 1 },
          ],
        },
        b: {},
      },
    };
    const read = readSchema(inner);
    expect(read).to.deep.equal({
      type: 'object',
      properties: {
        b: {},
        a: {
          anyOf: [
            { type: 'string', maxLength: 9 },
            { type: 'array', items: { type: 'number' }, minItems: 1 },
          ],
        },
      },
    });
    expect(readSchema({ properties: { any_of: { type: 'STRING' } } })).to.deep.equal({
      properties: { any_of: { type: 'string' } },
    });
  });

  it('a converted schema accepts null if one of several alternatives can be null', () => {
    const either = [{ type: 'STRING' }, { type: 'INTEGER' }];
    expect(readSchema({ anyOf: either, nullable: true })).to.deep.equal({
      anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }],
    });
    expect(readSchema({ anyOf: [...either, { type: 'NULL' }], nullable: true })['anyOf']).to.have.length(3);
    expect(readSchema({ anyOf: either })['anyOf']).to.have.length(2);
  });

  it('a converted schema keeps propertyOrdering as the order of properties', () => {
    expect(
      Object.keys(
        readSchema({ type: 'OBJECT', properties: { a: {}, b: {}, c: {} }, propertyOrdering: ['c', 'nobody', 'a'] })[
          'properties'
        ] as object,
      ),
    ).to.deep.equal(['c', 'a', 'b']);
  });

  it('distinguishes property names and data from keywords of a schema', () => {
    const schema = {
      type: 'OBJECT',
      properties: {
        type: { type: 'STRING' },
        format: { type: 'STRING', default: { type: 'OBJECT' } },
        const: { type: 'STRING' },
      },
      anyOf: [{ type: 'NULL' }],
    };
    expect(readSchema(schema)).to.deep.equal({
      type: 'object',
      properties: {
        type: { type: 'string' },
        format: { type: 'string', default: { type: 'OBJECT' } },
        const: { type: 'string' },
      },
      anyOf: [{ type: 'null' }],
    });
  });

  it("sends JSON Schema without const instead of the wire's own dialect", () => {
    const schema = {
      type: 'object',
      properties: { const: { const: 1 }, a: { anyOf: [{ const: 'x' }, { $ref: '#/$defs/d' }] } },
      $defs: { d: { enum: [{ const: 1 }] } },
      additionalProperties: false,
    };
    expect(writeSchema(schema)).to.deep.equal({
      type: 'object',
      properties: { const: { enum: [1] }, a: { anyOf: [{ enum: ['x'] }, { $ref: '#/$defs/d' }] } },
      $defs: { d: { enum: [{ const: 1 }] } },
      additionalProperties: false,
    });
    expect(schema.properties.const).to.deep.equal({ const: 1 });
  });
});
