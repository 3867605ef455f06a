import { definePlugin, GatewayError } from '../../../../core/api/index.ts';
import { omitUndefined } from '../../../../core/api/codec.ts';
import { callOf, greet, type CallOptions } from '../../../support/calls.ts';
import { builtIns, KEY } from '../../../support/gateway.ts';
import { goodHeaders, send, type HttpReply } from '../../../support/http.ts';
import { startScene, type Scene } from '../../../support/scene.ts';
import type { Wire } from '../../../matrix/wires.ts';

/** A gateway with limits in front of scripted vendors. */
export interface Served extends Scene {
  /** A small request to the vendor of the wire. */
  ask(client: Wire, model: string, options?: CallOptions & { readonly key?: string }): Promise<HttpReply>;
}

export const BOB = 'bob-key-0123456789abcdef';

/** A plugin that refuses a request on demand, after its limits were reserved. */
const bouncer = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'bouncer',
  schema: { type: 'object' },
  create: () => ({
    admit: ({ inbound }) => {
      if (JSON.stringify(inbound.body).includes('bounce me')) throw new GatewayError('permission_denied', 'Bounced.');
      return undefined;
    },
  }),
});

/** Limits by level, as in the configuration. */
export interface ServedLimits {
  readonly alice?: readonly object[];
  readonly everyKey?: readonly object[];
  readonly project?: readonly object[];
  readonly organization?: readonly object[];
  readonly settings?: Readonly<Record<string, unknown>>;
}

export const startServed = async ({
  alice,
  everyKey,
  project,
  organization,
  settings,
}: ServedLimits): Promise<Served> => {
  const keys = { alice: omitUndefined({ key: KEY, limits: alice }), bob: { key: BOB } };
  const scene = await startScene(
    {
      ...(everyKey === undefined ? {} : { limits: everyKey }),
      organizations: {
        acme: omitUndefined({
          limits: organization,
          projects: { web: omitUndefined({ limits: project, keys }) },
        }),
      },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'bouncer' }],
      ...settings,
    },
    { ...builtIns, plugin: { ...builtIns.plugin, bouncer } },
  );
  scene.upstream.answer = greet;
  return {
    ...scene,
    ask: (client, model, { key = KEY, ...options } = {}) =>
      send(scene.gateway.url, {
        ...callOf(client, model, options),
        headers: { ...goodHeaders, authorization: `Bearer ${key}` },
      }),
  };
};

/** The `x-ratelimit-*` headers. */
export const remainingOf = ({ headers }: HttpReply, unit: 'requests' | 'tokens'): number =>
  Number(headers[`x-ratelimit-remaining-${unit}`]);
