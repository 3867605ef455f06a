import { expect } from 'chai';
import { callOf, greet } from '../../support/calls.ts';
import { pluginsWith } from '../../support/failover-scene.ts';
import { send } from '../../support/http.ts';
import { entryOf, modelIds, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const model = modelIds.messages;

/** What Anthropic says about an account is in `error.details.error_code`. The status can be that of a bad request. */
describe('error codes of an account', () => {
  let scene: Scene;
  let upstream: TestUpstream;
  const keysUsed = (): readonly unknown[] => upstream.calls.map(({ headers }) => headers['x-api-key']);
  const refuse = (status: number, code: string): void => {
    let refused: unknown;
    upstream.answer = (response, call) => {
      refused ??= call.headers['x-api-key'];
      if (call.headers['x-api-key'] !== refused) return greet(response, call);
      const error = { type: 'invalid_request_error', message: 'No.', details: { error_code: code } };
      return answerJson(response, { type: 'error', error }, status);
    };
  };

  beforeEach(async () => {
    upstream = await startUpstream();
    const config = { apiKeys: ['upstream-secret-1', 'upstream-secret-2'], baseUrl: upstream.url };
    scene = await startScene({
      providers: { anthropic: { use: 'anthropic', config } },
      models: { [model]: entryOf(model) },
      plugins: pluginsWith({}),
    });
  });
  afterEach(async () => {
    await scene.stop(/credential/);
    await upstream.stop();
  });

  const accounts: readonly (readonly [status: number, code: string])[] = [
    [400, 'enforced_spend_limit_reached'],
    [403, 'contract_spend_limit_reached'],
    [403, 'organization_on_hold'],
  ];
  for (const client of ['messages', 'chat'] as const) {
    for (const [status, code] of accounts) {
      it(`another key serves a ${client} client after ${status} with the code ${code}`, async () => {
        refuse(status, code);
        const reply = await send(scene.gateway.url, callOf(client, model));
        expect(reply.status, reply.text).to.equal(200);
        expect(new Set(keysUsed())).to.have.property('size', 2);
      });
    }

    it(`the spent limit of a customer who pays for the request is an error of the ${client} client`, async () => {
      refuse(402, 'linked_organization_spend_limit_reached');
      const reply = await send(scene.gateway.url, callOf(client, model));
      expect(reply.status).to.equal(402);
      expect(keysUsed()).to.have.length(1);
    });
  }
});
