import { expect } from 'chai';
import { compileSchema } from '../../../core/config/validate/validate.ts';
import { createTestServices } from '../../../core/testing/index.ts';
import auth from '../../../plugins/auth/index.ts';
import { readFailureRule, readRemoteSettings, type AuthOptions } from '../../../plugins/auth/options.ts';

const url = 'https://keys.internal/check';

describe('the options of the auth plugin', () => {
  const accepts = compileSchema(auth.schema);

  for (const options of [
    {},
    { failures: false },
    { failures: true },
    { failures: {} },
    { failures: { limit: 1, per: '90s', block: '1d' } },
    { remote: { url } },
    { remote: { url, headers: { authorization: 'Bearer x' }, timeout: '250ms', cache: '1s', grace: '2h' } },
  ]) {
    it(`accepts the options ${JSON.stringify(options)}`, () =>
      expect(accepts(structuredClone(options))).to.equal(true));
  }

  for (const options of [
    { header: 'x-key' },
    { failures: 20 },
    { failures: { limit: 0 } },
    { failures: { limit: 1.5 } },
    { failures: { per: 60 } },
    { failures: { per: '1 minute' } },
    { failures: { window: '1m' } },
    { remote: {} },
    { remote: url },
    { remote: { url: 'keys.internal' } },
    { remote: { url: 'file:///keys' } },
    { remote: { url, headers: { authorization: 1 } } },
    { remote: { url, retries: 3 } },
  ]) {
    it(`rejects the options ${JSON.stringify(options)}`, () =>
      expect(accepts(structuredClone(options))).to.equal(false));
  }

  it('reads the same settings with and without explicit defaults', () => {
    const filled: AuthOptions = { failures: {}, remote: { url } };
    expect(accepts(filled)).to.equal(true);
    expect(filled).to.deep.equal({
      failures: { limit: 20, per: '1m', block: '1m' },
      remote: { url, headers: {}, timeout: '2s', cache: '10s', grace: '1h' },
    });
    for (const options of [filled, { failures: true, remote: { url } }]) {
      expect(readFailureRule(options)).to.deep.equal({ limit: 20, perMs: 60_000, blockMs: 60_000 });
      expect(readRemoteSettings(options)).to.deep.equal({
        url,
        headers: {},
        timeoutMs: 2_000,
        cacheMs: 10_000,
        graceMs: 3_600_000,
      });
    }
    expect(readFailureRule({})).to.deep.equal(readFailureRule(filled));
  });

  it('turns throttling off with failures: false, and has no key service by default', () => {
    expect([readFailureRule({ failures: false }), readRemoteSettings({})]).to.deep.equal([undefined, undefined]);
  });

  for (const [options, message] of [
    [{ failures: { per: '999ms' } }, 'failures.per must be a duration between 1s and 1d, not 999ms.'],
    [{ failures: { block: '25h' } }, 'failures.block must be a duration between 1s and 1d, not 25h.'],
    [{ remote: { url, timeout: '0s' } }, 'remote.timeout must be a duration between 10ms and 1m, not 0s.'],
    [{ remote: { url, timeout: '2m' } }, 'remote.timeout must be a duration between 10ms and 1m, not 2m.'],
    [{ remote: { url: 'https://' } }, 'remote.url must be a complete URL, such as https://keys.internal/check.'],
  ] as const) {
    it(`fails the start with the options ${JSON.stringify(options)}`, () => {
      expect(() => auth.create(options, createTestServices())).to.throw(message);
    });
  }

  it('exports a plugin named auth with the current API version', () => {
    expect(auth).to.include({ kind: 'plugin', name: 'auth', apiVersion: 1 });
  });
});
