import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Resolve } from '../../core/services/media/url-check.ts';

/** A server on loopback that records its requests. */
export interface MediaServer {
  readonly port: number;
  readonly asked: { readonly path: string; readonly headers: NodeJS.Dict<string | string[]> }[];
  close(): Promise<void>;
}

const listen = async (server: Server, asked: MediaServer['asked']): Promise<MediaServer> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
};

const noting =
  (asked: MediaServer['asked'], answer: RequestListener): RequestListener =>
  (request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    answer(request, response);
  };

export const serveMedia = (answer: RequestListener): Promise<MediaServer> => {
  const asked: MediaServer['asked'] = [];
  return listen(createServer(noting(asked, answer)), asked);
};

/** With its own certificate for `media.test`; undefined if openssl is not installed. */
export const serveMediaSecurely = async (
  answer: RequestListener,
): Promise<(MediaServer & { readonly ca: string }) | undefined> => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-media-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=media.test',
    '-addext',
    'subjectAltName=DNS:media.test',
    '-keyout',
    keyFile,
    '-out',
    certFile,
  ]);
  if (made.status !== 0) return undefined;
  const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
  rmSync(folder, { recursive: true });
  const asked: MediaServer['asked'] = [];
  const server = await listen(createSecureServer({ cert, key }, noting(asked, answer)), asked);
  return { ...server, ca: cert };
};

/** A resolver that returns this machine for every name. */
export const resolveToLoopback: Resolve = (_hostname, _options, done) =>
  done(null, [{ address: '127.0.0.1', family: 4 }]);

export const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64, 1)]);
