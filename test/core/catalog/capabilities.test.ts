import { expect } from 'chai';
import { findFamily, resolveCapabilities } from '../../../core/catalog/capabilities.ts';

describe('findFamily', () => {
  const families = [
    { prefix: 'gpt-4', capabilities: { maxOutput: 4 } },
    { prefix: 'gpt-4.1-mini', capabilities: { maxOutput: 41 } },
    { prefix: 'gpt-4.1', capabilities: { maxOutput: 40 } },
    { prefix: 'o', capabilities: { maxOutput: 1 } },
  ];
  const found: readonly (readonly [model: string, maxOutput: number | undefined])[] = [
    ['gpt-4', 4],
    ['gpt-4.1', 40],
    ['gpt-4.1-2025-04-14', 40],
    ['gpt-4.1-mini-2025', 41],
    ['gpt-4.1-min', 40],
    ['gpt-5', undefined],
    ['my-gpt-4', undefined],
  ];
  for (const [model, maxOutput] of found) {
    it(`finds a maxOutput of ${String(maxOutput)} for ${model}`, () => {
      expect(findFamily(families, model).maxOutput).to.equal(maxOutput);
      expect(findFamily(families.toReversed(), model).maxOutput, 'in any order').to.equal(maxOutput);
    });
  }

  it('an empty prefix matches every other model', () => {
    expect(findFamily([...families, { prefix: '', capabilities: { maxOutput: 9 } }], 'unheard-of')).to.deep.equal({
      maxOutput: 9,
    });
  });
});

describe('resolveCapabilities', () => {
  it('the overrides of the operator win over shipped data', () => {
    expect(
      resolveCapabilities({ vision: false, maxOutput: 10, stop: true }, { vision: true, maxOutput: 20 }, {}),
    ).to.deep.equal({ vision: true, maxOutput: 20, stop: true });
  });

  const both: readonly (readonly [model: unknown, wire: unknown, resolved: unknown])[] = [
    [true, false, false],
    [false, true, false],
    [undefined, false, false],
    [false, undefined, false],
    [undefined, true, true],
    [10, 4, 4],
    [4, 10, 4],
    [undefined, 4, 4],
    [4, undefined, 4],
    [4, false, false],
  ];
  for (const [model, wire, resolved] of both) {
    it(`${String(model)} on a wire with ${String(wire)} resolves to ${String(resolved)}`, () => {
      const given = (value: unknown): object => (value === undefined ? {} : { stop: value });
      expect(resolveCapabilities(given(model), {}, given(wire))).to.deep.equal(given(resolved));
    });
  }

  it('the restrictions of a wire win over the operator', () => {
    expect(resolveCapabilities({}, { stop: true, maxOutput: 100 }, { stop: false, maxOutput: 50 })).to.deep.equal({
      stop: false,
      maxOutput: 50,
    });
  });

  it('the lists of the model win over those of the wire', () => {
    expect(resolveCapabilities({ efforts: ['low'] }, {}, { efforts: ['low', 'high'], toolName: /a/ })).to.deep.equal({
      efforts: ['low'],
      toolName: /a/,
    });
  });

  it('the result is frozen, and the shipped data is not modified', () => {
    const family = { maxOutput: 10 };
    const resolved = resolveCapabilities(family, {}, { maxOutput: 1 });
    expect(resolved).to.be.frozen;
    expect(family).to.deep.equal({ maxOutput: 10 });
  });
});
