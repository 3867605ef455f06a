import type { PluginInstance } from '../../contracts/plugin.ts';
import { createAround } from './around.ts';
import { watchHook, type GuardParts, type HookWatch } from './hook.ts';

type Middleware = NonNullable<PluginInstance['middleware']>;

/** What Koa's own way to refuse (`context.throw(403)`) throws is a decision as well. */
const isHttpRefusal = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'status' in thrown &&
  typeof thrown.status === 'number' &&
  thrown.status >= 400 &&
  thrown.status < 500;

export function guardMiddleware(middleware: Middleware, parts: GuardParts): Middleware {
  const watched = watchHook(parts, 'middleware');
  const watch: HookWatch = {
    ...watched,
    judge: (thrown, requestId) => (isHttpRefusal(thrown) ? thrown : watched.judge(thrown, requestId)),
  };
  return (context, next) => {
    const around = createAround<undefined, void>({
      watch,
      inner: next,
      argument: undefined,
      once: true,
      check: () => undefined,
    });
    return around.run(() => middleware(context, () => around.next(undefined)));
  };
}
