import { expect } from 'chai';
import { composeObserve } from '../../../core/dispatch/dispatcher.ts';
import type { AttemptRecord, Exchange } from '../../../core/api/index.ts';
import { createTestExchange, createTestLog } from '../../../core/testing/index.ts';
import { sampleRecord } from '../exchange/sample-exchange.ts';

describe('observers of attempts', () => {
  const exchange = createTestExchange();

  it('calls each observer once, in YAML order, bound to its plugin', () => {
    const calls: unknown[] = [];
    const createPlugin = (name: string) => ({
      name,
      observe(given: Exchange, attempt: AttemptRecord) {
        calls.push([this.name, given, attempt]);
      },
    });
    composeObserve([createPlugin('first'), {}, createPlugin('second')], createTestLog())(exchange, sampleRecord);
    expect(calls).to.have.length(2);
    expect(calls).to.deep.equal([
      ['first', exchange, sampleRecord],
      ['second', exchange, sampleRecord],
    ]);
  });

  it('logs an observer that throws, without harm to the exchange or the next observer', () => {
    const log = createTestLog();
    let calls = 0;
    const bug = new TypeError('a bug of a plugin');
    const observe = composeObserve(
      [
        {
          observe: () => {
            throw bug;
          },
        },
        { observe: () => void (calls += 1) },
      ],
      log,
    );
    observe(exchange, sampleRecord);
    expect(calls).to.equal(1);
    expect(log.lines).to.have.length(1);
    expect(log.lines[0]).to.deep.include({ level: 'error', fields: { request_id: 'req_1', error: bug } });
  });
});
