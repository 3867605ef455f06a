import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findProblems } from '../../../../core/cli/check/find-problems.ts';
import { builtIns } from '../fixture-built-ins.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const read = (name: string): string => readFileSync(new URL(`../../../faults/tls/${name}`, import.meta.url), 'utf8');
const cert = read('good.pem');
const key = read('server.key');
const pem = { type: 'pkcs8', format: 'pem' } as const;
const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export(pem).toString();
const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem).toString();

describe('koine check of the certificates of a provider', () => {
  const folder = createTemporaryFolder();
  before(() => mkdirSync(folder.path, { recursive: true }));
  after(() => folder.remove());

  const check = async (tls: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const file = join(folder.path, 'gateway.yaml');
    writeFileSync(file, stringify({ providers: { vendor: { use: 'vendor', tls } } }));
    const { problems } = await findProblems({ file, audit: false, builtIns, env: {} });
    return problems
      .filter(({ rule }) => /certificate|unreadable/.test(rule))
      .map(({ rule, message }) => `${rule} ${message}`);
  };

  it('a good pair and a good authority are accepted, as texts and as files', async () => {
    expect(await check({ ca: cert, cert, key })).to.deep.equal([]);
    writeFileSync(join(folder.path, 'cert.pem'), cert);
    writeFileSync(join(folder.path, 'key.pem'), key);
    expect(await check({ ca: 'cert.pem', cert: 'cert.pem', key: 'key.pem' })).to.deep.equal([]);
  });

  it('a key of another certificate is refused for a provider, of the same kind or not', async () => {
    for (const other of [rsaKey, ecKey])
      expect(await check({ cert, key: other })).to.deep.equal([
        'invalid-certificate providers.vendor.tls cannot be used for TLS: ' +
          'the private key does not belong to the certificate.',
      ]);
  });

  it('the setting that has no certificate, or no key, is named', async () => {
    for (const [tls, message] of [
      [{ ca: key }, 'providers.vendor.tls.ca is not a certificate in PEM that OpenSSL accepts: no start line.'],
      [{ cert: key, key }, 'providers.vendor.tls.cert cannot be used for TLS: it contains no certificate in PEM.'],
      [{ cert, key: cert }, 'providers.vendor.tls.key cannot be used for TLS: it contains no private key in PEM.'],
      [{ key }, 'providers.vendor.tls needs both cert and key, or none of them.'],
    ] as const)
      expect(await check(tls)).to.deep.equal([`invalid-certificate ${message}`]);
  });
});
