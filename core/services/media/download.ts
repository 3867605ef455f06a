import { once } from 'node:events';
import { Agent as HttpsAgent } from 'node:https';
import type { ExtendOptions, Request } from 'got';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { Agent as HttpAgent } from '../network/node-http.ts';
import { BlockedUrl, type Passage } from './url-check.ts';

/** Enough for a URL shortener and a change of host. */
const REDIRECTS = 2;

export interface DownloadOptions {
  readonly checkUrl: (text: string, base?: URL) => Passage;
  /** PEM certificates of a private authority. */
  readonly ca?: string;
}

/** Yields the body of a 200 in chunks. @throws any error; clients do not learn which */
export type Download = (url: string, signal: AbortSignal) => AsyncIterable<Buffer>;

/**
 * Downloads from URLs that pass the check. It has agents of its own, because a reused connection or a proxy of the
 * environment would bypass the check. Each request opens a new connection, since other rules can apply to the next one.
 */
export function createDownload({ checkUrl, ca }: DownloadOptions): Download {
  const options: ExtendOptions = omitUndefined({
    agent: { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) },
    decompress: false,
    followRedirect: false,
    headers: {
      'user-agent': 'koine',
      accept: 'image/*, application/pdf, audio/*;q=0.5',
      'accept-encoding': 'identity',
    },
    retry: { limit: 0 },
    throwHttpErrors: false,
    https: ca === undefined ? undefined : { certificateAuthority: ca },
  });
  const open = async ({ url, lookup }: Passage, signal: AbortSignal): Promise<Request> => {
    const { default: got } = await import('got');
    const stream = got.stream(url, { ...options, dnsLookup: lookup, signal });
    // An error between two reads is reported by the next read.
    stream.on('error', () => {});
    await once(stream, 'response');
    return stream;
  };

  const openFinal = async (start: string, signal: AbortSignal): Promise<Request> => {
    let passage = checkUrl(start);
    for (let redirects = 0; ; redirects += 1) {
      const stream = await open(passage, signal);
      const { statusCode, headers } = stream.response ?? {};
      if (statusCode === 200) return stream;
      stream.destroy();
      if (headers?.location === undefined || statusCode === undefined || statusCode < 300 || statusCode >= 400)
        throw new BlockedUrl(`the status is ${statusCode ?? 'missing'}`);
      if (redirects === REDIRECTS) throw new BlockedUrl('there are too many redirects');
      passage = checkUrl(headers.location, passage.url);
    }
  };

  return async function* download(url, signal) {
    const stream = await openFinal(url, signal);
    try {
      for await (const chunk of stream) yield chunk as Buffer;
    } finally {
      stream.destroy();
    }
  };
}
