import { expect } from 'chai';
import type { CacheAccount, Charge, Exchange, PluginInstance } from '../../../../core/api/index.ts';
import { watchPlugin } from '../../../../core/exchange/hooks/watch-plugin.ts';
import { createOutcome } from '../../../../core/outcome/outcome.ts';
import { createTestExchange, createTestLog, createTestServices } from '../../../../core/testing/index.ts';
import { sampleRecord } from '../sample-exchange.ts';

const outcomeWith = (account: (exchange: Exchange, charges: readonly Charge[]) => unknown) => {
  const log = createTestLog();
  const plugin = { account: account as NonNullable<PluginInstance['account']> };
  const guarded = watchPlugin(plugin, {
    plugin: 'teller',
    timeout: 10_000,
    onError: 'fail',
    log,
    metrics: createTestServices().metrics,
  });
  const usage = {
    inputUncached: 3,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: 1,
    reasoning: 0,
    source: 'provider',
  } as const;
  const outcome = createOutcome({
    exchange: createTestExchange() as Exchange,
    status: 200,
    endedAt: 1_000,
    attempts: [sampleRecord],
    ending: { reason: 'complete', usage, outputChars: 4 },
    error: undefined,
    times: { total: 1, own: 1 },
    account: guarded.account,
  });
  return { outcome, log };
};

describe('the account hook for the prompt cache', () => {
  it('calls the account hook before the outcome is frozen', () => {
    const account: CacheAccount = { saved: 5n, lost: 2n };
    const { outcome } = outcomeWith((_exchange, charges) => (charges.length === 1 ? account : undefined));
    expect(outcome.cache).to.equal(account);
    expect(Object.isFrozen(outcome)).to.equal(true);
    expect(outcomeWith(() => undefined).outcome).to.not.have.property('cache');
  });

  const wrong: Readonly<Record<string, () => unknown>> = {
    'throws': () => {
      throw new Error('lost my abacus');
    },
    'returns an object of another shape': () => ({ saved: 1, lost: 2 }),
    'returns a promise': () => Promise.resolve({ saved: 1n, lost: 1n }),
  };
  for (const [what, account] of Object.entries(wrong)) {
    it(`logs and skips an account hook that ${what}`, () => {
      const { outcome, log } = outcomeWith(account);
      expect(outcome).to.not.have.property('cache');
      expect(outcome.result).to.equal('ok');
      expect(log.lines.map(({ text, fields }) => ({ text, ...fields }))).to.have.length(1);
      expect(log.lines[0]).to.deep.include({ level: 'error', text: 'a plugin failed' });
      expect(log.lines[0]?.fields).to.include({ plugin: 'teller', hook: 'account', action: 'skip' });
    });
  }
});
