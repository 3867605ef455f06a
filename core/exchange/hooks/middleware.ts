import type { PluginInstance } from '../../contracts/plugin.ts';
import { DeadlineWrapper } from './deadline-wrapper.ts';
import { watchHook, type HookParts, type HookWatch } from './hook.ts';

type Middleware = NonNullable<PluginInstance['middleware']>;

/** `context.throw(403)`, Koa's own way to refuse, is a decision of the plugin too. */
const isHttpRefusal = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'status' in thrown &&
  typeof thrown.status === 'number' &&
  thrown.status >= 400 &&
  thrown.status < 500;

export function watchMiddleware(middleware: Middleware, parts: HookParts): Middleware {
  const watched = watchHook(parts, 'middleware');
  const watch: HookWatch = {
    ...watched,
    judge: (thrown, requestId) => (isHttpRefusal(thrown) ? thrown : watched.judge(thrown, requestId)),
  };
  return (context, next) => {
    const run = new DeadlineWrapper<undefined, void>({
      watch,
      requestId: context.requestId,
      inner: next,
      argument: undefined,
      once: true,
      check: () => undefined,
    });
    return run.run(() => middleware(context, () => run.next(undefined)));
  };
}
