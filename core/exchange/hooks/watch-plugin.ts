import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { watchAnswer } from './answer.ts';
import { watchGuard } from './guard.ts';
import { watchEndpoints } from './endpoints.ts';
import { watchFit } from './fits.ts';
import type { HookParts } from './hook.ts';
import * as hooks from './exchange-hooks.ts';
import { watchInterceptor } from './interceptor.ts';
import { watchMiddleware } from './middleware.ts';
import { watchOrder } from './order.ts';
import { watchStrategy } from './strategy.ts';

/**
 * The plugin with all its hooks watched. Each hook has a deadline. A hook that throws, rejects or returns a wrong value
 * is counted and logged under the plugin's name, and then refuses the exchange or is skipped, by `onError`. A refusal
 * on purpose, such as a 403, stays a refusal.
 */
export function watchPlugin(plugin: PluginInstance, parts: HookParts): PluginInstance {
  const {
    middleware,
    identify,
    enter,
    rewrite,
    admit,
    resume,
    admitDirect,
    answer,
    interceptor,
    strategy,
    order,
    fits,
    guard,
    onResponseHeaders,
    observe,
    ended,
    account,
    explain,
    endpoints,
    close,
  } = plugin;
  return omitUndefined({
    middleware: middleware && watchMiddleware(middleware.bind(plugin), parts),
    identify: identify && hooks.watchIdentify(identify.bind(plugin), parts),
    enter: enter && hooks.watchEnter(enter.bind(plugin), parts),
    rewrite: rewrite && hooks.watchRewrite(rewrite.bind(plugin), parts),
    admit: admit && hooks.watchAdmit(admit.bind(plugin), parts),
    resume: resume && hooks.watchResume(resume.bind(plugin), parts),
    admitDirect: admitDirect && hooks.watchAdmitDirect(admitDirect.bind(plugin), parts),
    answer: answer && watchAnswer(answer.bind(plugin), parts),
    interceptor: interceptor && watchInterceptor(interceptor.bind(plugin), parts),
    strategy: strategy && watchStrategy(strategy.bind(plugin), parts),
    order: order && watchOrder(order.bind(plugin), parts),
    fits: fits && fits.map((fit) => watchFit(fit, parts)),
    guard: guard && watchGuard(guard.bind(plugin), parts),
    onResponseHeaders: onResponseHeaders && hooks.watchResponseHeaders(onResponseHeaders.bind(plugin), parts),
    observe: observe && hooks.watchObserve(observe.bind(plugin), parts),
    ended: ended && hooks.watchEnded(ended.bind(plugin), parts),
    account: account && hooks.watchAccount(account.bind(plugin), parts),
    explain: explain && hooks.watchExplain(explain.bind(plugin), parts),
    endpoints: endpoints && watchEndpoints(endpoints.bind(plugin), parts),
    close: close && close.bind(plugin),
  });
}
