import { expect } from 'chai';
import { channel } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:http';
import { isIP, type AddressInfo, type Socket } from 'node:net';
import { createUndiciTransport } from '../../../core/dispatch/undici-transport.ts';
import type { GatewayError } from '../../../core/errors/gateway-error.ts';
import type { Resolve } from '../../../core/services/network/checked-lookup.ts';
import { isMetadataAddress, isMetadataHost } from '../../../core/services/network/metadata-address.ts';

/** Every spelling of metadata addresses and names. */
const forbidden = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '2852039166',
  '0xa9fea9fe',
  '0xA9.0xFE.0xA9.0xFE',
  '0251.0376.0251.0376',
  '025177524776',
  '169.254.43518',
  '169.16689662',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[0:0:0:0:0:ffff:a9fe:aa02]',
  '[::ffff:6464:64c8]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b::a9fe:aa02]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[64:ff9b:1:a9fe:a9:fe00::]',
  '[64:ff9b::6464:64c8]',
  '[64:ff9b:1:6464:64:c800::]',
  '[2002:a9fe:a9fe::]',
  '[2002:a9fe:aa02::1]',
  '[2002:6464:64c8:1::1]',
  '[::a9fe:a9fe]',
  '[::ffff:0:a9fe:a9fe]',
  '[fd00:ec2::254]',
  '[fd00:0ec2:0:0:0:0:0:0254]',
  '[fd20:ce::254]',
  '[fe80::a9fe:a9fe]',
  'metadata.google.internal',
  'METADATA.google.internal.',
  'metadata',
  'metadata.goog',
  'instance-data.ec2.internal',
  'metadata.tencentyun.com',
];
/** A provider can be on a private network. */
const permitted = [
  '127.0.0.1',
  '10.0.0.1',
  '192.168.1.1',
  '172.16.0.1',
  '100.64.0.1',
  '[::1]',
  '[fd00::1]',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::a00:1]',
  '[2002:a00:1::]',
  'vllm.internal',
  'api.openai.com',
  '100.100.100.201',
  '168.63.129.17',
];

const none = new AbortController().signal;
const answering =
  (...addresses: readonly string[]): Resolve =>
  (_hostname, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );

describe('an address at which a cloud hands out credentials', () => {
  let server: Server;
  let port = 0;
  let attempts = 0;
  const count = (message: unknown): void =>
    void (message as { readonly socket: Socket }).socket.on('connectionAttempt', () => (attempts += 1));
  before(async () => {
    server = createServer((request, response) => request.resume().once('end', () => response.end('{}')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => {
    attempts = 0;
    channel('net.client.socket').subscribe(count);
  });
  afterEach(() => channel('net.client.socket').unsubscribe(count));
  after(() => void server.close());

  /** The status of one call, or the reason why there is none. */
  const call = async (
    host: string,
    settings: { readonly resolve?: Resolve; readonly allowMetadata?: readonly string[] } = {},
  ): Promise<number | GatewayError> => {
    const transport = createUndiciTransport({ connect: 500, ...settings });
    try {
      const { status, body } = await transport.send(
        { origin: `http://${host}:${port}`, path: '/', headers: {}, body: Buffer.from('{}') },
        none,
      );
      for await (const _chunk of body);
      return status;
    } catch (error) {
      return error as GatewayError;
    } finally {
      await transport.close();
    }
  };

  for (const host of forbidden) {
    it(`recognises the metadata address ${host}, and does not connect to it`, async () => {
      const { hostname } = new URL(`http://${host}`);
      expect(isMetadataHost(hostname)).to.equal(true);
      expect(await call(host))
        .to.include({ code: 'upstream_unreachable' })
        .and.to.have.property('message')
        .that.includes('hands out credentials');
      expect(attempts).to.equal(0);
    });
  }

  it('does not mistake the address of an internal provider for a metadata address', () => {
    for (const host of permitted) expect(isMetadataHost(new URL(`http://${host}`).hostname), host).to.equal(false);
    expect(isMetadataAddress('fe80::a9fe:a9fe%eth0')).to.equal(true);
  });

  it('does not connect to a name that resolves to a metadata address, whatever else it resolves to', async () => {
    for (const found of [
      ['169.254.169.254'],
      ['127.0.0.1', '169.254.170.2'],
      ['127.0.0.1', '::ffff:a9fe:a9fe'],
      ['64:ff9b::a9fe:a9fe'],
      [],
    ]) {
      expect(await call('vendor.test', { resolve: answering(...found) }), found.join())
        .to.have.property('message')
        .that.includes('hands out credentials');
    }
    expect(attempts).to.equal(0);
  });

  it('connects to the checked address only, even if a second resolution returns a metadata address', async () => {
    let asked = 0;
    const rebinding: Resolve = (hostname, options, done) => {
      asked += 1;
      answering(asked === 1 ? '127.0.0.1' : '169.254.169.254')(hostname, options, done);
    };
    expect(await call('vendor.test', { resolve: rebinding })).to.equal(200);
    expect(asked).to.equal(1);
    expect(attempts).to.equal(1);
  });

  it('connects to a metadata address that the operator allows by name', async () => {
    expect(await call('127.0.0.1')).to.equal(200);
    // Nothing listens there: it counts that a connection was tried.
    expect(await call('2852039166', { allowMetadata: ['169.254.169.254'] }))
      .to.have.property('message')
      .that.does.not.include('hands out credentials');
    expect(attempts).to.equal(2);
    expect(
      await call('metadata.google.internal', {
        allowMetadata: ['metadata.google.internal'],
        resolve: answering('127.0.0.1'),
      }),
    ).to.equal(200);
    expect(await call('169.254.170.2', { allowMetadata: ['169.254.169.254'] }))
      .to.have.property('message')
      .that.includes('hands out credentials');
  });
});
