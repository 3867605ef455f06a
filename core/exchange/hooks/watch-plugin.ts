import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { AdminReply, EndpointRequest, EndpointRouter } from '../../contracts/admin.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { watchGuard } from './guard.ts';
import { watchFit } from './fits.ts';
import {
  callHook,
  describeValue,
  watchHook,
  type HookOf,
  type HookParts,
  type HookRules,
  type HookWatch,
} from './hook.ts';
import * as hooks from './exchange-hooks.ts';
import { watchInterceptor, watchStrategy } from './interceptor.ts';
import { DeadlineWrapper } from './deadline-wrapper.ts';

/** `context.throw(403)`, Koa's own way to refuse, is a decision of the plugin too. */
const isHttpRefusal = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'status' in thrown &&
  typeof thrown.status === 'number' &&
  thrown.status >= 400 &&
  thrown.status < 500;

function watchMiddleware(middleware: HookOf<'middleware'>, parts: HookParts): HookOf<'middleware'> {
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

type Handler = Parameters<EndpointRouter['get']>[1];

const endpointRules: HookRules<EndpointRequest, AdminReply> = {
  check: (reply: unknown) =>
    typeof reply === 'object' && reply !== null && 'body' in reply ? undefined : `${describeValue(reply)}, not a reply`,
};

/** An endpoint that fails is a 500, whatever `onError` is: nothing can replace its response. */
function watchEndpoints(endpoints: HookOf<'endpoints'>, parts: HookParts): HookOf<'endpoints'> {
  const watch = watchHook(parts, 'endpoints', 'fail');
  const watchHandler =
    (handle: Handler): Handler =>
    async (request: EndpointRequest): Promise<AdminReply> => {
      const reply = await callHook<EndpointRequest, undefined, AdminReply>(
        watch,
        endpointRules,
        handle,
        request,
        undefined,
      );
      if (reply === undefined) throw watch.wrong('nothing');
      return reply;
    };
  return (router) => endpoints({ get: (path, handle) => router.get(path, watchHandler(handle)) });
}

/**
 * The plugin with all its hooks watched. Each hook has a deadline. A hook that throws, rejects or returns a wrong value
 * is counted and logged under the plugin's name, and then refuses the exchange or is skipped, by `onError`. A refusal
 * on purpose, such as a 403, stays a refusal.
 */
export function watchPlugin(plugin: PluginInstance, parts: HookParts): PluginInstance {
  return omitUndefined({
    middleware: plugin.middleware && watchMiddleware(plugin.middleware.bind(plugin), parts),
    identify: plugin.identify && hooks.watchIdentify(plugin.identify.bind(plugin), parts),
    enter: plugin.enter && hooks.watchEnter(plugin.enter.bind(plugin), parts),
    rewrite: plugin.rewrite && hooks.watchRewrite(plugin.rewrite.bind(plugin), parts),
    admit: plugin.admit && hooks.watchAdmit(plugin.admit.bind(plugin), parts),
    resume: plugin.resume && hooks.watchResume(plugin.resume.bind(plugin), parts),
    admitDirect: plugin.admitDirect && hooks.watchAdmitDirect(plugin.admitDirect.bind(plugin), parts),
    answer: plugin.answer && hooks.watchAnswer(plugin.answer.bind(plugin), parts),
    interceptor: plugin.interceptor && watchInterceptor(plugin.interceptor.bind(plugin), parts),
    strategy: plugin.strategy && watchStrategy(plugin.strategy.bind(plugin), parts),
    order: plugin.order && hooks.watchOrder(plugin.order.bind(plugin), parts),
    fits: plugin.fits && plugin.fits.map((fit) => watchFit(fit, parts)),
    guard: plugin.guard && watchGuard(plugin.guard.bind(plugin), parts),
    onResponseHeaders:
      plugin.onResponseHeaders && hooks.watchResponseHeaders(plugin.onResponseHeaders.bind(plugin), parts),
    observe: plugin.observe && hooks.watchObserve(plugin.observe.bind(plugin), parts),
    ended: plugin.ended && hooks.watchEnded(plugin.ended.bind(plugin), parts),
    account: plugin.account && hooks.watchAccount(plugin.account.bind(plugin), parts),
    explain: plugin.explain && hooks.watchExplain(plugin.explain.bind(plugin), parts),
    endpoints: plugin.endpoints && watchEndpoints(plugin.endpoints.bind(plugin), parts),
    close: plugin.close && plugin.close.bind(plugin),
  });
}
