import { expect } from 'chai';
import { simulatorPrices } from '../../../providers/simulator/prices.ts';

describe('simulator: prices', () => {
  it('the prices of the simulator are zero and listed explicitly', () => {
    expect(simulatorPrices.map(({ models, price }) => [models, price])).to.deep.equal([
      [['chat'], { input: 0, output: 0 }],
    ]);
  });
});
