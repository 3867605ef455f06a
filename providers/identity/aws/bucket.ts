import type { JsonObject, Services } from '../../../core/api/index.ts';
import { openAws } from './open.ts';
import { awsSchemas, type AwsSettings } from './settings.ts';

const TIMEOUT_MS = 30_000;

/** The settings of an extension that writes objects by the API of Amazon S3. */
export interface BucketSettings extends AwsSettings {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint?: string;
  readonly prefix: string;
}

/** The JSON Schemas of {@link BucketSettings}. @param prefix an example of a prefix */
export const bucketSchemas = (prefix: string) =>
  ({
    bucket: { description: 'Name of the bucket.', type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$' },
    region: {
      description: 'Region of the bucket. Services without regions: what they document, such as `auto`.',
      type: 'string',
      minLength: 1,
      examples: ['eu-west-1'],
    },
    endpoint: {
      description: 'URL of a compatible service; the bucket is in the path. Default: that of AWS in the region.',
      type: 'string',
      pattern: '^https?://',
      examples: ['https://minio.internal:9000'],
    },
    prefix: {
      description: 'What the names of the objects begin with.',
      type: 'string',
      pattern: '^([A-Za-z0-9._=-][A-Za-z0-9._=/-]*)?$',
      default: '',
      examples: [prefix],
    },
    ...awsSchemas,
  }) satisfies Record<keyof BucketSettings, JsonObject>;

/** A bucket of Amazon S3 or a compatible service. */
export interface Bucket {
  /**
   * Writes an object, and replaces one of that name.
   * @param name below the prefix
   * @throws Error unless the bucket has it
   */
  put(name: string, contentType: string, body: Uint8Array): Promise<void>;
  close(): void;
}

/** Codes of credentials that ended or were replaced. */
const outdated = new Set(['ExpiredToken', 'InvalidAccessKeyId', 'InvalidToken', 'TokenRefreshRequired']);

/** Other services than AWS have the bucket in the path, and so have buckets with dots, which no certificate covers. */
const addressOf = ({ bucket, region, endpoint }: BucketSettings): string => {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
};

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Opens a bucket with the AWS credentials of the settings. Nothing is sent before the first object. */
export async function openBucket(
  settings: BucketSettings,
  services: Pick<Services, 'clock' | 'fetch' | 'log'>,
): Promise<Bucket> {
  const { region, prefix } = settings;
  const { credential, sign, close } = await openAws(settings, { service: 's3', region }, services);
  const { origin, pathname } = new URL(addressOf(settings));
  const folder = `${pathname.replace(/\/+$/, '')}/${encodePath(prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`)}`;
  return {
    put: async (name, contentType, body) => {
      const path = folder + encodePath(name);
      await credential.ready?.();
      const unsigned = { method: 'PUT', origin, path, headers: { 'content-type': contentType }, body } as const;
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
