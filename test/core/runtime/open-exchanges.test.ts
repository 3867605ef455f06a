import { expect } from 'chai';
import type { Door } from '../../../core/exchange/door.ts';
import type { ExchangeRoute } from '../../../core/exchange/progress.ts';
import type { RequestHead } from '../../../core/contracts/exchange.ts';
import { countExchanges } from '../../../core/runtime/open-exchanges.ts';

describe('open exchanges', () => {
  const start = () => {
    const ends: (() => void)[] = [];
    const { run, settled } = countExchanges(() => new Promise<void>((resolve) => ends.push(resolve)));
    const begin = () => void run({} as RequestHead, {} as ExchangeRoute, {} as Door);
    return { ends, begin, settled };
  };
  const isOver = (promise: Promise<void>): Promise<boolean> => Promise.race([promise.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))]);

  it('are waited for until the last is settled', async () => {
    const { ends, begin, settled } = start();
    begin();
    begin();
    const all = settled();
    ends[1]?.();
    expect(await isOver(all)).to.equal(false);
    ends[0]?.();
    expect(await isOver(all)).to.equal(true);
  });
  it('are nothing to wait for where there are none', async () => {
    const { ends, begin, settled } = start();
    expect(await isOver(settled())).to.equal(true);
    begin();
    ends[0]?.();
    expect(await isOver(settled())).to.equal(true);
  });
});
