import { expect } from 'chai';
import { composeAdmit } from '../../../core/exchange/admit.ts';
import { settleAll } from '../../../core/exchange/settle.ts';
import { createOutcome } from '../../../core/outcome/outcome.ts';
import {
  GatewayError,
  type Admission,
  type Exchange,
  type Outcome,
  type PluginInstance,
} from '../../../core/api/index.ts';
import { catchRejection } from './catch-error.ts';
import { createTestExchange, createTestLog } from '../../../core/testing/index.ts';

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const outcome: Outcome = createOutcome({
  exchange: undefined,
  status: 200,
  endedAt: 1_000,
  attempts: [],
  ending: undefined,
  error: undefined,
  times: { total: 1, own: 1 },
});

describe('admission', () => {
  const admits = (order: string[], name: string, after = 0): PluginInstance => ({
    admit: async () => {
      await wait(after);
      order.push(name);
      return { headers: { [`x-${name}`]: '1' } };
    },
  });

  it('calls the admit hooks in YAML order, one after the other', async () => {
    const order: string[] = [];
    const admitted: Admission[] = [];
    await composeAdmit([admits(order, 'slow', 20), {}, admits(order, 'fast')])(createTestExchange(), admitted);
    expect(order).to.deep.equal(['slow', 'fast']);
    expect(admitted.map(({ headers }) => headers)).to.deep.equal([{ 'x-slow': '1' }, { 'x-fast': '1' }]);
  });

  it('returns no promise if no plugin has the admit hook', () => {
    expect(composeAdmit([{}, { identify: () => undefined }])(createTestExchange(), [])).to.equal(undefined);
  });

  it('adds no admission for a plugin that returns nothing, and binds each hook to its plugin', async () => {
    const exchange = createTestExchange();
    const asked: unknown[] = [];
    const plugin = {
      name: 'own',
      admit(given: Exchange): undefined {
        asked.push(this.name, given);
      },
    };
    const admitted: Admission[] = [];
    await composeAdmit([plugin])(exchange, admitted);
    expect(admitted).to.deep.equal([]);
    expect(asked[0]).to.equal('own');
    expect(asked[1]).to.equal(exchange);
  });

  it('keeps the admissions before a refusal, and calls no hook after it', async () => {
    const order: string[] = [];
    const admitted: Admission[] = [];
    const refusal = new GatewayError('rate_limit_exceeded');
    const refuses: PluginInstance = {
      admit: () => {
        throw refusal;
      },
    };
    const pending = composeAdmit([admits(order, 'one'), admits(order, 'two'), refuses, admits(order, 'four')])(
      createTestExchange(),
      admitted,
    );
    expect(await catchRejection(pending ?? Promise.resolve())).to.equal(refusal);
    expect(order).to.deep.equal(['one', 'two']);
    expect(admitted).to.have.length(2);
  });
});

describe('settlement', () => {
  it('settles all admissions with the same outcome, concurrently', async () => {
    const given: unknown[] = [];
    let running = 0;
    let most = 0;
    const settles = async (received: Outcome): Promise<void> => {
      given.push(received);
      running += 1;
      most = Math.max(most, running);
      await wait(10);
      running -= 1;
    };
    await settleAll([{ settle: settles }, {}, { settle: settles }, { settle: settles }], outcome, createTestLog());
    expect(given).to.have.length(3);
    expect(new Set(given)).to.deep.equal(new Set([outcome]));
    expect(most).to.equal(3);
    expect(running, 'all have been waited for').to.equal(0);
  });

  it('logs a settle that throws or rejects, without harm to the others', async () => {
    const log = createTestLog();
    const settled: string[] = [];
    const admissions: readonly Admission[] = [
      {
        settle: () => {
          throw new TypeError('thrown');
        },
      },
      { settle: () => Promise.reject(new TypeError('rejected')) },
      { settle: () => void settled.push('third') },
    ];
    await settleAll([...admissions], outcome, log);
    expect(settled).to.deep.equal(['third']);
    expect(log.lines.map(({ level, fields }) => [level, String((fields as { error: unknown }).error)])).to.deep.equal([
      ['error', 'TypeError: thrown'],
      ['error', 'TypeError: rejected'],
    ]);
  });
});
