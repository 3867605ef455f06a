import { invalidRequest, type CacheMark, type JsonObject } from '../../../core/api/index.ts';
import type { Members } from '../../../core/api/codec.ts';

/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching. The default `ttl` is five minutes. */
export function readCacheMark(members: Members): { readonly cache?: CacheMark } {
  const mark = members.object('cache_control');
  if (mark === undefined) return {};
  const type = mark.requiredString('type');
  if (type !== 'ephemeral') throw invalidRequest(mark.at('type'), `'${mark.at('type')}' must be 'ephemeral'.`);
  return { cache: { ttl: mark.oneOf('ttl', ['5m', '1h']) ?? '5m' } };
}

/** The wire has lifetimes of five minutes and one hour. 30 minutes is rounded down, 12 hours to one hour. */
export function writeCacheMark(cache: CacheMark | undefined): JsonObject {
  if (cache === undefined) return {};
  const long = cache.ttl === '1h' || cache.ttl === '12h';
  return { cache_control: { type: 'ephemeral', ...(long ? { ttl: '1h' } : {}) } };
}
