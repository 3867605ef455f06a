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
    ['is that of the peer without trusted proxies', [], '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['is that of the peer if the peer is not a trusted proxy', trusted, '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['is the entry of a proxy in a trusted range', trusted, '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['is the entry of a proxy with a trusted address', trusted, '192.0.2.7', '198.51.100.1', '198.51.100.1'],
    ['is not the entry of a neighbour of a trusted address', trusted, '192.0.2.8', '198.51.100.1', '192.0.2.8'],
    ['is the entry of an IPv6 proxy', trusted, 'fd00::1', '2001:db8::5', '2001:db8::5'],
    [
      'is not the first entry, which the client can have written',
      trusted,
      '10.1.2.3',
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['is found behind a chain of proxies', trusted, '10.1.2.3', '198.51.100.1, 10.9.9.9, 192.0.2.7', '198.51.100.1'],
    ['is that of the peer if all entries are proxies', trusted, '10.1.2.3', '10.9.9.9', '10.1.2.3'],
    ['is that of the peer without the header', trusted, '10.1.2.3', undefined, '10.1.2.3'],
    ['is that of the peer if the header is empty', trusted, '10.1.2.3', '', '10.1.2.3'],
    ['is never an entry that is not an address', trusted, '10.1.2.3', 'unknown, _hidden, <script>', '10.1.2.3'],
    ['can have white space around it', trusted, '10.1.2.3', ' 198.51.100.1 ,\t10.0.0.1 ', '198.51.100.1'],
    ['can have a port', trusted, '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['can be IPv6 with a port', trusted, '10.1.2.3', '[2001:db8::5]:4711, 10.0.0.1:80', '2001:db8::5'],
    ['can be IPv6 in brackets', trusted, '10.1.2.3', '[2001:db8::5]', '2001:db8::5'],
    ['is never a port without an address', trusted, '10.1.2.3', '1.1.1.1, :4711', '10.1.2.3'],
    ['is unwrapped from IPv4 in IPv6, in capitals', trusted, '10.1.2.3', '::FFFF:198.51.100.1', '198.51.100.1'],
    ['is read if the peer is IPv4 in IPv6', trusted, '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['is read if a hop is IPv4 in IPv6', trusted, '10.1.2.3', '198.51.100.1, ::ffff:10.0.0.1', '198.51.100.1'],
    ['is IPv4 if the socket reports IPv4 in IPv6', [], '::ffff:203.0.113.5', undefined, '203.0.113.5'],
    ['can be in several headers', trusted, '10.1.2.3', ['1.1.1.1', '198.51.100.1'], '198.51.100.1'],
    ['is empty if the socket is closed', trusted, undefined, '198.51.100.1', ''],
  ];
  for (const [what, trust, peer, forwarded, address] of cases) {
    it(`the address of a client ${what}`, () =>
      expect(createAddressReader(trust)(requestFrom(peer, forwarded))).to.equal(address));
  }

  it('does not search beyond a hop that cannot be parsed, since the client could have written the rest', () => {
    expect(createAddressReader(trusted)(requestFrom('10.1.2.3', '1.1.1.1, garbage'))).to.not.equal('1.1.1.1');
  });
});
