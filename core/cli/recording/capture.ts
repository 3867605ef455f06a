import type { Headers } from '../../canonical/wire.ts';
import type { UpstreamRequest } from '../../contracts/provider.ts';
import { redactBody } from '../../canonical/text/redact-body.ts';

/** What went over the wire. Request headers are not recorded: they hold the key. */
export interface Captured {
  readonly path: string;
  readonly request: unknown;
  readonly status: number;
  readonly headers: Headers;
  /** Text where the answer was not JSON: a stream. */
  readonly body: unknown;
}

/** Response headers that say something of the answer; the rest is the vendor's accounting of who asked. */
const kept = new Set(['content-type', 'retry-after', 'x-should-retry']);

const keepHeaders = (headers: Iterable<[string, string]>): Headers =>
  Object.fromEntries([...headers].filter(([name]) => kept.has(name)));

/** Text that is not JSON, as a stream's, stays text. */
const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Sends one request, and gives back what went over the wire. Request headers are left out: they hold the key. */
export async function captureExchange(request: UpstreamRequest): Promise<Captured> {
  const { origin, path, headers, body } = request;
  const answer = await fetch(origin + path, { method: 'POST', headers: { ...headers }, body: Buffer.from(body) });
  const [shownPath, sent, received] = redactBody([
    path,
    parseBody(Buffer.from(body).toString()),
    parseBody(await answer.text()),
  ]) as readonly [string, unknown, unknown];
  return {
    path: shownPath,
    request: sent,
    status: answer.status,
    headers: keepHeaders(answer.headers),
    body: received,
  };
}
