import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { KEY } from './gateway.ts';

/** A connection to a gateway, over TLS where its address says so. @param ready it can be written to */
export const dial = (url: string, ready: () => void, allowHalfOpen = false): Socket => {
  const { protocol, hostname: host, port } = new URL(url);
  return protocol === 'https:'
    ? connectTls({ host, port: Number(port) }, ready)
    : connect({ host, port: Number(port), allowHalfOpen }, ready);
};

/** Sends text as it is, and gives back all that comes until the connection ends or falls silent. */
export const sendRaw = (
  url: string,
  text: string,
  until: (received: string) => boolean = () => false,
): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = '';
    const socket = dial(url, () => socket.write(text, 'latin1'));
    const done = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket
      .setTimeout(1_000, done)
      .setEncoding('latin1')
      .on('data', (chunk: string) => {
        received += chunk;
        if (until(received)) done();
      });
    socket.once('end', done).once('error', reject);
  });

/** A request of HTTP/1.1 with more header lines, or others in the place of its own. */
export const rawRequest = (path: string, body: string, lines: readonly string[] = [], version = '1.1'): string =>
  [
    `POST ${path} HTTP/${version}`,
    'host: gateway',
    `authorization: Bearer ${KEY}`,
    'anthropic-version: 2023-06-01',
    ...(lines.some((line) => /^(?:content-length|transfer-encoding)/i.test(line))
      ? []
      : [`content-length: ${Buffer.byteLength(body)}`]),
    ...lines,
    '',
    body,
  ].join('\r\n');
