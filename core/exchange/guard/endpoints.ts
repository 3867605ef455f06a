import type { AdminReply } from '../../contracts/admin.ts';
import type { EndpointRequest, EndpointRouter } from '../../contracts/endpoint.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { callHook, describeValue, watchHook, type GuardParts, type HookRules } from './hook.ts';

type Endpoints = NonNullable<PluginInstance['endpoints']>;
type Answer = Parameters<EndpointRouter['get']>[1];

const rules: HookRules<EndpointRequest, AdminReply> = {
  check: (reply: unknown) =>
    typeof reply === 'object' && reply !== null && 'body' in reply
      ? undefined
      : `${describeValue(reply)}, and no reply`,
};

/** Nothing can go on in the place of an answer: whatever `onError` says, one that fails is a 500. */
export function guardEndpoints(endpoints: Endpoints, parts: GuardParts): Endpoints {
  const watch = watchHook(parts, 'endpoints', 'fail');
  const guard =
    (answer: Answer): Answer =>
    async (request: EndpointRequest): Promise<AdminReply> => {
      const reply = await callHook<EndpointRequest, undefined, AdminReply>(watch, rules, answer, request, undefined);
      if (reply === undefined) throw watch.wrong('nothing');
      return reply;
    };
  return (router) => endpoints({ get: (path, answer) => router.get(path, guard(answer)) });
}
