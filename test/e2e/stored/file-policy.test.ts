import { expect } from 'chai';
import { greet } from '../../support/calls.ts';
import { KEY } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { MESSAGES, startScene, type Scene } from '../../support/scene.ts';

/** A file that was uploaded at the vendor, past the gateway. */
const body = JSON.stringify({
  model: MESSAGES,
  max_tokens: 10,
  messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }] }],
});

/** The key says nothing of its own. */
const organizations = { acme: { projects: { web: { keys: { alice: { key: KEY } } } } } };

describe('vendorState of the file', () => {
  let scene: Scene | undefined;
  afterEach(() => scene?.stop());
  const ask = async (settings: Readonly<Record<string, unknown>>) => {
    scene = await startScene({ organizations, ...settings });
    scene.upstream.answer = greet;
    return send(scene.gateway.url, { path: '/v1/messages', body });
  };

  it('applies to routes that do not set it', async () => {
    expect((await ask({ vendorState: 'allow' })).status).to.equal(200);
  });

  it('gives way to that of a route', async () => {
    const routes = [{ path: '/v1/messages', wire: 'messages', vendorState: 'owned' }];
    expect((await ask({ vendorState: 'allow', routes })).status).to.equal(404);
  });

  it('is named where it is absent, and where it refuses', async () => {
    const absent = await ask({});
    expect(absent.status).to.equal(404);
    expect(absent.text).to.include('vendorState: allow in gateway.yaml').and.include('one organization');
    await scene?.stop();
    const refused = await ask({ vendorState: 'refuse' });
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include('vendorState: refuse');
  });
});
