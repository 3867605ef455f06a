import type { Middleware } from 'koa';

export type Phase = 'starting' | 'serving' | 'draining';

/** The phase of the process. Its status never depends on Redis, a database or a provider. */
export interface Health {
  phase: Phase;
  readonly middleware: Middleware;
}

/**
 * `/livez`: the event loop runs. `/readyz`: the configuration is applied, not draining. `/startupz`: startup is done.
 */
export function createHealth(): Health {
  const tests: Readonly<Record<string, (phase: Phase) => boolean>> = {
    '/livez': () => true,
    '/readyz': (phase) => phase === 'serving',
    '/startupz': (phase) => phase !== 'starting',
  };
  const health: Health = {
    phase: 'starting',
    middleware: async (context, next) => {
      const test = tests[context.path];
      if (test === undefined || (context.method !== 'GET' && context.method !== 'HEAD')) return next();
      const good = test(health.phase);
      context.status = good ? 200 : 503;
      context.set('cache-control', 'no-store');
      context.body = { status: good ? 'ok' : health.phase };
    },
  };
  return health;
}
