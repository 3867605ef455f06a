import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { createBodyPace } from '../../../../core/http/request/body-pace.ts';
import { until } from '../../../support/until.ts';

describe('the rate of bodies', () => {
  it('ends only bodies that are slower than the required average after the grace period', async () => {
    const clock = { now: 0 };
    const pace = createBodyPace({ perSecond: 1_000, grace: 10_000 }, () => clock.now, 1);
    const ended: string[] = [];
    const add = (name: string, received: number) => {
      const body = { received, tooSlow: () => void ended.push(name) };
      pace.watch(body);
      return { body, forget: () => pace.forget(body) };
    };
    const slow = add('slow', 9_999);
    const quick = add('quick', 11_000);
    const gone = add('gone', 0);
    gone.forget();
    clock.now = 10_000;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ended).to.deep.equal([]);

    clock.now = 10_001;
    const late = add('late', 0);
    await until('the slow one is ended', () => ended.length > 0);
    slow.forget();
    expect(new Set(ended)).to.deep.equal(new Set(['slow']));

    clock.now = 20_000;
    await until('what was quick is too slow by now', () => ended.includes('quick'));
    expect(ended).to.not.include('late');
    quick.forget();
    late.forget();
  });

  it('counts what arrived while the event loop was blocked', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [socket] = (await once(server, 'connection')) as [Socket];
    const body = { received: 0, isSlow: false, tooSlow: () => void (body.isSlow = true) };
    socket.on('data', (chunk: Buffer) => (body.received += chunk.byteLength));
    const pace = createBodyPace({ perSecond: 1_000, grace: 200 }, () => performance.now(), 200);
    pace.watch(body);
    // Timers follow, and sockets after them.
    await nextTurn();
    client.write('x'.repeat(10_000));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    await wait(500);
    expect(body).to.include({ received: 10_000, isSlow: false });
    pace.forget(body);
    client.destroy();
    server.close();
  });
});
