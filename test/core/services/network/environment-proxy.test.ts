import { expect } from 'chai';
import { createEnvironmentProxy, isProxyUrl } from '../../../../core/services/network/environment-proxy.ts';

const proxies = { HTTPS_PROXY: 'http://secure.test:1', HTTP_PROXY: 'http://plain.test:2' };
const find = (env: NodeJS.ProcessEnv, protocol: string, host: string, port = 443): string | undefined =>
  createEnvironmentProxy(env)(protocol, host, port)?.host;

describe('the proxy of the environment', () => {
  it('is chosen by the scheme of the address, the lower-case variable first', () => {
    expect(find(proxies, 'https:', 'a.test')).to.equal('secure.test:1');
    expect(find(proxies, 'http:', 'a.test')).to.equal('plain.test:2');
    expect(find({ ...proxies, https_proxy: 'http://lower.test:3' }, 'https:', 'a.test')).to.equal('lower.test:3');
    expect(find({ HTTP_PROXY: 'http://plain.test:2' }, 'https:', 'a.test')).to.equal(undefined);
    expect(find({ HTTPS_PROXY: ' ' }, 'https:', 'a.test')).to.equal(undefined);
  });

  for (const [list, direct, proxied] of [
    ['a.test', ['a.test', 'A.TEST', 'b.a.test'], ['ba.test', 'a.test.b']],
    ['.a.test', ['a.test', 'b.a.test'], ['ba.test']],
    ['*.a.test', ['b.a.test'], ['c.test']],
    ['a.test:443 b.test:8443', ['a.test'], ['b.test']],
    ['*', ['a.test', '10.0.0.1'], []],
    ['10.0.0.1,,', ['10.0.0.1'], ['10.0.0.10', 'a.test']],
  ] as const)
    it(`a connection is direct where NO_PROXY is ${list}`, () => {
      for (const host of direct) expect(find({ ...proxies, NO_PROXY: list }, 'https:', host), host).to.equal(undefined);
      for (const host of proxied) expect(find({ ...proxies, no_proxy: list }, 'https:', host), host).to.be.a('string');
    });

  it('is an http or https URL without a path', () => {
    for (const url of ['http://p.test', 'HTTPS://p.test:8443/', 'http://a:b@p.test:1', 'http://a@p.test'])
      expect(isProxyUrl(url), url).to.equal(true);
    for (const url of ['p.test:1', 'socks5://p.test', 'http://p.test/x', 'http://p.test?x', 'http://'])
      expect(isProxyUrl(url), url).to.equal(false);
  });
});
