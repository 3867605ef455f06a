import type { AdminReply, EndpointRequest, EndpointRouter } from '../../contracts/admin.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { callHook, describeValue, watchHook, type HookParts, type HookRules } from './hook.ts';

type Endpoints = NonNullable<PluginInstance['endpoints']>;
type Handler = Parameters<EndpointRouter['get']>[1];

const rules: HookRules<EndpointRequest, AdminReply> = {
  check: (reply: unknown) =>
    typeof reply === 'object' && reply !== null && 'body' in reply ? undefined : `${describeValue(reply)}, not a reply`,
};

/** An endpoint that fails is a 500, whatever `onError` is: nothing can replace its response. */
export function watchEndpoints(endpoints: Endpoints, parts: HookParts): Endpoints {
  const watch = watchHook(parts, 'endpoints', 'fail');
  const watchHandler =
    (handle: Handler): Handler =>
    async (request: EndpointRequest): Promise<AdminReply> => {
      const reply = await callHook<EndpointRequest, undefined, AdminReply>(watch, rules, handle, request, undefined);
      if (reply === undefined) throw watch.wrong('nothing');
      return reply;
    };
  return (router) => endpoints({ get: (path, handle) => router.get(path, watchHandler(handle)) });
}
