import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { SlowAnswers } from '../../../plugins/rate-limit/listing/slow-answers.ts';

describe('rate-limit: lists of limits that take long', () => {
  let now = 0;
  let made = 0;
  const answers = new SlowAnswers({ monotonic: () => now });
  const ask = (question: string, tookMs: number): Promise<object> =>
    answers.get(question, async () => {
      made += 1;
      const number = made;
      await nextTurn();
      now += tookMs;
      if (tookMs < 0) throw new Error('The database is away.');
      return { number };
    });
  beforeEach(() => {
    made = 0;
  });

  it('are made once for all that ask at the same time, and kept afterwards', async () => {
    expect(await Promise.all([ask('slow', 60_000), ask('slow', 60_000)])).to.deep.equal([{ number: 1 }, { number: 1 }]);
    expect(await ask('slow', 60_000)).to.deep.equal({ number: 1 });
    expect(await ask('other', 60_000)).to.deep.equal({ number: 2 });
  });

  it('are made again if they were fast, or have failed', async () => {
    expect(await ask('fast', 10)).to.deep.equal({ number: 1 });
    expect(await ask('fast', 10)).to.deep.equal({ number: 2 });
    expect(await ask('bad', -1).catch(String)).to.equal('Error: The database is away.');
    expect(await ask('bad', 10)).to.deep.equal({ number: 4 });
  });
});
