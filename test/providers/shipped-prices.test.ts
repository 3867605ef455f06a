import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { parse } from 'yaml';
import { builtIns } from '../../core/built-ins.ts';
import { priceDefinitions } from '../../core/config/schema/price.ts';
import anthropic from '../../providers/anthropic/index.ts';
import bedrock from '../../providers/bedrock/index.ts';
import google from '../../providers/google/index.ts';
import { createVertex } from '../../providers/google/vertex/index.ts';
import openai from '../../providers/openai/index.ts';
import simulator from '../../providers/simulator/index.ts';

interface ShippedModel {
  readonly targets: readonly { readonly provider: string; readonly model: string }[];
  readonly wires?: readonly string[];
}
interface Shipped {
  readonly models: Readonly<Record<string, ShippedModel>>;
  readonly aliases: Readonly<Record<string, string>>;
}
const { models, aliases } = parse(readFileSync(new URL('../../gateway.yaml', import.meta.url), 'utf8')) as Shipped;
const definitions = new Map(
  [anthropic, bedrock, google, openai, simulator, createVertex(anthropic)].map((definition) => [
    definition.name,
    definition,
  ]),
);

/** Models of the shipped catalog for which no page has a price. Each is a decision. */
const unpriced: readonly string[] = [];

describe('the prices of the shipped catalog', () => {
  it('all prices are shipped with the providers, except those without a source', () => {
    const without = Object.entries(models).flatMap(([id, { targets }]) =>
      targets.some(
        ({ provider, model }) =>
          definitions.get(provider)?.prices?.some((price) => price.models.includes(model)) !== true,
      )
        ? [id]
        : [],
    );
    expect(without).to.deep.equal(unpriced);
  });

  /** docs/start/agents.md */
  const requested = [
    'claude-opus-5-5',
    'claude-sonnet-4-6',
    'claude-haiku-4-5-20251001',
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
    'gemini-3.1-pro-preview',
    'gemini-3.5-flash-lite',
    'gpt-5-codex',
    'gpt-5.1-codex',
    'gpt-4.1',
    'o3',
  ];
  for (const name of requested)
    it(`the shipped catalog has ${name}, which agents request by themselves, under the name of the vendor`, () => {
      expect(models[aliases[name] ?? '']?.targets.map(({ model }) => model)).to.deep.equal([name]);
    });

  it('Codex can use every model for text of OpenAI, and the simulator, with the wire responses', () => {
    const without = Object.entries(models).filter(
      ([id, { wires }]) =>
        /^(openai|simulator)\//.test(id) && !wires?.some((wire) => /^(responses|embed|moderations)/.test(wire)),
    );
    expect(without.map(([id]) => id)).to.be.empty;
  });

  const isPrice = new Ajv({ strict: false }).compile({ definitions: priceDefinitions, $ref: '#/definitions/price' });

  it('all shipped prices are written as in gateway.yaml, with their page and date', async () => {
    const shipped = Object.values(builtIns.provider);
    for (const load of Object.values(builtIns.presets ?? {})) shipped.push(await load());
    const prices = shipped.flatMap((definition) => definition.prices ?? []);
    expect(prices.length).to.be.above(250);
    for (const { models: names, page, seen, price } of prices) {
      expect(isPrice(price), `${names.join(', ')}: ${JSON.stringify(isPrice.errors)}`).to.equal(true);
      expect(page, names[0]).to.match(/^(https:|providers\/simulator)/);
      expect(seen, names[0]).to.match(/^\d{4}-\d\d-\d\d$/);
    }
  });

  it('a price with a mistyped member is found', () => {
    expect(isPrice({ input: 1, output: 2, cacheReads: 1 })).to.equal(false);
  });

  it('many prices are shipped', () => {
    const names = [...definitions.values()].flatMap(({ prices = [] }) => prices.flatMap((price) => price.models));
    expect(names.length).to.be.above(80);
  });
});
