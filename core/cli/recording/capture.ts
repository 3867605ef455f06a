import type { Headers } from '../../canonical/wire.ts';
import type { UpstreamRequest } from '../../contracts/extension.ts';
import { redactBody } from '../../canonical/text/redact-body.ts';

/** A request and its response. Request headers are not recorded: they hold the key. */
export interface Captured {
  readonly path: string;
  readonly request: unknown;
  readonly status: number;
  readonly headers: Headers;
  /** Text where the response is a stream, else JSON. */
  readonly body: unknown;
}

/** Response headers that belong to the response itself. Others are the vendor's accounting of the caller. */
const kept = new Set(['content-type', 'retry-after', 'x-should-retry']);

const keepHeaders = (headers: Iterable<[string, string]>): Headers =>
  Object.fromEntries([...headers].filter(([name]) => kept.has(name)));

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Sends one request and returns it with its response, secrets masked. */
export async function captureExchange(request: UpstreamRequest): Promise<Captured> {
  const { origin, path, headers, body } = request;
  const response = await fetch(origin + path, {
    method: 'POST',
    // Some servers end a connection after a number of requests, just when the next one is sent.
    headers: { ...headers, connection: 'close' },
    body: Buffer.from(body),
  });
  const [shownPath, sent, received] = redactBody([
    path,
    parseBody(Buffer.from(body).toString()),
    parseBody(await response.text()),
  ]) as readonly [string, unknown, unknown];
  return {
    path: shownPath,
    request: sent,
    status: response.status,
    headers: keepHeaders(response.headers),
    body: received,
  };
}
