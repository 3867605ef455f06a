import { expect } from 'chai';
import { isAllowableAddress, isPublicAddress } from '../../../../core/services/media/addresses.ts';
import { BlockedUrl, createUrlCheck, type Resolve } from '../../../../core/services/media/url-check.ts';

/** A resolver that returns these addresses for every name, one list after the other. */
const answering =
  (...answers: readonly (readonly string[])[]): Resolve =>
  (_hostname, _options, done) => {
    const addresses = (answers.length > 1 ? (answers as string[][]).shift() : answers[0]) ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

const isRefused = (text: string, allow: readonly string[] = []): boolean => {
  try {
    createUrlCheck({ allow, resolve: answering([]) })(text);
    return false;
  } catch (thrown) {
    if (thrown instanceof BlockedUrl) return true;
    throw thrown;
  }
};

/** The addresses that a connection to the URL gets. */
const connect = (text: string, resolve: Resolve, allow: readonly string[] = [], all = true): Promise<unknown> =>
  new Promise((done) => {
    const { url, lookup } = createUrlCheck({ allow, resolve })(text);
    lookup(url.hostname, { all }, (error, address) => done(error ?? address));
  });

const privateAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.1.2.3',
  '168.63.129.16',
  '169.254.169.254',
  '169.254.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:a00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%lo',
  'fec0::1',
  'ff02::1',
  '5f00::1',
  'nonsense',
  '',
];
const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '193.0.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
];

describe('the check of URLs of media', () => {
  describe('addresses', () => {
    for (const address of privateAddresses)
      it(`treats the address ${JSON.stringify(address)} as not public`, () =>
        expect(isPublicAddress(address)).to.equal(false));
    it('treats addresses outside of the blocked nets as public, up to each boundary', () => {
      expect(publicAddresses.filter((address) => !isPublicAddress(address))).to.deep.equal([]);
    });
    it('never allows addresses where clouds hand out credentials, in any notation', () => {
      for (const address of [
        '169.254.169.254',
        '::ffff:169.254.169.254',
        '::ffff:a9fe:a9fe',
        '64:ff9b::a9fe:a9fe',
        'fd00:ec2::254',
        '100.100.100.200',
        'fe80::1%lo',
        'x',
      ])
        expect(isAllowableAddress(address), address).to.equal(false);
      for (const address of ['10.0.0.1', '127.0.0.1', '::1', 'fd00::1'])
        expect(isAllowableAddress(address), address).to.equal(true);
    });
  });

  describe('URLs', () => {
    const refused = [
      'http://example.test/a.png',
      'ftp://example.test/a',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
      'javascript:1',
      'gopher://example.test',
      'nonsense',
      '',
      '//example.test/a',
      'https://',
      'https://user@example.test/',
      'https://user:secret@example.test/',
      'https://:secret@example.test/',
      'https://good.test@10.0.0.1/',
      'https://example.test:8443/',
      'https://example.test:80/',
      'https://example.test:22/',
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0177.0.0.1/',
      'https://0x7f.1/',
      'https://127.0.0.1./',
      'https://①②⑦.0.0.1/',
      'https://0/',
      'https://134744072/',
      'https://0x08080808/',
      'https://010.8.8.8/',
      'https://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/',
      'https://192.168.0.1/',
      'https://100.64.0.1/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://[fd00:ec2::254]/',
      'https://[fe80::1]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[2002:7f00:1::]/',
      'https://[::]/',
    ];
    for (const text of refused)
      it(`refuses the media URL ${JSON.stringify(text)}`, () => expect(isRefused(text)).to.equal(true));

    it('the check accepts a public https URL, with or without its port', () => {
      expect(
        [
          'https://example.test/a.png?b=c',
          'https://example.test:443/',
          'https://8.8.8.8/',
          'https://[2606:4700::1111]/',
        ].filter((text) => isRefused(text)),
      ).to.deep.equal([]);
    });

    it('parses a URL once, so that other parsers’ reading of a backslash does not matter', () => {
      expect(createUrlCheck({ allow: [] })('https://good.test\\@10.0.0.1/').url.href).to.equal(
        'https://good.test/@10.0.0.1/',
      );
    });

    it('accepts exactly the origins that the operator allows, and never a password', () => {
      const allow = ['http://127.0.0.1:9000', 'http://files.internal'];
      expect(isRefused('http://127.0.0.1:9000/a.png', allow)).to.equal(false);
      expect(isRefused('http://files.internal/a.png', allow)).to.equal(false);
      for (const text of [
        'http://127.0.0.1:9001/',
        'https://127.0.0.1:9000/',
        'http://files.internal:81/',
        'http://user@127.0.0.1:9000/',
      ])
        expect(isRefused(text, allow), text).to.equal(true);
      expect(isRefused('http://169.254.169.254/', ['http://169.254.169.254'])).to.equal(true);
    });
  });

  describe('names', () => {
    it('resolves a name to the checked addresses, one or all as the connection requests', async () => {
      const resolve = answering(['1.1.1.1', '2606:4700::1111']);
      expect(await connect('https://example.test/', resolve)).to.deep.equal([
        { address: '1.1.1.1', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ]);
      expect(await connect('https://example.test/', resolve, [], false)).to.equal('1.1.1.1');
    });

    it('refuses a name if one of its addresses is not public', async () => {
      for (const addresses of [['127.0.0.1'], ['1.1.1.1', '10.0.0.1'], ['1.1.1.1', '::1'], []])
        expect(await connect('https://localtest.test/', answering(addresses))).to.be.instanceOf(BlockedUrl);
    });

    it('checks the addresses of a name for every connection, which uses the checked addresses', async () => {
      const resolve = answering(['1.1.1.1'], ['127.0.0.1']);
      expect(await connect('https://rebind.test/', resolve)).to.deep.equal([{ address: '1.1.1.1', family: 4 }]);
      expect(await connect('https://rebind.test/', resolve)).to.be.instanceOf(BlockedUrl);
    });

    it('allows a private address for the name of an allowed origin, but never cloud credentials', async () => {
      expect(await connect('http://files.internal/', answering(['10.0.0.1']), ['http://files.internal'])).to.deep.equal(
        [{ address: '10.0.0.1', family: 4 }],
      );
      expect(
        await connect('http://files.internal/', answering(['169.254.169.254']), ['http://files.internal']),
      ).to.be.instanceOf(BlockedUrl);
    });

    it('refuses a name that does not exist', async () => {
      const missing: Resolve = (_hostname, _options, done) =>
        done(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }), []);
      expect(await connect('https://example.test/', missing)).to.be.instanceOf(Error);
    });
  });
});
