import type { Headers } from '../../canonical/wire.ts';
import type { UpstreamRequest } from '../../contracts/extension.ts';
import type { RecordedResponse } from '../../testing/recording.ts';
import { redactBody } from '../../canonical/text/redact-body.ts';

/** A request and its response. Request headers are not recorded: they hold the key. */
export interface Captured {
  readonly path: string;
  readonly request: unknown;
  readonly response: RecordedResponse;
}

/** Response headers that belong to the response itself. Others are the vendor's accounting of the caller. */
const keptHeaders = new Set(['content-type', 'retry-after', 'x-should-retry']);

const keepHeaders = (headers: Iterable<[string, string]>): Headers =>
  Object.fromEntries([...headers].filter(([name]) => keptHeaders.has(name)));

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const isFile = (headers: Headers): boolean =>
  /^(?:audio\/|application\/octet-stream)/.test(headers['content-type'] ?? '');

/** A body that is text is a stream. */
const describeBody = (headers: Headers, bytes: Buffer): Pick<RecordedResponse, 'body' | 'text' | 'file'> => {
  if (isFile(headers)) return { file: bytes.toString('base64') };
  const body = redactBody(parseBody(bytes.toString()));
  return typeof body === 'string' ? { text: body } : { body };
};

/**
 * Sends one request and returns it with its response, secrets masked.
 * @param form is sent instead of the body, which has its fields
 */
export async function captureExchange(request: UpstreamRequest, form?: FormData): Promise<Captured> {
  const { origin, path, headers, body } = request;
  const { 'content-type': _type, ...others } = headers;
  const response = await fetch(origin + path, {
    method: 'POST',
    // Some servers end a connection after a number of requests, just when the next one is sent.
    headers: { ...(form === undefined ? headers : others), connection: 'close' },
    body: form ?? Buffer.from(body),
  });
  const kept = keepHeaders(response.headers);
  const [shownPath, sent] = redactBody([path, parseBody(Buffer.from(body).toString())]) as readonly [string, unknown];
  return {
    path: shownPath,
    request: sent,
    response: {
      status: response.status,
      headers: kept,
      ...describeBody(kept, Buffer.from(await response.arrayBuffer())),
    },
  };
}
