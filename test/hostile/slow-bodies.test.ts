import { expect } from 'chai';
import { networkInterfaces } from 'node:os';
import { callOf } from '../support/calls.ts';
import { KEY } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { rawRequest } from '../support/raw.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { wires } from '../matrix/wires.ts';
import { until } from '../support/until.ts';
import { startGatewayProcess, type GatewayProcess } from './support/gateway-process.ts';
import { openRaw, type RawClient } from './support/raw-client.ts';

const LIMITED = 'limited-key-0123456789abcdef';
const FREE = 'free-key-0123456789abcdef';
/** More than the process serves at once. */
const MANY = 400;
const IN_FLIGHT = 300;
const model = 'simulator/chat';
const { path, body } = callOf('chat', model);

const keyed = (key: string): string => rawRequest(path, '', [`content-length: ${body.length}`]).replace(KEY, key);

describe('row 5: bodies that arrive byte by byte', () => {
  let upstream: TestUpstream;
  let gateway: GatewayProcess;
  const clients: RawClient[] = [];
  before(async () => {
    upstream = await startUpstream();
  });
  after(() => upstream.stop());
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await gateway.end();
  });

  const start = async (server: object): Promise<void> => {
    const keys = { alice: { key: KEY }, limited: { key: LIMITED, limits: [{ concurrent: 1 }] }, free: { key: FREE } };
    gateway = await startGatewayProcess({
      upstream: upstream.url,
      settings: {
        server,
        organizations: { acme: { projects: { web: { keys } } } },
        plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'rate-limit' }],
      },
    });
  };
  const open = async (text: string): Promise<RawClient> => {
    const client = await openRaw(gateway.url, text);
    clients.push(client);
    return client;
  };
  const openMany = async (count: number, text: string): Promise<readonly RawClient[]> => {
    const opened: RawClient[] = [];
    while (opened.length < count)
      opened.push(
        ...(await Promise.all(Array.from({ length: Math.min(100, count - opened.length) }, () => open(text)))),
      );
    return opened;
  };
  /** Sends one more byte on each, until the condition is met. */
  const dripUntil = async (what: string, dripping: readonly RawClient[], test: () => boolean): Promise<void> => {
    const timer = setInterval(
      () => dripping.forEach(({ socket, ended, closed }) => ended || closed || socket.write(' ')),
      200,
    );
    await until(what, test).finally(() => clearInterval(timer));
  };
  const statusOf = ({ received }: RawClient): string => received.slice(9, 12);
  const askOther = async (): Promise<number> => (await send(gateway.url, { path, body })).status;

  it(`lets ${MANY} bodies of a key with concurrent: 1 hold one place, and refuses the others before their bodies`, async () => {
    await start({ overload: { inFlight: IN_FLIGHT, lag: '1m' }, bodyRate: { grace: '5m' } });
    const slow = await openMany(MANY, keyed(LIMITED));
    expect(await askOther()).to.equal(200);
    await dripUntil(
      'all but one are refused',
      slow,
      () => slow.filter(({ received }) => received !== '').length >= MANY - 1,
    );
    expect(new Set(slow.filter(({ received }) => received !== '').map(statusOf))).to.deep.equal(new Set(['429']));
    expect(await askOther()).to.equal(200);
    await dripUntil(
      'their connections are closed',
      slow,
      () => slow.filter(({ ended, closed }) => ended || closed).length >= MANY - 1,
    );
    expect(
      slow.filter(({ received, closed }) => received === '' && !closed),
      'still being read',
    ).to.have.length(1);
    expect(await gateway.figure('koine_shed_total')).to.equal(0);
  });

  it('leaves capacity for other keys if a key without limits sends slow bodies, which end with 408', async () => {
    await start({ overload: { inFlight: 50, lag: '1m' }, bodyRate: { perSecond: '1kb', grace: '3s' } });
    const slow = await openMany(200, keyed(FREE));
    expect(await askOther(), 'another key').to.equal(200);
    await dripUntil('all are answered', slow, () => slow.every(({ received }) => received !== ''));
    const statuses = slow.map(statusOf);
    expect(new Set(statuses)).to.deep.equal(new Set(['408', '429']));
    const late = slow.find((client) => statusOf(client) === '408');
    expect(late?.received)
      .to.include('"code":"request_timeout"')
      .and.include('server.bodyRate')
      .and.match(/\r\nconnection: close\r\n/i);
    await until('all are closed', () => slow.every(({ ended, closed }) => ended || closed));
    expect(await gateway.figure('koine_shed_total', { reason: 'key_in_flight' })).to.equal(
      statuses.filter((status) => status === '429').length,
    );
    const lines = gateway.exchanges().filter(({ status }) => status === 408);
    expect(lines.length).to.be.above(0);
    for (const line of lines)
      expect(line).to.include({ key_alias: 'free', code: 'request_timeout', outcome: 'client_error' });
    expect(await askOther()).to.equal(200);
  });

  it('refuses slow bodies in every wire', async () => {
    await start({ overload: { lag: '1m' }, bodyRate: { perSecond: '1kb', grace: '100ms' } });
    for (const wire of wires) {
      const { path: address } = callOf(wire, model);
      const client = await open(rawRequest(address, '', ['content-length: 100']));
      await until('it is refused', () => client.received.includes('}'));
      expect(client.received, wire)
        .to.match(/^HTTP\/1\.1 4(?:08|00) /)
        .and.include('server.bodyRate');
    }
  });

  it('closes the connection of a slow body without a valid key or without a route', async () => {
    await start({});
    const unknown = await open(keyed('wrong-key-0123456789abcdef'));
    const nowhere = await open(rawRequest('/nowhere', '', ['content-length: 1000']));
    await dripUntil('both are answered', [unknown, nowhere], () => unknown.received !== '' && nowhere.received !== '');
    expect([statusOf(unknown), statusOf(nowhere)]).to.deep.equal(['401', '404']);
    expect(unknown.received).to.match(/\r\nconnection: close\r\n/i);
    await dripUntil('both are closed', [unknown, nowhere], () =>
      [unknown, nowhere].every(({ ended, closed }) => ended || closed),
    );
  });

  it('closes connections beyond server.connectionsPerAddress at once, and does not count loopback', async function () {
    // Loopback is exempt: the clients of this test come from another address of this machine.
    const address = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    if (address === undefined) this.skip();
    await start({ host: '0.0.0.0', connectionsPerAddress: 3 });
    const { port } = new URL(gateway.url);
    const connect = async (host: string): Promise<RawClient> => {
      const client = await openRaw(`http://${host}:${port}`, '');
      clients.push(client);
      return client;
    };
    const far = [await connect(address), await connect(address), await connect(address), await connect(address)];
    await until('the fourth is closed', () => far[3]?.ended === true || far[3]?.closed === true);
    const near = await Promise.all(Array.from({ length: 5 }, () => connect('127.0.0.1')));
    expect([...far.slice(0, 3), ...near].some(({ ended, closed }) => ended || closed)).to.equal(false);
    expect(await gateway.figure('koine_shed_total', { reason: 'connections_per_address' })).to.equal(1);
    far[0]?.socket.destroy();
    await until(
      'there is room again',
      async () => (await send(`http://${address}:${port}`, { path, body }).catch(() => ({ status: 0 }))).status === 200,
    );
  });

  it('keeps the connection of a client that sends the rest of its body in time after a refusal', async () => {
    await start({ overload: { inFlight: 1, lag: '1m' } });
    const first = await open(keyed(FREE));
    const refused = await open(rawRequest(path, body.slice(0, 5), [`content-length: ${body.length}`]));
    await until('it is refused', () => refused.received.includes('}'));
    expect(statusOf(refused)).to.equal('503');
    refused.socket.write(body.slice(5));
    first.socket.write(body);
    await until('the first is answered', () => first.received.includes('}}'));
    refused.received = '';
    refused.socket.write(rawRequest(path, body));
    await until('the next one is answered', () => refused.received.includes('}}'));
    expect(statusOf(refused)).to.equal('200');
  });
});
