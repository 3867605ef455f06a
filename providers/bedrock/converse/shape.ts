import type { CacheMark, JsonObject } from '../../../core/api/index.ts';

/** The wire of Converse and ConverseStream. */
export const WIRE = 'bedrock-converse';

/** A block has one member, which is named after its kind. */
export type Block = JsonObject;

export interface Message extends JsonObject {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

/**
 * The block that marks the end of a cached prefix. The default lifetime is five minutes; the other one is an hour.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CachePointBlock.html
 */
export function writeCachePoint(cache: CacheMark | undefined): readonly Block[] {
  if (cache === undefined) return [];
  const long = cache.ttl === '1h' || cache.ttl === '12h';
  return [{ cachePoint: { type: 'default', ...(long ? { ttl: '1h' } : {}) } }];
}
