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

/** Longer than any response takes. */
const SILENCE_MS = 40_000;

/**
 * Sends text as it is, and returns all that comes until the connection ends.
 * @param until ends it earlier: for responses after which the connection stays open
 */
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
      .setTimeout(SILENCE_MS, () => socket.destroy(new Error(`The connection is silent after: ${received}`)))
      .setEncoding('latin1')
      .on('data', (chunk: string) => {
        received += chunk;
        if (until(received)) done();
      });
    socket.once('end', done).once('error', reject);
  });

/** Whether a response is whole, by its length or its last chunk. */
export const isWhole = (received: string): boolean => {
  const [head = '', ...rest] = received.replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, '').split('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  return length === undefined ? received.endsWith('\r\n0\r\n\r\n') : rest.join('\r\n\r\n').length === Number(length);
};

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
