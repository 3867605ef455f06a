import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProblems } from '../../../../core/cli/check/find-problems.ts';
import { builtIns } from '../fixture-built-ins.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const read = (name: string): string => readFileSync(new URL(`../../../faults/tls/${name}`, import.meta.url), 'utf8');
const good = read('good.pem');
const key = read('server.key');

const rsaKey = (options: object = {}): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', ...options },
  }).privateKey;
const ecKey = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;

describe('koine check of the certificates of a listener', () => {
  const folder = createTemporaryFolder();
  after(() => folder.remove());

  /** The problems with these contents of the two files, without the position. */
  const check = async (cert: string | undefined, privateKey: string): Promise<readonly string[]> => {
    const file = join(folder.path, 'gateway.yaml');
    writeFileSync(file, 'server: { tls: { cert: ./cert.pem, key: "${KEY_FILE}" } }\n');
    if (cert !== undefined) writeFileSync(join(folder.path, 'cert.pem'), cert);
    writeFileSync(join(folder.path, 'key.pem'), privateKey);
    const env = { KEY_FILE: './key.pem' };
    const { problems } = await findProblems({ file, audit: false, builtIns, env });
    return problems
      .filter(({ rule }) => /certificate|unreadable/.test(rule))
      .map(({ severity, rule, message }) => `${severity} ${rule} ${message.replaceAll(`${folder.path}/`, '')}`);
  };
  const invalid = (text: string): readonly string[] => [`error invalid-certificate ${text}`];

  before(async () => {
    mkdirSync(folder.path, { recursive: true });
    expect(await check(undefined, key)).to.deep.equal([
      'error unreadable-file The file in server.tls.cert (cert.pem) cannot be read: there is no such file.',
    ]);
  });

  it('a good pair is accepted, also in one file', async () => {
    expect(await check(good, key)).to.deep.equal([]);
    expect(await check(good + key, good + key)).to.deep.equal([]);
  });

  it('a key of another certificate is refused, of the same kind or not', async () => {
    for (const other of [rsaKey(), ecKey()])
      expect(await check(good, other)).to.deep.equal(
        invalid(
          'server.tls.cert (cert.pem) and server.tls.key cannot be used for TLS: ' +
            'the private key does not belong to the certificate.',
        ),
      );
  });

  it('a file without a certificate or a key is refused, and its content is not shown', async () => {
    expect(await check('junk', key)).to.deep.equal(
      invalid('server.tls.cert (cert.pem) cannot be used for TLS: it contains no certificate in PEM.'),
    );
    expect(await check(good, 'junk')).to.deep.equal(
      invalid('server.tls.key cannot be used for TLS: it contains no private key in PEM.'),
    );
  });

  it('a file that is cut off is refused, also in the middle of its chain', async () => {
    const half = good.slice(0, good.length / 2);
    for (const cut of [half, good + half])
      expect(await check(cut, key)).to.deep.equal(
        invalid(
          'server.tls.cert (cert.pem) cannot be used for TLS: ' +
            'it is not a certificate that OpenSSL accepts: bad end line.',
        ),
      );
    expect((await check(good, key.slice(0, key.length / 2)))[0]).to.match(
      /server\.tls\.key cannot be used for TLS: it is not a private key that OpenSSL accepts: [\w ]+\.$/,
    );
  });

  it('a key with a passphrase is refused', async () => {
    const encrypted = rsaKey({ cipher: 'aes-256-cbc', passphrase: 'very-secret' });
    expect(await check(good, encrypted)).to.deep.equal(
      invalid('server.tls.key cannot be used for TLS: its private key has a passphrase, and must not have one.'),
    );
  });

  it('a certificate that has expired is a warning, also when it is further up in the chain', async () => {
    const expired = [
      'warning expired-certificate The certificate in server.tls.cert (cert.pem) ' +
        'expired at 2021-01-01T00:00:00.000Z. Clients refuse it.',
    ];
    expect(await check(read('expired.pem'), key)).to.deep.equal(expired);
    expect(await check(good + read('expired.pem'), key)).to.deep.equal(expired);
  });
});
