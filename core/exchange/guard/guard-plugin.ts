import type { Exchange } from '../../contracts/exchange.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { guardAccount } from './account.ts';
import { guardAdmit } from './admit.ts';
import { anyAnswer, callHook } from './call.ts';
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
type OnEnded = NonNullable<PluginInstance['ended']>;
type Explain = NonNullable<PluginInstance['explain']>;

/** The attempt is over: whatever an observer does, nothing waits for it. */
const guardObserve = (observe: Observe, parts: GuardParts): Observe => {
  const watch = watchHook(parts, 'observe', 'skip');
  return (exchange, attempt) => void callHook(watch, anyAnswer, observe, exchange, attempt, exchange.id);
};

const guardResponseHeaders = (onResponseHeaders: OnResponseHeaders, parts: GuardParts): OnResponseHeaders => {
  const watch = watchHook(parts, 'onResponseHeaders', 'skip');
  return (attempt, status, headers) => {
    const read = (): void => onResponseHeaders(attempt, status, headers);
    void callHook(watch, anyAnswer, read, undefined, undefined, attempt.exchange.id);
  };
};

const guardEnded = (ended: OnEnded, parts: GuardParts): OnEnded => {
  const watch = watchHook(parts, 'ended', 'skip');
  return (request) => void callHook(watch, anyAnswer, ended, request, undefined, request.head.id);
};

const guardExplain = (explain: Explain, parts: GuardParts): Explain => {
  const watch = watchHook(parts, 'explain', 'fail');
  return (exchange) => callHook<Exchange, undefined, unknown>(watch, anyAnswer, explain, exchange, undefined);
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
