import { expect } from 'chai';
import { reloadUnderLoad } from './under-load.ts';

describe('reloads under load', function () {
  this.timeout(120_000);

  for (const [what, workers, reloads] of [
    ['one process', 1, 80],
    ['two workers', 2, 24],
  ] as const) {
    it(`reloads fail no request, serve each from one configuration, and close the previous ones (${what})`, async () => {
      const { answers, results, opened, closed, errors } = await reloadUnderLoad({ reloads, perSecond: 200, workers });
      expect([...answers.keys()].toSorted()).to.deep.equal(['A', 'B']);
      expect(Object.fromEntries(results)).to.deep.equal({ reloaded: reloads / 2, failed: reloads / 2 });
      expect(errors).to.deep.equal([]);
      expect([opened, closed]).to.deep.equal([(1 + reloads / 2) * workers, (1 + reloads / 2) * workers]);
    });
  }
});
