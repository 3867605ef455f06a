import { definePlugin, type Admission } from 'koine-gateway';

/** How `admit` fails, by the header `x-mischief`. */
const ways: Readonly<Record<string, () => Admission | undefined | Promise<Admission | undefined>>> = {
  throw: () => {
    throw new Error('mischief');
  },
  reject: () => Promise.reject(new Error('mischief')),
  hang: () => new Promise(() => {}),
  lie: () => JSON.parse('"an admission"') as Admission,
  // Longer than a request takes, and longer than the log tolerates without a warning.
  block: () => {
    for (const begin = performance.now(); performance.now() - begin < 700;);
    return undefined;
  },
};

/** A plugin that misbehaves when a request header demands it. */
export default definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'rascal',
  schema: { type: 'object', additionalProperties: false },
  create: () => ({
    admit: ({ headers }) => ways[headers['x-mischief'] ?? '']?.(),
    interceptor: (next) => async (attempt) => {
      const reply = await next(attempt);
      return attempt.exchange.headers['x-mischief'] === 'keep'
        ? { ...reply, deliver: () => new Promise(() => {}) }
        : reply;
    },
  }),
});
