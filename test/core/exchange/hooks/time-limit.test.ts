import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { callHook, type HookWatch } from '../../../../core/exchange/hooks/hook.ts';

const TIMEOUT_MS = 50;

const watch: HookWatch = {
  timeout: TIMEOUT_MS,
  begin: () => undefined,
  noteWait: () => undefined,
  time: () => undefined,
  judge: (thrown) => thrown,
  wrong: (what) => new Error(what),
  late: () => new Error('too late'),
};

const call = async (result: Promise<string>): Promise<unknown> => {
  try {
    return await callHook(watch, { check: () => undefined }, () => result, undefined, undefined);
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the time limit of a hook', () => {
  it('refuses a hook that does not finish', async () => {
    expect(await call(new Promise(() => undefined))).to.equal('too late');
  });

  it('accepts a result that waits in a socket while the process is busy', async () => {
    const server = createServer();
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [peer] = await accepted;
    const pending = call(once(socket, 'data').then(([data]) => String(data)));

    peer.write('in time');
    const busyUntil = performance.now() + 4 * TIMEOUT_MS;
    while (performance.now() < busyUntil);

    expect(await pending).to.equal('in time');
    socket.destroy();
    peer.destroy();
    server.close();
  });
});
