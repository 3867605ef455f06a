import { expect } from 'chai';
import { callOf } from '../support/calls.ts';
import { send } from '../support/http.ts';
import { rawRequest } from '../support/raw.ts';
import { until } from '../support/until.ts';
import { openRaw, type RawClient } from './support/raw-client.ts';
import { startWatched, type WatchedScene } from './support/witness.ts';

const CAP = 30;
const { path, body } = callOf('chat', 'simulator/chat');

describe('requests that arrive slowly', () => {
  let scene: WatchedScene;
  const clients: RawClient[] = [];
  before(async () => {
    scene = await startWatched({
      settings: { server: { headersTimeout: '1s', requestTimeout: '2s', maxConnections: CAP } },
    });
  });
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await scene.check();
  });
  after(() => scene.stop());

  const open = async (text: string): Promise<RawClient> => {
    const client = await openRaw(scene.gateway.url, text);
    clients.push(client);
    return client;
  };
  const drip = async (client: RawClient, text: string): Promise<void> => {
    for (const char of text) {
      if (client.ended || client.closed) return;
      client.socket.write(char);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  it('responds 408 to a head that arrives byte by byte, and closes the connection', async () => {
    const client = await open('POST ');
    await drip(client, rawRequest(path, body).slice(5));
    await until('the gateway has ended it', () => client.ended);
    expect(client.received)
      .to.match(/^HTTP\/1\.1 408 /)
      .and.include('"code":"request_timeout"')
      .and.match(/\r\nconnection: close\r\n/);
  });

  it('closes a connection that sends nothing', async () => {
    const client = await open('');
    await until('the gateway has ended it', () => client.ended);
    expect(client.received).to.match(/^HTTP\/1\.1 408 /);
  });

  it('responds 408 to a body that arrives byte by byte, and logs request_timeout', async () => {
    const logged = scene.gateway.exchanges().length;
    const client = await open(rawRequest(path, '', [`content-length: ${body.length}`]));
    await drip(client, body);
    await until('the gateway has ended it', () => client.ended);
    expect(client.received).to.match(/^HTTP\/1\.1 408 /);
    await scene.gateway.settled(logged + 1);
    expect(scene.gateway.exchanges()[logged]).to.include({
      status: 408,
      code: 'request_timeout',
      outcome: 'client_error',
    });
  });

  it('closes connections beyond server.maxConnections at once, and admits new ones when slow ones end', async () => {
    const first = await open(rawRequest(path, body));
    await until('the first is answered', () => first.received.includes('}}'));
    for (let index = 1; index < CAP; index += 1) await open('POST ');
    const refused = await open(rawRequest(path, body));
    await until('it is closed', () => refused.closed || refused.ended);
    expect(refused.received).to.equal('');
    first.received = '';
    first.socket.write(rawRequest(path, body));
    await until('the first is answered again', () => first.received.includes('}}'));
    expect(await scene.figure('koine_shed_total', { reason: 'connections' })).to.equal(1);
    // They keep their side open, and are closed even so.
    await until(
      'the slow ones have a response',
      () => clients.filter(({ received }) => received.startsWith('HTTP/1.1 408')).length === CAP - 1,
    );
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await send(scene.gateway.url, { path, body })).status).to.equal(200);
  });
});
