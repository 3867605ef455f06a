import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Ajv } from 'ajv';
import type { JsonObject, ProviderDefinition } from '../../../core/api/index.ts';
import { presets } from '../../../providers/openai-compatible/presets/index.ts';
import { listRates } from '../price-laws.ts';
import { presetTable, rerankTable } from './preset-table.ts';

const page = readFileSync(new URL('../../../docs/operate/vendors.md', import.meta.url), 'utf8');
const call = {
  model: 'm',
  stream: false,
  body: Buffer.from('{}'),
  headers: {},
  credential: 'key-1',
  signal: new AbortController().signal,
};

describe('presets of openai-compatible', () => {
  const definitions = new Map<string, ProviderDefinition>();
  before(async () => {
    for (const [name, load] of Object.entries(presets)) definitions.set(name, await load());
  });
  const definitionOf = (name: string): ProviderDefinition => {
    const definition = definitions.get(name);
    if (definition === undefined) throw new Error(`There is no preset ${name}.`);
    return definition;
  };

  it('the table of the tests has every preset', () => {
    expect(Object.keys({ ...presetTable, ...rerankTable }).toSorted()).to.deep.equal(Object.keys(presets));
  });

  for (const [name, { url, variable, model }] of Object.entries({ ...presetTable, ...rerankTable })) {
    it(`${name} calls the address of the vendor, and sends the key as a bearer token`, async () => {
      const instance = await definitionOf(name).create({ apiKey: 'k' }, undefined as never);
      const [wire] = instance.endpoint(model).wires;
      const request = await wire?.buildRequest({ ...call, model });
      expect(`${request?.origin}${request?.path}`).to.equal(url);
      expect(request?.headers['authorization']).to.equal('Bearer k');
    });

    it(`${name} has its own name, no wire of its own, and valid empty settings`, () => {
      const definition = definitionOf(name);
      expect(definition.name).to.equal(name);
      expect([definition.codecs ?? [], definition.framings ?? []]).to.deep.equal([[], []]);
      const validate = new Ajv({ strict: true, allowUnionTypes: true, useDefaults: true }).compile(definition.schema);
      const filled: JsonObject = {};
      expect(validate(filled), JSON.stringify(validate.errors)).to.equal(true);
      expect(Object.keys(filled)).to.deep.equal(['apiKey', 'apiKeys']);
      expect(validate({ apikey: 'k' })).to.equal(false);
    });

    it(`${name} ${variable === undefined ? 'works without a key' : 'is unavailable without a key'}`, async () => {
      const { credentials } = await definitionOf(name).create({}, undefined as never);
      expect(credentials.every(({ unavailable }) => unavailable === undefined)).to.equal(variable === undefined);
      expect(definitionOf(name).init?.env).to.deep.equal(variable === undefined ? undefined : [variable]);
    });

    it(`docs/operate/vendors.md has a row of ${name} with its address`, () => {
      const base = url.replace(/\/(?:chat\/completions|responses|rerank)$/, '');
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
      expect(row).to.include(`\`${base}\``);
      if (variable !== undefined) expect(row).to.include(`\`${variable}\``);
    });

    it(`prices of ${name} have a page and a date, name each model once, and never charge more for cached input`, () => {
      const { prices = [] } = definitionOf(name);
      const names = prices.flatMap(({ models }) => models);
      expect(names.filter((each, index) => names.indexOf(each) !== index)).to.deep.equal([]);
      for (const { page: source, seen } of prices) {
        expect(new URL(source).protocol).to.equal('https:');
        expect(Date.parse(seen)).to.be.within(Date.parse('2026-01-01'), Date.now());
      }
      for (const { label, rates } of listRates(prices)) {
        // Speech is billed by characters.
        if (label.startsWith('canopylabs/orpheus')) continue;
        expect(rates.input, label).to.be.within(0.001, 100);
        // Rerankers write nothing.
        if (!/rerank/.test(label)) expect(rates.output, label).to.be.within(0.001, 1_000);
        expect(rates.cacheRead ?? 0, label).to.be.at.most(rates.input);
      }
    });
  }

  it('tools of all models take JSON, also of those that a preset does not list', () => {
    for (const [name, { models = [] }] of definitions) {
      expect(models[0]?.prefix, name).to.equal('');
      for (const { prefix, capabilities } of models)
        expect(capabilities.customTools, `${name}: ${prefix}`).to.equal(false);
    }
  });

  it('what holds for all models of a vendor also holds for those with more data', () => {
    const { models = [] } = definitionOf('groq');
    expect(models.length).to.be.above(1);
    for (const { prefix, capabilities } of models) expect(capabilities.choices, prefix).to.equal(false);
  });

  for (const name of ['cerebras', 'fireworks', 'groq', 'sambanova', 'together'])
    it(`${name} gets no pictures for models of gpt-oss, which cannot see`, () => {
      const { models = [] } = definitionOf(name);
      const sees = models
        .filter(({ prefix }) => prefix.endsWith('gpt-oss-'))
        .map(({ capabilities }) => capabilities.vision);
      expect(sees).to.deep.equal([false]);
    });

  it('all presets share two schemas, so that the schema of the gateway grows by two', () => {
    expect(new Set([...definitions.values()].map(({ schema }) => schema)).size).to.equal(2);
  });
});
