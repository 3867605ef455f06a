import { expect } from 'chai';
import { simulatorPrices } from '../../../providers/simulator/prices.ts';

describe('what the simulator costs', () => {
  it('is nothing, said in so many words', () => {
    expect(simulatorPrices.map(({ models, price }) => [models, price])).to.deep.equal([
      [['chat'], { input: 0, output: 0 }],
    ]);
  });
});
