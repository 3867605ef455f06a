import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRefCount } from '../../../../core/server/reload/ref-count.ts';

describe('the reference count of a generation', () => {
  const start = () => {
    const ends: (() => void)[] = [];
    const use = createRefCount();
    const listener = use.listen(() => {});
    const request = () => {
      const response = new EventEmitter();
      listener({} as IncomingMessage, response as ServerResponse);
      return () => void response.emit('close');
    };
    const begin = (): void => {
      use.enter();
      ends.push(use.leave);
    };
    return { ends, begin, request, zero: use.zero };
  };
  const isOver = (promise: Promise<void>): Promise<boolean> =>
    Promise.race([promise.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))]);

  it('the reference count is above zero until the last exchange is settled', async () => {
    const { ends, begin, zero } = start();
    begin();
    begin();
    const all = zero();
    ends[1]?.();
    expect(await isOver(all)).to.equal(false);
    ends[0]?.();
    expect(await isOver(all)).to.equal(true);
  });
  it('the reference count is above zero until the last response is complete or its client is gone', async () => {
    const { ends, begin, request, zero } = start();
    const close = request();
    begin();
    const all = zero();
    ends[0]?.();
    expect(await isOver(all)).to.equal(false);
    close();
    expect(await isOver(all)).to.equal(true);
  });
  it('the reference count is zero without requests and exchanges', async () => {
    const { ends, begin, zero } = start();
    expect(await isOver(zero())).to.equal(true);
    begin();
    ends[0]?.();
    expect(await isOver(zero())).to.equal(true);
  });
});
