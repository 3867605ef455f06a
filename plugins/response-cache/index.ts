import { definePlugin, readDuration } from '../../core/api/index.ts';
import { createResponseCache } from './cache.ts';
import { schema, type ResponseCacheOptions } from './schema.ts';
import { createPrimary } from './store.ts';

/** Answers equal requests with the stored response of the first. */
export default definePlugin<ResponseCacheOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'response-cache',
  schema,
  check: ({ ttl }) => (readDuration(ttl) < 1 ? [{ path: ['ttl'], message: 'Write a duration above zero.' }] : []),
  create: createResponseCache,
  primary: createPrimary,
});
