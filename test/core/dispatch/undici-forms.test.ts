import { expect } from 'chai';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { createUndiciTransport } from '../../../core/dispatch/undici-transport.ts';
import { SpooledUpload, type TypedFile } from '../../../core/http/upload/form-content.ts';
import { Spool } from '../../../core/http/upload/spool.ts';

const tls = (name: string): string => readFileSync(new URL(`../../faults/tls/${name}`, import.meta.url), 'utf8');
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Begins when the buffers of the system are full, so that what was written waits in the gateway. */
const readSlowly = async (request: IncomingMessage): Promise<Buffer> => {
  const read: Buffer[] = [];
  await pause(300);
  for await (const chunk of request) {
    read.push(chunk as Buffer);
    if (read.length % 64 === 0) await pause(5);
  }
  return Buffer.concat(read);
};

describe('a form that is sent from disk to a provider that reads slowly', () => {
  const files = [20_000_000, 65_536, 70_000, 1].map((length) => randomBytes(length));
  let received: Buffer = Buffer.alloc(0);
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received = await readSlowly(request);
    response.end('ok');
  };
  const respond: RequestListener = (request, response) => void receive(request, response);

  const send = async (server: Server, scheme: string): Promise<void> => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const spool = await Spool.open({ store: () => {}, release: () => {} }, 0);
    const transport = createUndiciTransport({
      connect: 2_000,
      tls: { context: createSecureContext({ ca: tls('ca.pem') }), serverName: 'localhost' },
    });
    try {
      const stored: TypedFile[] = [];
      for (const bytes of files) {
        const start = spool.length;
        await spool.write(bytes);
        const { length } = bytes;
        stored.push({ name: 'image[]', kind: 'image', filename: 'a.png', type: 'image/png', start, length });
      }
      const upload = new SpooledUpload(new Map([['image[]', stored]]), spool, undefined).write({
        'model': 'm',
        'image[]': stored.map(() => ({})),
      });
      const reply = await transport.send(
        {
          origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
          path: '/',
          headers: { 'content-type': upload.contentType, 'content-length': String(upload.length) },
          body: Buffer.alloc(0),
          upload,
        },
        new AbortController().signal,
      );
      for await (const chunk of reply.body) expect(Buffer.from(chunk).toString()).to.equal('ok');
      expect(received.length).to.equal(upload.length);
    } finally {
      await transport.close();
      await spool.close();
      server.close();
    }
    const form = await new Response(new Uint8Array(received), {
      headers: {
        'content-type': `multipart/form-data; boundary=${received.subarray(2, received.indexOf('\r')).toString()}`,
      },
    }).formData();
    const arrived = await Promise.all(form.getAll('image[]').map((file) => new Response(file).bytes()));
    expect(arrived.map(sha)).to.deep.equal(files.map(sha));
  };

  it('arrives unchanged', () => send(createServer(respond), 'http'));
  it('arrives unchanged over TLS', () =>
    send(createSecureServer({ cert: tls('good.pem'), key: tls('server.key') }, respond), 'https'));
});
