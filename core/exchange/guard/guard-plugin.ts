import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { guardAnswer } from './answer.ts';
import { guardContent } from './content.ts';
import { guardEndpoints } from './endpoints.ts';
import { guardFit } from './fits.ts';
import type { GuardParts } from './hook.ts';
import * as hooks from './hooks.ts';
import { guardInterceptor } from './interceptor.ts';
import { guardMiddleware } from './middleware.ts';
import { guardStrategy } from './strategy.ts';

/**
 * The plugin with all its hooks guarded. Each hook has a deadline. A hook that throws, rejects or returns a wrong value
 * is counted and logged under the plugin's name, and then refuses the exchange or is skipped, by `onError`. A refusal
 * on purpose, such as a 403, stays a refusal.
 */
export function guardPlugin(plugin: PluginInstance, parts: GuardParts): PluginInstance {
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
    middleware: middleware && guardMiddleware(middleware.bind(plugin), parts),
    identify: identify && hooks.guardIdentify(identify.bind(plugin), parts),
    enter: enter && hooks.guardEnter(enter.bind(plugin), parts),
    rewrite: rewrite && hooks.guardRewrite(rewrite.bind(plugin), parts),
    admit: admit && hooks.guardAdmit(admit.bind(plugin), parts),
    resume: resume && hooks.guardResume(resume.bind(plugin), parts),
    admitDirect: admitDirect && hooks.guardAdmitDirect(admitDirect.bind(plugin), parts),
    answer: answer && guardAnswer(answer.bind(plugin), parts),
    interceptor: interceptor && guardInterceptor(interceptor.bind(plugin), parts),
    strategy: strategy && guardStrategy(strategy.bind(plugin), parts),
    fits: fits && fits.map((fit) => guardFit(fit, parts)),
    guard: guard && guardContent(guard.bind(plugin), parts),
    onResponseHeaders: onResponseHeaders && hooks.guardResponseHeaders(onResponseHeaders.bind(plugin), parts),
    observe: observe && hooks.guardObserve(observe.bind(plugin), parts),
    ended: ended && hooks.guardEnded(ended.bind(plugin), parts),
    account: account && hooks.guardAccount(account.bind(plugin), parts),
    explain: explain && hooks.guardExplain(explain.bind(plugin), parts),
    endpoints: endpoints && guardEndpoints(endpoints.bind(plugin), parts),
    close: close && close.bind(plugin),
  });
}
