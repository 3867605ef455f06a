import { expect } from 'chai';
import { startCallCounter, type CallCounter } from './calls-made.ts';

const numbers = (size: number): readonly number[] => Array.from({ length: size }, (_, number) => number);

/** Ways to compare every item of a list with every other one. */
const quadratic: Readonly<Record<string, (list: readonly number[]) => unknown>> = {
  'a loop in a loop': (list) => {
    let sum = 0;
    for (const one of list) for (const other of list) sum += one * other;
    return sum;
  },
  'a callback in a callback': (list) => list.filter((one) => list.find((other) => other === one) !== undefined),
  'a search in a loop': (list) => list.filter((one) => list.includes(one)),
  'a position in a loop': (list) => list.map((one) => list.indexOf(one)),
};
const linear: Readonly<Record<string, (list: readonly number[]) => unknown>> = {
  'a loop': (list) => list.reduce((sum, one) => sum + one, 0),
  'a set': (list) => {
    const known = new Set(list);
    return list.filter((one) => known.has(one));
  },
  'a search in a short list': (list) => list.filter((one) => [1, 2, 3].includes(one)),
  'sorting': (list) => list.toSorted((one, other) => other - one),
};

describe('the counter of calls', () => {
  let counter: CallCounter;
  before(async () => {
    counter = await startCallCounter(/^test\/doubling\/calls-made\.test\.ts/);
  });
  after(() => counter.stop());

  const measure = (work: (list: readonly number[]) => unknown): Promise<readonly string[]> =>
    counter.findSuperlinear(async (run) => void work(numbers(100 * 2 ** run)));

  for (const [name, work] of Object.entries(quadratic))
    it(`the call counter finds ${name}`, async () => expect(await measure(work)).to.not.be.empty);
  for (const [name, work] of Object.entries(linear))
    it(`the call counter passes ${name}`, async () => expect(await measure(work)).to.deep.equal([]));
});
