import { expect } from 'chai';
import * as fc from 'fast-check';
import { readClientNetwork } from '../../../plugins/auth/client-network.ts';

describe('readClientNetwork', () => {
  for (const address of ['203.0.113.7', '127.0.0.1', '::1', '::', '::ffff:cb00:7107', '']) {
    it(`returns the address ${JSON.stringify(address)} itself`, () =>
      expect(readClientNetwork(address)).to.equal(address));
  }

  for (const [network, addresses] of [
    [
      '2001:db8:1:2',
      [
        '2001:db8:1:2:3:4:5:6',
        '2001:db8:1:2::',
        '2001:db8:1:2::1',
        '2001:DB8:0001:0002:0:0:0:1',
        '2001:db8:1:2:ffff:ffff:ffff:ffff',
      ],
    ],
    ['2001:db8:0:0', ['2001:db8::1', '2001:db8:0:0:1::', '2001:db8:0::5:6:7:8']],
    ['2001:0:0:1', ['2001:0:0:1::5', '2001::1:5:6:7:8']],
    ['fe80:0:0:0', ['fe80::1', 'fe80::1%eth0']],
    ['0:0:0:5', ['::5:1:2:3:4']],
    ['64:ff9b:0:0', ['64:ff9b::192.0.2.1']],
  ] as const) {
    it(`returns the network ${network} for all notations of its addresses`, () => {
      expect([...new Set(addresses.map(readClientNetwork))]).to.deep.equal([network]);
    });
  }

  it('returns the first half of any other IPv6 address', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    fc.assert(
      fc.property(
        fc.tuple(fc.integer({ min: 1, max: 0xffff }), group, group, group),
        fc.array(group, { minLength: 4, maxLength: 4 }),
        ([first, ...others], second) => {
          const network = [first.toString(16), ...others].join(':');
          expect(readClientNetwork(`${network}:${second.join(':')}`)).to.equal(network);
          expect(readClientNetwork(`${network}::${second[0]}`)).to.equal(network);
        },
      ),
    );
  });
});
