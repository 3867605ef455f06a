import { expect } from 'chai';
import { createAuthority, hasOpenssl } from '../../support/certificates.ts';
import { startConnectProxy, type ConnectProxy } from '../../support/connect-proxy.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { callBoth, startVendor, vendorSettings, type Vendor } from './vendor.ts';

const both = ['Good day.', 'Good day.'];
const PASSWORD = 'a-secret-of-the-proxy-4711';

describe('the proxy of a provider', () => {
  let vendor: Vendor;
  let proxy: ConnectProxy | undefined;
  let gateway: TestGateway | undefined;
  beforeEach(async () => {
    vendor = await startVendor();
  });
  afterEach(async () => {
    await gateway?.stop();
    await proxy?.stop();
    await vendor.stop();
    const text = JSON.stringify(gateway?.lines ?? []);
    expect(text)
      .to.not.include(PASSWORD)
      .and.not.include(Buffer.from(`me:${PASSWORD}`).toString('base64'));
    [gateway, proxy] = [undefined, undefined];
  });

  const start = async (proxyUrl: string | undefined, baseUrl: string, more: object = {}): Promise<TestGateway> => {
    const settings = { ...(proxyUrl === undefined ? {} : { proxy: proxyUrl }), ...more };
    gateway = await startTestGateway(vendorSettings(baseUrl, settings));
    return gateway;
  };
  const faultOf = async ({ url, settled, exchanges }: TestGateway): Promise<string> => {
    const { status } = await callBoth(url).then(
      () => ({ status: 200 }),
      (error: { readonly status: number }) => error,
    );
    await settled(1);
    return `${status} ${JSON.stringify(exchanges()[0])}`;
  };

  it('a proxy carries the calls of both wires, and its connections are reused', async () => {
    proxy = await startConnectProxy();
    const address = `vendor.test:${vendor.port}`;
    const { url } = await start(`http://127.0.0.1:${proxy.port}`, `http://${address}`);
    for (let call = 0; call < 3; call += 1) expect(await callBoth(url)).to.deep.equal(both);
    expect(proxy.tunnels.map((tunnel) => tunnel.address)).to.deep.equal([address, address]);
    expect(proxy.tunnels[0]?.headers).to.not.have.property('proxy-authorization');
    expect(vendor.connections()).to.equal(2);
  });

  it('a proxy gets its name and password, and nothing of the request', async () => {
    proxy = await startConnectProxy(`me:${PASSWORD}`);
    const { url } = await start(`http://me:${PASSWORD}@127.0.0.1:${proxy.port}`, `http://vendor.test:${vendor.port}`);
    expect(await callBoth(url)).to.deep.equal(both);
    expect(proxy.tunnels).to.have.length(2);
    expect(JSON.stringify(proxy.tunnels)).to.not.include('upstream-secret');
  });

  it('a proxy that refuses the password makes the provider unreachable', async () => {
    proxy = await startConnectProxy('me:another');
    const running = await start(`http://me:${PASSWORD}@127.0.0.1:${proxy.port}`, `http://vendor.test:${vendor.port}`);
    expect(await faultOf(running)).to.match(/^502 .*upstream_unreachable.*status 407/);
    expect(vendor.connections()).to.equal(0);
  });

  it('a proxy that is down makes the provider unreachable', async () => {
    proxy = await startConnectProxy();
    await proxy.stop();
    const running = await start(`http://127.0.0.1:${proxy.port}`, `http://127.0.0.1:${vendor.port}`);
    expect(await faultOf(running)).to.match(/^502 .*upstream_unreachable.*ECONNREFUSED/);
    expect(vendor.connections()).to.equal(0);
  });

  it('a proxy that drops the tunnel before it responds makes the provider unreachable', async () => {
    proxy = await startConnectProxy();
    const running = await start(`http://127.0.0.1:${proxy.port}`, 'http://vendor.test:9');
    expect(await faultOf(running)).to.match(/^502 .*upstream_unreachable/);
  });

  it('TLS goes through the tunnel, and its name is checked there', async function () {
    if (!hasOpenssl() && process.env['CI'] !== 'true') this.skip();
    const folder = createTemporaryFolder();
    const authority = createAuthority(folder.path);
    await vendor.stop();
    vendor = await startVendor(authority.issue('vendor.test'));
    folder.remove();
    proxy = await startConnectProxy();
    const tls = { ca: authority.ca };
    const { url } = await start(`http://127.0.0.1:${proxy.port}`, `https://vendor.test:${vendor.port}`, { tls });
    for (let call = 0; call < 2; call += 1) expect(await callBoth(url)).to.deep.equal(both);
    expect(proxy.tunnels).to.have.length(2);
    await gateway?.stop();
    const running = await start(`http://127.0.0.1:${proxy.port}`, `https://other.test:${vendor.port}`, { tls });
    expect(await faultOf(running)).to.match(/^502 .*upstream_tls/);
  });

  it('metadata addresses are refused through a proxy as well', async () => {
    proxy = await startConnectProxy();
    const more = { config: { apiKey: 'k', baseUrl: `http://metadata.google.internal:${vendor.port}` } };
    const failure = await start(`http://127.0.0.1:${proxy.port}`, '', more).catch((error: Error) => error.message);
    expect(failure).to.match(/cloud metadata address/);
  });

  describe('from the environment', () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];
    const saved = new Map(names.map((name) => [name, process.env[name]]));
    beforeEach(() => names.forEach((name) => delete process.env[name]));
    afterEach(() => {
      for (const [name, value] of saved)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    });

    it('the variables are used where the setting says so, and not otherwise', async () => {
      proxy = await startConnectProxy();
      process.env['HTTP_PROXY'] = `http://127.0.0.1:${proxy.port}`;
      expect(await callBoth((await start(undefined, `http://127.0.0.1:${vendor.port}`)).url)).to.deep.equal(both);
      expect(proxy.tunnels).to.have.length(0);
      await gateway?.stop();
      const { url } = await start('environment', `http://vendor.test:${vendor.port}`);
      expect(await callBoth(url)).to.deep.equal(both);
      expect(proxy.tunnels).to.have.length(2);
    });

    it('NO_PROXY makes connections direct', async () => {
      proxy = await startConnectProxy();
      process.env['HTTP_PROXY'] = `http://127.0.0.1:${proxy.port}`;
      process.env['NO_PROXY'] = 'internal.test, 127.0.0.1';
      expect(await callBoth((await start('environment', `http://127.0.0.1:${vendor.port}`)).url)).to.deep.equal(both);
      expect(proxy.tunnels).to.have.length(0);
    });
  });
});
