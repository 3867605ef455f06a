import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readDuration, type Services } from '../../../core/api/index.ts';
import { openBucket } from '../../../providers/identity/aws/bucket.ts';
import type { S3Options } from '../schema.ts';
import type { Sink } from './sink.ts';

const compress = promisify(gzip);

/** `2026/11/23/host-175501-1f0c9a3e.ndjson.gz`. A write that is repeated has the same name, so it leaves one object. */
const nameOf = (time: number, content: Uint8Array): string => {
  const [day = '', clock = ''] = new Date(time).toISOString().split('T');
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 8);
  const host = hostname().replaceAll(/[^\w.-]/g, '_');
  return `${day.replaceAll('-', '/')}/${host}-${clock.slice(0, 8).replaceAll(':', '')}-${digest}.ndjson.gz`;
};

/** Writes objects of compressed lines to a bucket, by the API of Amazon S3. */
export async function createS3(options: S3Options, services: Services): Promise<Sink> {
  const bucket = await openBucket(options, services);
  return {
    name: 's3',
    gatherMs: readDuration(options.every),
    repeats: true,
    write: async (lines) => {
      const body = await compress(lines.map(({ text }) => `${text}\n`).join(''));
      await bucket.put(nameOf(lines[0]?.time ?? 0, body), 'application/gzip', body);
    },
    close: () => bucket.close(),
  };
}
