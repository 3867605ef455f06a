import { expect } from 'chai';
import { callOf, greet, type CallOptions } from '../../support/calls.ts';
import { goodHeaders, send, type HttpReply } from '../../support/http.ts';
import { entryOf, everyWire, modelIds, startScene, type Scene } from '../../support/scene.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { wireNames, wires, type Wire } from '../../matrix/wires.ts';

type Tenant = 'attacker' | 'accomplice' | 'victim';
const secretOf = (tenant: Tenant): string => `${tenant}-0123456789abcdef0123`;
const organizations = {
  acme: {
    projects: Object.fromEntries(
      (['attacker', 'accomplice', 'victim'] as const).map((tenant) => [
        tenant,
        { keys: { [tenant]: { key: secretOf(tenant) } } },
      ]),
    ),
  },
};

/** The spare target of every model, so that a test sees when a request leaves the first one. */
const SPARE = 'spare-model';

export interface Tenants {
  readonly scene: Scene;
  ask(tenant: Tenant, client: Wire, options?: CallOptions, model?: string): Promise<HttpReply>;
  /** The attacker's request, and the same from a second project, since a failure of two callers counts for all. */
  attack(
    client: Wire,
    options: CallOptions,
    answer: TestUpstream['answer'],
    model?: string,
  ): Promise<readonly HttpReply[]>;
  /** The victim's next requests reach the first target with its first credential, and succeed. */
  expectUnharmed(client: Wire, model?: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Three projects on one gateway with `auth` and `failover` as shipped; each model has one credential and a spare
 * target.
 */
export const startTenants = async (): Promise<Tenants> => {
  const spare = await startUpstream();
  spare.answer = greet;
  const scene = await startScene();
  await scene.gateway.stop();
  const { url } = scene.upstream;
  const own = await startScene({
    organizations,
    providers: {
      openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${url}/v1` } },
      anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: url } },
      google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: url } },
      spare: { use: 'openai-compatible', config: { apiKey: 'upstream-secret', baseUrl: `${spare.url}/v1` } },
    },
    models: Object.fromEntries(
      wires.map((wire) => [
        modelIds[wire],
        {
          wires: everyWire,
          targets: [
            ...(entryOf(modelIds[wire], wire) as { targets: object[] }).targets,
            { provider: 'spare', model: SPARE, wire: wireNames.chat },
          ],
        },
      ]),
    ),
    plugins: [{ use: 'auth' }, { use: 'failover' }],
  });
  await own.upstream.stop();
  const { upstream } = scene;
  const ask: Tenants['ask'] = (tenant, client, options = {}, model = modelIds[client]) =>
    send(own.gateway.url, {
      ...callOf(client, model, options),
      headers: { ...goodHeaders, authorization: `Bearer ${secretOf(tenant)}` },
    });
  return {
    scene: { ...own, upstream },
    ask,
    attack: async (client, options, answer, model) => {
      upstream.answer = answer;
      const replies: HttpReply[] = [];
      for (const tenant of ['attacker', 'accomplice'] as const) replies.push(await ask(tenant, client, options, model));
      return replies;
    },
    expectUnharmed: async (client, model) => {
      upstream.answer = greet;
      for (let request = 0; request < 3; request += 1) {
        upstream.calls.length = 0;
        const reply = await ask('victim', client, {}, model);
        expect(reply.status, reply.text).to.equal(200);
        expect(upstream.calls, 'the first target is called').to.have.length(1);
        const { authorization, 'x-api-key': apiKey, 'x-goog-api-key': googleKey } = upstream.calls[0]?.headers ?? {};
        expect(String(authorization ?? apiKey ?? googleKey), 'with its credential').to.contain('upstream-secret');
      }
      expect(
        spare.calls.map(({ path }) => path),
        'nothing went to the spare target',
      ).to.deep.equal([]);
    },
    stop: async () => {
      await own.stop();
      await upstream.stop();
      await spare.stop();
    },
  };
};
