import { expect } from 'chai';
import { joinParts, splitParts } from '../../../core/config/parts.ts';
import { runAtOnce } from '../../../core/services/slices.ts';

const range = (count: number): readonly number[] => [...Array(count).keys()];
const mapOf = <T>(count: number, value: (index: number) => T): Record<string, T> =>
  Object.fromEntries(range(count).map((index) => [`name-${index}`, value(index)]));

interface Config {
  readonly server: { readonly port: number };
  readonly models: Readonly<Record<string, { readonly price: bigint; readonly wires: readonly string[] }>>;
  readonly groups: Readonly<
    Record<string, { readonly keys: Readonly<Record<string, { readonly disabled: boolean }>> }>
  >;
  readonly list: readonly number[];
}

/** 10,000 models, a group of 6,000 keys, 3,000 groups of one, and a long list. */
const createConfig = (): Config => ({
  server: { port: 1 },
  models: mapOf(10_000, (index) => ({ price: BigInt(index), wires: ['one'] })),
  groups: {
    large: { keys: mapOf(6_000, () => ({ disabled: false })) },
    ...mapOf(3_000, () => ({ keys: { only: { disabled: false } } })),
  },
  list: range(5_000),
});

const sizeOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, member) => sum + sizeOf(member), 1)
    : 1;

const copy = (value: object, before?: unknown): Config => {
  const parts = structuredClone([...splitParts({ config: value })]);
  return runAtOnce(joinParts<{ config: Config }>(parts, { config: before })).config;
};

describe('a configuration in parts', () => {
  const config = createConfig();
  const live = copy(config);

  it('no part has many values, and together they are the whole', () => {
    const sizes = [...splitParts({ config })].map((part) => part.reduce((sum, [, , value]) => sum + sizeOf(value), 0));
    expect(sizes.length).to.be.above(20);
    expect(Math.max(...sizes)).to.be.at.most(2_001);
    expect(live).to.deep.equal(config);
    expect(Object.keys(live.groups)).to.deep.equal(Object.keys(config.groups));
  });

  it('each of its objects is frozen', () => {
    const list = (value: unknown): readonly unknown[] =>
      typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(list)] : [];
    expect(list(live).filter((value) => !Object.isFrozen(value))).to.deep.equal([]);
  });

  it('uses the objects of an earlier one again where nothing has changed', () => {
    expect(copy(createConfig(), live)).to.equal(live);
    const changed = createConfig();
    Object.assign(changed.groups['large']?.keys ?? {}, { 'name-7': { disabled: true } });
    const next = copy(changed, live);
    expect(next).to.deep.equal(changed);
    expect(next.models).to.equal(live.models);
    expect(next.groups['name-5']).to.equal(live.groups['name-5']);
    expect(next.groups['large']?.keys['name-6']).to.equal(live.groups['large']?.keys['name-6']);
    expect(next.groups['large']?.keys['name-7']).to.deep.equal({ disabled: true });
    expect(next.groups['large']).to.not.equal(live.groups['large']);
  });

  it('another order is a change, and so is a member less', () => {
    const { 'name-0': first, ...others } = createConfig().models;
    const moved = { ...createConfig(), models: { ...others, 'name-0': first } };
    expect(Object.keys(copy(moved, live).models)).to.deep.equal(Object.keys(moved.models));
    expect(copy(moved, live).models['name-0']).to.equal(live.models['name-0']);
    expect(copy({ ...createConfig(), models: others }, live).models).to.deep.equal(others);
  });

  it('has members of any name', () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as object;
    const large = { odd, ...mapOf(3_000, () => odd) };
    expect(JSON.stringify(copy(large))).to.equal(JSON.stringify(large));
  });
});
