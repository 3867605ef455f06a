import { expect } from 'chai';
import { callOf, greet } from '../../support/calls.ts';
import { pluginsWith } from '../../support/failover-scene.ts';
import { send } from '../../support/http.ts';
import { startIdentityServer, type IdentityServer } from '../../support/identity-server.ts';
import { everyWire, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const MODEL = 'acme/gpt';

/** The first target has an identity at Azure, the second one a key at OpenAI. */
describe('failover from Azure OpenAI', () => {
  let scene: Scene;
  let azure: TestUpstream;
  let identity: IdentityServer;

  beforeEach(async () => {
    azure = await startUpstream();
    azure.answer = greet;
    identity = await startIdentityServer();
    const entra = {
      identity: 'client-secret',
      tenantId: 'acme.example',
      clientId: 'app-1',
      clientSecret: 'upstream-secret',
      authority: identity.url,
    };
    const other = await startUpstream();
    other.answer = greet;
    scene = await startScene({
      providers: {
        azure: { use: 'azure-openai', config: { endpoint: azure.url, entra } },
        openai: { use: 'openai', config: { apiKey: 'upstream-secret-2', baseUrl: `${other.url}/v1` } },
      },
      models: {
        [MODEL]: {
          wires: everyWire,
          targets: [
            { provider: 'azure', model: 'gpt-4.1' },
            { provider: 'openai', model: 'gpt-4.1' },
          ],
        },
      },
      plugins: pluginsWith({}),
    });
    const { stop } = scene;
    scene = { ...scene, stop: async (expected) => void (await Promise.all([stop(expected), other.stop()])) };
  });
  afterEach(async () => {
    await scene.stop(/credential|Entra/);
    await azure.stop();
    await identity.stop();
  });

  const outcomes = (): unknown => scene.gateway.exchanges()[0]?.['attempts'];
  const ask = async (client: 'chat' | 'messages'): Promise<number> =>
    (await send(scene.gateway.url, callOf(client, MODEL))).status;

  for (const client of ['chat', 'messages'] as const) {
    for (const [what, status, body] of [
      ['fails', 503, { error: 'temporarily_unavailable' }],
      ['refuses the secret', 401, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid secret.' }],
    ] as const)
      it(`another target serves a ${client} client while the identity provider ${what}`, async () => {
        identity.answer = () => ({ status, body });
        expect(await ask(client)).to.equal(200);
        expect(identity.calls).not.to.be.empty;
        expect(azure.calls).to.have.length(0);
      });

    for (const [status, code, message] of [
      [400, 'OperationNotSupported', 'The chatCompletion operation does not work with the specified model, gpt-4.1.'],
      [404, 'DeploymentNotFound', 'The API deployment for this resource does not exist.'],
      [429, '429', 'Requests have exceeded the token rate limit. Please retry after 6 seconds.'],
      [403, '403', 'Access denied due to Virtual Network/Firewall rules.'],
      [401, 'PermissionDenied', 'The principal lacks the required data action.'],
    ] as const)
      it(`another target serves a ${client} client after ${status} with the code ${code}`, async () => {
        azure.answer = (response) => answerJson(response, { error: { code, message } }, status);
        expect(await ask(client), JSON.stringify(outcomes())).to.equal(200);
        // A refused token is renewed at most once in ten seconds, and the call is repeated with the new one.
        expect(azure.calls).to.have.lengthOf.within(1, status === 401 || status === 403 ? 2 : 1);
      });

    it(`a prompt that the content filter refuses is not sent to another target for a ${client} client`, async () => {
      azure.answer = (response) =>
        answerJson(response, { error: { code: 'content_filter', message: 'Filtered.', param: 'prompt' } }, 400);
      expect(await ask(client)).to.equal(400);
    });
  }
});
