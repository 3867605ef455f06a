import { expect } from 'chai';
import simulator from '../../../providers/simulator/index.ts';

describe('simulator: prices', () => {
  it('the prices of the simulator are zero and listed explicitly', () => {
    expect(simulator.prices?.map(({ models, price }) => [models, price])).to.deep.equal([
      [['chat'], { input: 0, output: 0 }],
    ]);
  });
});
