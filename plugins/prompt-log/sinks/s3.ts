import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readDuration, type Services } from '../../../core/api/index.ts';
import { openAws } from '../../../core/api/internal.ts';
import type { S3Options } from '../schema.ts';
import type { Sink } from './sink.ts';

const TIMEOUT_MS = 30_000;
const compress = promisify(gzip);

/** Codes of credentials that ended or were replaced. */
const outdated = new Set(['ExpiredToken', 'InvalidAccessKeyId', 'InvalidToken', 'TokenRefreshRequired']);

/** Other services than AWS have the bucket in the path, and so have buckets with dots, which no certificate covers. */
const addressOf = ({ bucket, region, endpoint }: S3Options): string => {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
};

/** `2026/11/23/host-175501-1f0c9a3e.ndjson.gz`. A write that is repeated has the same name, so it leaves one object. */
const nameOf = (time: number, content: Uint8Array): string => {
  const [day = '', clock = ''] = new Date(time).toISOString().split('T');
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 8);
  const host = hostname().replaceAll(/[^\w.-]/g, '_');
  return `${day.replaceAll('-', '/')}/${host}-${clock.slice(0, 8).replaceAll(':', '')}-${digest}.ndjson.gz`;
};

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Writes objects of compressed lines to a bucket, by the API of Amazon S3. */
export async function createS3(options: S3Options, services: Services): Promise<Sink> {
  const { region, prefix, every } = options;
  const { credential, sign, close } = await openAws(options, { service: 's3', region }, services);
  const { origin, pathname } = new URL(addressOf(options));
  const folder = `${pathname.replace(/\/+$/, '')}/${encodePath(prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`)}`;
  return {
    name: 's3',
    gatherMs: readDuration(every),
    repeats: true,
    write: async (lines) => {
      const body = await compress(lines.map(({ text }) => `${text}\n`).join(''));
      const path = folder + encodePath(nameOf(lines[0]?.time ?? 0, body));
      await credential.ready?.();
      const unsigned = { method: 'PUT', origin, path, headers: { 'content-type': 'application/gzip' }, body } as const;
      const { headers } = await sign(unsigned, {});
      const { status, body: answer } = await services.fetch(origin + path, {
        method: 'PUT',
        headers,
        body,
        timeoutMs: TIMEOUT_MS,
      });
      if (status >= 200 && status < 300) return;
      const code = /<Code>(\w+)<\/Code>/.exec(Buffer.from(answer).toString())?.[1] ?? '';
      if (outdated.has(code)) await credential.renew?.();
      throw new Error(`the bucket answered with status ${status} ${code}`.trimEnd());
    },
    close,
  };
}
