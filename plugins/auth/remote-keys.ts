import type { KeyRecord, Services } from '../../core/api/index.ts';
import { createKeyCache, type KeyCache } from '../../core/api/internal.ts';
import type { RemoteSettings } from './options.ts';
import { readRemoteResponse } from './remote-response.ts';

/** A cache of the keys of the remote service, by hexadecimal digest. The service receives nothing but the digest. */
export function createRemoteKeys(
  { url, headers, timeoutMs, cacheMs, graceMs }: RemoteSettings,
  { fetch, clock, log }: Pick<Services, 'fetch' | 'clock' | 'log'>,
): KeyCache<Uint8Array, KeyRecord> {
  const sent = { ...headers, accept: 'application/json', 'content-type': 'application/json' };
  return createKeyCache<Uint8Array, KeyRecord>({
    find: async (digest) => {
      const { status, body } = await fetch(url, {
        method: 'POST',
        headers: sent,
        body: JSON.stringify({ sha256: Buffer.from(digest).toString('hex') }),
        timeoutMs,
      });
      return readRemoteResponse(status, body, digest);
    },
    clock,
    log,
    freshMs: cacheMs,
    graceMs,
    describe: 'The keys of the key service',
  });
}
