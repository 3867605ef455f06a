import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { tick, Timer } from '../../../core/services/timer.ts';
import { until } from '../../support/until.ts';

const block = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

describe('a timer', () => {
  let server: Server;
  let [near, far]: readonly [Socket, Socket] = [undefined!, undefined!];
  before(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    [far] = (await once(server, 'connection')) as [Socket];
  });
  after(() => {
    near.destroy();
    server.close();
  });

  for (const ms of [100, 700])
    describe(`of ${ms} ms`, () => {
      it('fires after what arrived while the event loop was blocked', async () => {
        const order: string[] = [];
        const fired = new Promise<void>((resolve) => new Timer(ms, () => resolve(void order.push('timer'))));
        near.once('data', () => order.push('data'));
        // Timers follow, and sockets after them.
        await nextTurn();
        far.write('x');
        block(ms + 700);
        await fired;
        expect(order).to.deep.equal(['data', 'timer']);
      });

      it('does not fire if what arrived stops it', async () => {
        let fired = 0;
        const timer = new Timer(ms, () => (fired += 1));
        near.once('data', () => timer.stop());
        await nextTurn();
        far.write('x');
        block(ms + 700);
        await once(near, 'data');
        await nextTurn();
        await nextTurn();
        expect(fired).to.equal(0);
      });

      it('fires once, and later, if what arrived restarts it', async () => {
        let fired = 0;
        const timer = new Timer(ms, () => (fired += 1));
        near.once('data', () => timer.refresh());
        await nextTurn();
        far.write('x');
        block(ms + 700);
        await once(near, 'data');
        await nextTurn();
        await nextTurn();
        expect(fired).to.equal(0);
        await until('it fires', () => fired > 0);
        await wait(ms);
        expect(fired).to.equal(1);
      });
    });

  it('a tick fires those that are due, and no others', async () => {
    const fired: number[] = [];
    const timers = [600, 60_000].map((ms) => new Timer(ms, () => fired.push(ms)));
    block(700);
    tick();
    await nextTurn();
    expect(fired).to.deep.equal([600]);
    timers.forEach((timer) => timer.stop());
  });
});
