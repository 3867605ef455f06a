import { expect } from 'chai';
import type { JsonObject } from '../../../../core/api/index.ts';
import { omitUndefined } from '../../../../core/api/codec.ts';
import { strictOutputFit } from '../../../../core/fits/output/strict-output.ts';
import { createProfile, createRequest, runFit } from '../samples.ts';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const text = { type: 'string' };
const run = (schema: JsonObject, client = 'messages', wire = 'chat-completions', strict?: boolean) =>
  runFit(
    strictOutputFit,
    createRequest({ wire: client, output: omitUndefined({ type: 'schema' as const, schema, strict }) }),
    createProfile({}, { wire }),
  );

describe('strict-output fit', () => {
  const closed = object(
    {
      a: text,
      list: { type: 'array', items: object({ b: { anyOf: [text, { type: 'null' }] } }) },
      r: { $ref: '#/$defs/d' },
    },
    { $defs: { d: object({ c: text }) } },
  );

  it('requests strict mode for a client whose wire always enforces schemas', () => {
    for (const client of ['messages', 'generate-content']) {
      for (const wire of ['chat-completions', 'responses']) {
        const { fitted, losses } = run(closed, client, wire);
        expect(fitted?.request.output, `${client} to ${wire}`).to.deep.equal({
          type: 'schema',
          schema: closed,
          strict: true,
        });
        expect(losses).to.deep.equal([]);
      }
    }
  });

  const open: readonly (readonly [what: string, schema: JsonObject])[] = [
    ['an optional member', object({ a: text, b: text }, { required: ['a'] })],
    ['an open object', object({ a: text }, { additionalProperties: undefined })],
    ['an open object further in', object({ a: { type: 'array', items: { type: 'object', properties: {} } } })],
    ['an open definition', object({ a: text }, { $defs: { d: { type: 'object', properties: { c: text } } } })],
    ['an open alternative', object({ a: { anyOf: [text, { type: 'object' }] } })],
    ['a keyword that strict mode refuses', object({ a: { allOf: [text] } })],
    ['a rule about sizes that strict mode refuses', object({ a: { type: 'array', items: text, uniqueItems: true } })],
    ['a rule about names that strict mode refuses', object({ a: text }, { propertyNames: { pattern: '^a' } })],
    ['no object at the top', { type: 'array', items: text }],
  ];
  for (const [what, schema] of open) {
    it(`sends a schema with ${what} without strict mode, and reports the loss`, () => {
      const { fitted, losses } = run(schema);
      expect(fitted).to.equal(undefined);
      expect(losses.map(({ field, kind }) => `${field} ${kind}`)).to.deep.equal(['output_config.format approximated']);
    });
  }

  it('keeps the setting of a client whose wire has strict mode', () => {
    for (const strict of [undefined, true, false])
      expect(run(closed, 'responses', 'chat-completions', strict)).to.deep.include({ fitted: undefined, losses: [] });
    expect(run(closed, 'messages', 'chat-completions', false).fitted).to.equal(undefined);
  });

  it('strict-output changes nothing if schemas are always enforced, or if there is none', () => {
    const applies = (wire: string, schema?: boolean) =>
      strictOutputFit.applies?.(createProfile(schema === undefined ? {} : { schema }, { wire }));
    expect([
      applies('messages'),
      applies('generate-content'),
      applies('chat-completions', false),
      applies('chat-completions'),
    ]).to.deep.equal([false, false, false, true]);
  });
});
