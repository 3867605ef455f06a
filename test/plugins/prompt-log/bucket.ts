import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { decryptLine, readKey } from '../../../plugins/prompt-log/encryption.ts';
import { verify } from '../../providers/identity/aws/verify-signature.ts';

export const encryptionKey = Buffer.alloc(32, 7).toString('base64');

/** The records of an object. */
export const readObject = (content: Buffer): readonly Record<string, unknown>[] =>
  gunzipSync(content)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(decryptLine([readKey(encryptionKey)], line)) as Record<string, unknown>);

/** A bucket that computes the signature of each request by itself. */
export interface Bucket {
  readonly url: string;
  /** Objects by their paths. */
  readonly objects: Map<string, Buffer>;
  /** Tokens of the sessions that called, the last one last. */
  readonly sessions: (string | undefined)[];
  /** Secret access keys by session token; `''` without a session. */
  secrets: Readonly<Record<string, string>>;
  /** Instead of success: a status and a code after the object was stored, or no answer. */
  failure: { readonly status: number; readonly code: string } | 'silence' | undefined;
  refusals: number;
  stop(): Promise<void>;
}

const describeError = (code: string): string => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

export async function startBucket(): Promise<Bucket> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url: path = '', headers } = request;
    const session = headers['x-amz-security-token'];
    bucket.sessions.push(typeof session === 'string' ? session : undefined);
    if (bucket.failure === 'silence') return;
    const refuse = (status: number, code: string): void => {
      bucket.refusals += 1;
      response.writeHead(status, { 'content-type': 'application/xml' }).end(describeError(code));
    };
    const secret = bucket.secrets[String(session ?? '')];
    if (secret === undefined) return refuse(400, 'ExpiredToken');
    const body = Buffer.concat(chunks);
    if (method !== 'PUT' || !verify({ method, path, headers, body }, secret, 's3'))
      return refuse(403, 'SignatureDoesNotMatch');
    bucket.objects.set(path, body);
    if (bucket.failure !== undefined) return refuse(bucket.failure.status, bucket.failure.code);
    response.end();
  });
  // A connection that this server closes while a request is on its way would fail that request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bucket: Bucket = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: new Map(),
    sessions: [],
    secrets: {},
    failure: undefined,
    refusals: 0,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return bucket;
}
