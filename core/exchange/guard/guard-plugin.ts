import type { PluginInstance } from '../../contracts/plugin.ts';
import { guardAccount } from './account.ts';
import { guardAdmit } from './admit.ts';
import { callHook } from './call.ts';
import { guardEndpoints } from './endpoints.ts';
import { guardEnter } from './enter.ts';
import { guardFit } from './fits.ts';
import { guardIdentify } from './identify.ts';
import { guardInterceptor } from './interceptor.ts';
import { guardMiddleware } from './middleware.ts';
import { guardStrategy } from './strategy.ts';
import { watchHook, type GuardParts } from './watch.ts';

type Observe = NonNullable<PluginInstance['observe']>;
type OnResponseHeaders = NonNullable<PluginInstance['onResponseHeaders']>;
type TellEnded = NonNullable<PluginInstance['ended']>;
type Explain = NonNullable<PluginInstance['explain']>;

/** The attempt is over: whatever an observer does, nothing waits for it. */
const guardObserve = (observe: Observe, parts: GuardParts): Observe => {
  const watch = watchHook(parts, 'observe', 'skip');
  return (exchange, attempt) => void callHook<unknown>(watch, { call: () => observe(exchange, attempt), check: () => undefined, requestId: exchange.id });
};

const guardResponseHeaders = (onResponseHeaders: OnResponseHeaders, parts: GuardParts): OnResponseHeaders => {
  const watch = watchHook(parts, 'onResponseHeaders', 'skip');
  return (attempt, status, headers) => void callHook<unknown>(watch, { call: () => onResponseHeaders(attempt, status, headers), check: () => undefined, requestId: attempt.exchange.id });
};

const guardEnded = (ended: TellEnded, parts: GuardParts): TellEnded => {
  const watch = watchHook(parts, 'ended', 'skip');
  return (request) => void callHook<unknown>(watch, { call: () => ended(request), check: () => undefined, requestId: request.head.id });
};

const guardExplain = (explain: Explain, parts: GuardParts): Explain => {
  const watch = watchHook(parts, 'explain', 'fail');
  return (exchange) => callHook<unknown>(watch, { call: () => explain(exchange), check: () => undefined });
};

/**
 * The plugin with every hook that it has under watch: each has its deadline, whatever it throws, rejects or answers wrongly is counted and logged
 * under its name, and then refuses the exchange or is passed over, as the configuration says. What it refuses on purpose stays refused.
 */
export const guardPlugin = (plugin: PluginInstance, parts: GuardParts): PluginInstance => {
  const { middleware, identify, enter, admit, interceptor, strategy, fits, onResponseHeaders, observe, ended, account, explain, endpoints, close } = plugin;
  return {
    ...(middleware === undefined ? {} : { middleware: guardMiddleware(middleware.bind(plugin), parts) }),
    ...(identify === undefined ? {} : { identify: guardIdentify(identify.bind(plugin), parts) }),
    ...(enter === undefined ? {} : { enter: guardEnter(enter.bind(plugin), parts) }),
    ...(admit === undefined ? {} : { admit: guardAdmit(admit.bind(plugin), parts) }),
    ...(interceptor === undefined ? {} : { interceptor: guardInterceptor(interceptor.bind(plugin), parts) }),
    ...(strategy === undefined ? {} : { strategy: guardStrategy(strategy.bind(plugin), parts) }),
    ...(fits === undefined ? {} : { fits: fits.map((fit) => guardFit(fit, parts)) }),
    ...(onResponseHeaders === undefined ? {} : { onResponseHeaders: guardResponseHeaders(onResponseHeaders.bind(plugin), parts) }),
    ...(observe === undefined ? {} : { observe: guardObserve(observe.bind(plugin), parts) }),
    ...(ended === undefined ? {} : { ended: guardEnded(ended.bind(plugin), parts) }),
    ...(account === undefined ? {} : { account: guardAccount(account.bind(plugin), parts) }),
    ...(explain === undefined ? {} : { explain: guardExplain(explain.bind(plugin), parts) }),
    ...(endpoints === undefined ? {} : { endpoints: guardEndpoints(endpoints.bind(plugin), parts) }),
    ...(close === undefined ? {} : { close: close.bind(plugin) }),
  };
};
