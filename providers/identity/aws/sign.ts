import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import type { SignatureV4 as Signature } from '@smithy/signature-v4';
import type { Headers, Clock } from '../../../core/api/index.ts';

/** AWS credentials: https://docs.aws.amazon.com/IAM/latest/UserGuide/security-creds.html */
export interface Identity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** SHA-256 of Node, which is faster than one in JavaScript, for the library that signs. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBytes(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  /** The library creates a new instance for each digest. */
  reset(): void {}
}

const toBytes = (data: string | ArrayBuffer | ArrayBufferView): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data, 'utf8');
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/** What is signed of a request. */
interface Signable {
  /** Default `POST`. */
  readonly method?: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Adds the headers of a signature. Headers that other parties may change are sent, but not signed. */
export type Sign = <R extends Signable>(request: R, unsigned: Headers) => Promise<R>;

/** The service that is called, and its region. */
export interface AwsService {
  /** As in scopes of signatures: `s3`. */
  readonly service: string;
  readonly region: string;
}

/**
 * Creates a signer by Signature Version 4, and loads the library for it.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * @param read the current credentials
 */
export async function createSigner(
  { service, region }: AwsService,
  read: () => Identity,
  clock: Pick<Clock, 'now'>,
): Promise<Sign> {
  const { SignatureV4 } = await import('@smithy/signature-v4');
  const signer: Signature = new SignatureV4({
    service,
    region,
    sha256: Sha256,
    // The segments of paths are encoded twice, except those of S3.
    uriEscapePath: service !== 's3',
    credentials: async () => read(),
  });
  return async (request, unsigned) => {
    const { protocol, host, hostname } = new URL(request.origin);
    const [pathname = '', query = ''] = request.path.split('?');
    const { headers } = await signer.sign(
      {
        method: request.method ?? 'POST',
        protocol,
        hostname,
        path: pathname,
        query: Object.fromEntries(new URLSearchParams(query)),
        headers: { ...request.headers, host },
        body: request.body,
      },
      { signingDate: new Date(clock.now()) },
    );
    // The HTTP client writes `host` itself.
    const { host: _host, ...signed } = headers;
    return { ...request, headers: { ...unsigned, ...signed } };
  };
}
