import type { Headers } from '../../canonical/wire.ts';
import type { UpstreamRequest } from '../../contracts/provider.ts';
import { isObject } from '../../canonical/members.ts';
import { redactBody } from '../../canonical/redact-body.ts';

/** What went over the wire, as nock's recorder saw it. Request headers are not recorded: they hold the key. */
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

const keepHeaders = (headers: unknown): Headers =>
  Object.fromEntries(Object.entries(isObject(headers) ? headers : {}).flatMap(([name, value]) => (kept.has(name.toLowerCase()) && typeof value === 'string' ? [[name.toLowerCase(), value]] : [])));

/** Sends one request by fetch, which is what the recorder of nock 15 sees, and gives back what it recorded. */
export const captureExchange = async ({ origin, path, headers, body }: UpstreamRequest): Promise<Captured> => {
  // A development dependency, and only this command needs it.
  const { default: nock } = await import('nock');
  nock.restore();
  nock.recorder.rec({ output_objects: true, dont_print: true, enable_reqheaders_recording: false });
  try {
    await (await fetch(origin + path, { method: 'POST', headers: { ...headers }, body: Buffer.from(body) })).arrayBuffer();
    const [first] = redactBody(nock.recorder.play()) as unknown[];
    if (!isObject(first)) throw new Error(`nothing was recorded of POST ${path}`);
    return { path: String(first['path']), request: first['body'], status: Number(first['status']), headers: keepHeaders(first['rawHeaders']), body: first['response'] };
  } finally {
    nock.recorder.clear();
    nock.restore();
  }
};
