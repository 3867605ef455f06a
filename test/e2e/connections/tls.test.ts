import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority, hasOpenssl, type Authority } from '../../support/certificates.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { callBoth, startVendor, vendorSettings, type Vendor } from './vendor.ts';

const both = ['Good day.', 'Good day.'];

describe('TLS to a provider', () => {
  const folder = createTemporaryFolder();
  let authority: Authority;
  let vendor: Vendor | undefined;
  let gateway: TestGateway | undefined;
  before(function () {
    if (!hasOpenssl() && process.env['CI'] !== 'true') this.skip();
    authority = createAuthority(folder.path);
    writeFileSync(join(folder.path, 'trusted.pem'), authority.ca);
  });
  afterEach(async () => {
    await gateway?.stop();
    await vendor?.stop();
    expect(JSON.stringify(gateway?.lines ?? [])).to.not.include('PRIVATE KEY');
    [gateway, vendor] = [undefined, undefined];
  });
  after(() => folder.remove());

  const start = async (tls: object): Promise<TestGateway> => {
    gateway = await startTestGateway(vendorSettings(`https://127.0.0.1:${vendor?.port}`, { tls }));
    return gateway;
  };
  /** The fault of a call in the access log. */
  const faultOf = async ({ url, settled, exchanges }: TestGateway): Promise<string> => {
    const { status } = await callBoth(url).then(
      () => ({ status: 200 }),
      (error: { readonly status: number }) => error,
    );
    await settled(1);
    return `${status} ${JSON.stringify(exchanges()[0])}`;
  };

  it('a private authority and a name are trusted, from a file or as text', async () => {
    vendor = await startVendor(authority.issue('vendor.test'));
    for (const ca of [join(folder.path, 'trusted.pem'), authority.ca]) {
      expect(await callBoth((await start({ ca, serverName: 'vendor.test' })).url)).to.deep.equal(both);
      await gateway?.stop();
    }
  });

  it('a private authority is refused without the setting', async () => {
    vendor = await startVendor(authority.issue('vendor.test'));
    expect(await faultOf(await start({ serverName: 'vendor.test' }))).to.match(/^502 .*upstream_tls/);
  });

  it('a certificate with another name is upstream_tls', async () => {
    vendor = await startVendor(authority.issue('vendor.test'));
    const { ca } = authority;
    expect(await faultOf(await start({ ca, serverName: 'other.test' }))).to.match(/^502 .*upstream_tls/);
    expect(vendor.clients).to.deep.equal([]);
  });

  it('a certificate of the gateway is presented, and a vendor that requires one refuses without it', async () => {
    const { ca } = authority;
    const mutual = { ...authority.issue('vendor.test'), ca, requestCert: true, rejectUnauthorized: true };
    vendor = await startVendor(mutual);
    const client = authority.issue('gateway.test');
    expect(await callBoth((await start({ ca, serverName: 'vendor.test', ...client })).url)).to.deep.equal(both);
    expect(vendor.clients).to.deep.equal(['gateway.test', 'gateway.test']);
    await gateway?.stop();
    expect(await faultOf(await start({ ca, serverName: 'vendor.test' }))).to.match(/^502 .*upstream_(tls|reset)/);
    expect(vendor.clients).to.have.length(2);
  });

  it('a changed file takes effect by a reload, and an unchanged one keeps the connections', async () => {
    const other = createAuthority(folder.path, 'other');
    const file = join(folder.path, 'rotated.pem');
    writeFileSync(file, other.ca);
    vendor = await startVendor(authority.issue('vendor.test'));
    const { url, gateway: running } = await start({ ca: file, serverName: 'vendor.test' });
    expect(await callBoth(url).catch((error: { readonly status: number }) => error.status)).to.equal(502);
    expect(running.reloads.files).to.include(file);
    writeFileSync(file, authority.ca);
    const { result, changed } = await running.reloads.request('signal');
    expect([result, changed]).to.deep.equal(['reloaded', ['providers.openai.tls.ca', 'providers.anthropic.tls.ca']]);
    expect(await callBoth(url)).to.deep.equal(both);
    const before = vendor.connections();
    expect((await running.reloads.request('signal')).result).to.equal('unchanged');
    expect(await callBoth(url)).to.deep.equal(both);
    expect(vendor.connections()).to.equal(before);
  });
});
