import { expect } from 'chai';
import { waitForSignal, type Stoppable } from '../../../core/process/signals.ts';
import { createLogList } from '../exchange/sample-exchange.ts';

const names = ['SIGTERM', 'SIGINT'] as const;

describe('a signal', () => {
  const before = new Map(names.map((name) => [name, process.listeners(name)]));
  afterEach(() => {
    for (const name of names) for (const listener of process.listeners(name)) if (before.get(name)?.includes(listener) !== true) process.off(name, listener);
  });

  const start = (stops: boolean) => {
    const calls: string[] = [];
    const gateway: Stoppable = { stop: () => (calls.push('stop'), stops ? Promise.resolve() : new Promise(() => {})), cut: () => void calls.push('cut') };
    return { calls, exit: waitForSignal(gateway, createLogList()) };
  };

  for (const name of names) {
    it(`(${name}) stops the gateway, and the exit is a good one`, async () => {
      const { calls, exit } = start(true);
      process.emit(name, name);
      expect(await exit).to.equal(0);
      expect(calls).to.deep.equal(['stop']);
    });
  }

  it('that comes twice cuts what is open', async () => {
    const { calls, exit } = start(false);
    process.emit('SIGTERM', 'SIGTERM');
    process.emit('SIGINT', 'SIGINT');
    expect(await exit).to.equal(1);
    expect(calls).to.deep.equal(['stop', 'cut']);
  });
});
