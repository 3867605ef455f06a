import { expect } from 'chai';
import { waitForLargeStep } from '../../../core/services/large-steps.ts';

describe('steps of large bodies', () => {
  it('run one in each turn of the event loop, in order, however many wait', async () => {
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const seen: { readonly name: string; readonly turn: number }[] = [];
    const convert = async (name: string): Promise<void> => {
      for (let step = 0; step < 3; step += 1) {
        await waitForLargeStep();
        seen.push({ name, turn });
      }
    };
    await Promise.all(['a', 'b', 'c'].map(convert));
    isOver = true;
    expect(seen.map(({ name }) => name).join('')).to.equal('abcabcabc');
    expect(new Set(seen.map((step) => step.turn)).size, 'turns').to.equal(9);
  });
});
