import { expect } from 'chai';
import type { IncomingMessage } from 'node:http';
import { createAddressReader } from '../../../../core/http/request/client-address.ts';

const requestFrom = (peer: string | undefined, forwarded?: string | string[]): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  const trusted = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'];
  const cases: readonly (readonly [
    what: string,
    trust: readonly string[],
    peer: string | undefined,
    forwarded: string | string[] | undefined,
    address: string,
  ])[] = [
    ['is the peer’s without proxies', [], '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['is the peer’s where the peer is no proxy', trusted, '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['is what a proxy of a range wrote', trusted, '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['is what a proxy of one address wrote', trusted, '192.0.2.7', '198.51.100.1', '198.51.100.1'],
    ['is not what a neighbour of that address wrote', trusted, '192.0.2.8', '198.51.100.1', '192.0.2.8'],
    ['is what an IPv6 proxy wrote', trusted, 'fd00::1', '2001:db8::5', '2001:db8::5'],
    ['is not what the client itself put first', trusted, '10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['is behind a chain of proxies', trusted, '10.1.2.3', '198.51.100.1, 10.9.9.9, 192.0.2.7', '198.51.100.1'],
    ['is the peer’s where only proxies are named', trusted, '10.1.2.3', '10.9.9.9', '10.1.2.3'],
    ['is the peer’s where nothing is named', trusted, '10.1.2.3', undefined, '10.1.2.3'],
    ['is the peer’s where the header is empty', trusted, '10.1.2.3', '', '10.1.2.3'],
    ['is not garbage', trusted, '10.1.2.3', 'unknown, _hidden, <script>', '10.1.2.3'],
    ['may have white space around it', trusted, '10.1.2.3', ' 198.51.100.1 ,\t10.0.0.1 ', '198.51.100.1'],
    ['may be written with its port', trusted, '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['may be IPv6 with a port', trusted, '10.1.2.3', '[2001:db8::5]:4711, 10.0.0.1:80', '2001:db8::5'],
    ['may be IPv6 in brackets', trusted, '10.1.2.3', '[2001:db8::5]', '2001:db8::5'],
    ['is not a port without an address', trusted, '10.1.2.3', '1.1.1.1, :4711', '10.1.2.3'],
    ['is read through IPv4 in IPv6, in capitals', trusted, '10.1.2.3', '::FFFF:198.51.100.1', '198.51.100.1'],
    ['is read through IPv4 in IPv6, of the peer', trusted, '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['is read through IPv4 in IPv6, of a hop', trusted, '10.1.2.3', '198.51.100.1, ::ffff:10.0.0.1', '198.51.100.1'],
    ['is IPv4 where the socket says it in IPv6', [], '::ffff:203.0.113.5', undefined, '203.0.113.5'],
    ['may stand in several headers', trusted, '10.1.2.3', ['1.1.1.1', '198.51.100.1'], '198.51.100.1'],
    ['is empty where the socket is gone', trusted, undefined, '198.51.100.1', ''],
  ];
  for (const [what, trust, peer, forwarded, address] of cases) {
    it(what, () => expect(createAddressReader(trust)(requestFrom(peer, forwarded))).to.equal(address));
  }

  it('is not looked for behind a hop that cannot be read: what is left of it could be the client’s own', () => {
    expect(createAddressReader(trusted)(requestFrom('10.1.2.3', '1.1.1.1, garbage'))).to.not.equal('1.1.1.1');
  });
});
