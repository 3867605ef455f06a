import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createConnectionLimit, networkOf } from '../../../../core/http/connection/connection-limit.ts';
import { listen } from '../../../../core/http/connection/listener.ts';
import { createLoadMemory, HostLoad } from '../../../../core/services/shared-memory/host-load.ts';
import { until } from '../../../support/until.ts';
import { stopListener } from '../koa-server.ts';

const TOO_MANY = 'connections_per_address';
const socketOf = (remoteAddress: string): Socket => Object.assign(new EventEmitter(), { remoteAddress }) as Socket;

describe('the connection limit of an address', () => {
  it('limits the connections of an address, and admits a new one after one has closed', () => {
    const limit = createConnectionLimit({ maxConnections: 100, connectionsPerAddress: 2, trustProxy: [] });
    const open = Array.from({ length: 3 }, () => socketOf('192.0.2.1'));
    expect(open.map(limit.admit)).to.deep.equal([undefined, undefined, TOO_MANY]);
    expect(limit.admit(socketOf('::ffff:192.0.2.1')), 'the same address, mapped').to.equal(TOO_MANY);
    expect(limit.admit(socketOf('192.0.2.2')), 'another address').to.equal(undefined);
    open[0]?.emit('close');
    expect([limit.admit(socketOf('192.0.2.1')), limit.admit(socketOf('192.0.2.1'))]).to.deep.equal([
      undefined,
      TOO_MANY,
    ]);
  });

  it('limits the connections of all addresses and of one over the threads of a process', () => {
    const memory = createLoadMemory(2);
    const settings = { maxConnections: 3, connectionsPerAddress: 2, trustProxy: [] };
    const [one, other] = [0, 1].map((thread) => createConnectionLimit(settings, new HostLoad(memory, thread)));
    const open = socketOf('192.0.2.1');
    expect([one!.admit(open), other!.admit(socketOf('192.0.2.1'))]).to.deep.equal([undefined, undefined]);
    expect([one!.admit(socketOf('192.0.2.1')), other!.admit(socketOf('192.0.2.1'))]).to.deep.equal([
      TOO_MANY,
      TOO_MANY,
    ]);
    expect(one!.admit(socketOf('127.0.0.1')), 'an exempt one').to.equal(undefined);
    expect(other!.admit(socketOf('127.0.0.1'))).to.equal('connections');
    open.emit('close');
    expect(other!.admit(socketOf('192.0.2.1'))).to.equal(undefined);
    new HostLoad(memory, 1).clear();
    expect([one!.admit(socketOf('192.0.2.1')), one!.admit(socketOf('192.0.2.1'))]).to.deep.equal([
      undefined,
      undefined,
    ]);
    expect(one!.admit(socketOf('192.0.2.2'))).to.equal('connections');
  });

  it('counts IPv6 connections per /64 network', () => {
    expect(
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::1', '2001:0db8:0001:0002::', '::1', '2001:db8::1', 'fe80::1:2:3:4:5'].map(
        networkOf,
      ),
    ).to.deep.equal(['2001:db8:1:2', '2001:db8:1:2', '2001:db8:1:2', '0:0:0:0', '2001:db8:0:0', 'fe80:0:0:1']);
    const limit = createConnectionLimit({ maxConnections: 100, connectionsPerAddress: 1, trustProxy: [] });
    expect([
      limit.admit(socketOf('2001:db8::1')),
      limit.admit(socketOf('2001:db8::2')),
      limit.admit(socketOf('2001:db8:0:1::1')),
    ]).to.deep.equal([undefined, TOO_MANY, undefined]);
  });

  it('does not count connections from this machine and from trusted proxies, which a reload can change', () => {
    const limit = createConnectionLimit({ maxConnections: 100, connectionsPerAddress: 1, trustProxy: ['10.0.0.0/8'] });
    const admit = (address: string): readonly boolean[] =>
      [1, 2].map(() => limit.admit(socketOf(address)) === undefined);
    expect([admit('127.0.0.1'), admit('::1'), admit('10.1.2.3'), admit('192.0.2.1')]).to.deep.equal([
      [true, true],
      [true, true],
      [true, true],
      [true, false],
    ]);
    limit.adopt({ connectionsPerAddress: 2, trustProxy: [] });
    expect([...admit('10.1.2.3'), ...admit('10.1.2.3')]).to.deep.equal([true, true, false, false]);
  });

  it('closes connections above the limit at once', async () => {
    let open = 0;
    const listener = await listen(
      (_request, response) => void response.end('ok'),
      { host: '127.0.0.1', port: 0 },
      {
        admit: () => (open += 1) <= 2,
        refused: () => {},
        failed: () => {},
      },
    );
    const closed: number[] = [];
    const sockets = [0, 1, 2].map((index) =>
      connect(listener.port, '127.0.0.1')
        .on('error', () => {})
        .on('close', () => closed.push(index)),
    );
    await until('the third is closed', () => closed.length > 0);
    expect(closed).to.deep.equal([2]);
    for (const socket of sockets) socket.destroy();
    await stopListener(listener);
  });
});
