import type { CacheMark } from '../../../core/api/index.ts';
import type { Block } from './shape.ts';

/**
 * The block that marks the end of a cached prefix. The default lifetime is five minutes; the other one is an hour.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CachePointBlock.html
 */
export function writeCachePoint(cache: CacheMark | undefined): readonly Block[] {
  if (cache === undefined) return [];
  const long = cache.ttl === '1h' || cache.ttl === '12h';
  return [{ cachePoint: { type: 'default', ...(long ? { ttl: '1h' } : {}) } }];
}
