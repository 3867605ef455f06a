import { expect } from 'chai';
import { createDispatch } from '../../../../core/dispatch/dispatcher.ts';
import { watchStrategy } from '../../../../core/exchange/hooks/interceptor.ts';
import { createTestServices } from '../../../../core/testing/services.ts';
import { GatewayError, type Reply, type Strategy } from '../../../../core/api/index.ts';
import { runExchange } from '../pipeline-scene.ts';
import { createTestExchange, createTestLog, createTestTarget } from '../../../../core/testing/index.ts';
import { createReply } from '../sample-exchange.ts';

describe('a guarded strategy', () => {
  const target = createTestTarget('vendor/model');
  const buildRequest = () => ({ origin: 'http://127.0.0.1', path: '/', headers: {}, body: new Uint8Array() });
  const wires = [{ operation: 'generate' as const, wire: 'chat-completions', buildRequest }];
  const chatTarget = createTestTarget('vendor/model', { endpoint: { wires, origin: { provider: 'v', family: 'v' } } });
  const exchange = createTestExchange();
  const run = async (strategy: Strategy, attempt: () => Promise<Reply>) => {
    const log = createTestLog();
    const { metrics } = createTestServices();
    const guarded = watchStrategy(strategy, { plugin: 'mine', timeout: 10, onError: 'skip', log, metrics });
    const result = await guarded(exchange, attempt).catch((thrown: unknown) => thrown);
    return {
      result,
      logged: log.lines
        .map(({ fields }) => fields as { readonly hook: string; readonly action: string })
        .map(({ hook, action }) => `${hook} ${action}`),
    };
  };
  const lie = (value: unknown): Reply => value as Reply;

  it('returns the reply of the strategy, however long it takes', async () => {
    const reply = createReply(target);
    const slow: Strategy = async (_exchange, attempt) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return attempt(target, 'key-1');
    };
    expect(await run(slow, async () => reply)).to.deep.equal({ result: reply, logged: [] });
  });

  it('does not log errors of attempts as failures of the strategy', async () => {
    const error = new GatewayError('internal_error', 'a lane broke');
    expect(
      await run(
        (_exchange, attempt) => attempt(target, 'key-1'),
        () => Promise.reject(error),
      ),
    ).to.deep.equal({ result: error, logged: [] });
  });

  const wrongs: Readonly<Record<string, (attempt: () => Promise<Reply>) => Promise<Reply>>> = {
    'throws after an attempt succeeded': async (attempt) => {
      await attempt();
      throw new TypeError('undefined is no function');
    },
    'returns nothing': async (attempt) => lie(void (await attempt())),
    'returns an invalid reply': async (attempt) => lie({ ...(await attempt()), deliver: 'now' }),
  };
  for (const [name, wrong] of Object.entries(wrongs)) {
    it(`refuses the exchange with onError skip too, and releases the reply, if the strategy ${name}`, async () => {
      const cancelled: GatewayError[] = [];
      const log = createTestLog();
      const strategy: Strategy = (_exchange, attempt) => wrong(() => attempt(chatTarget, 'key-1'));
      const { metrics } = createTestServices();
      const dispatch = createDispatch({
        strategy: watchStrategy(strategy, { plugin: 'mine', timeout: 10, onError: 'skip', log, metrics }),
        interceptors: [],
        lane: async () => createReply(target, { cancel: (reason) => void cancelled.push(reason) }),
        observe: () => {},
        keepStored: () => undefined,
      });
      const { connection } = await runExchange({ parts: { dispatch, log } });
      expect([connection.status, connection.text]).to.deep.equal([500, '{"code":"internal_error"}']);
      const failed = log.lines.find(({ text }) => text === 'a plugin failed');
      expect(failed?.fields).to.include({ plugin: 'mine', hook: 'strategy', action: 'fail' });
      expect(cancelled).to.have.length(1);
    });
  }
});
