import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import anthropic from '../../providers/anthropic/index.ts';
import google from '../../providers/google/index.ts';
import openai from '../../providers/openai/index.ts';
import simulator from '../../providers/simulator/index.ts';

interface Shipped {
  readonly models: Readonly<
    Record<string, { readonly targets: readonly { readonly provider: string; readonly model: string }[] }>
  >;
}
const { models } = parse(readFileSync(new URL('../../gateway.yaml', import.meta.url), 'utf8')) as Shipped;
const definitions = new Map([anthropic, google, openai, simulator].map((definition) => [definition.name, definition]));

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

  it('many prices are shipped', () => {
    const names = [...definitions.values()].flatMap(({ prices = [] }) => prices.flatMap((price) => price.models));
    expect(names.length).to.be.above(80);
  });
});
