import { expect } from 'chai';
import { pairOf, wires } from '../../matrix/wires.ts';
import { callOf, greet } from '../../support/calls.ts';
import { send } from '../../support/http.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';

/** Headers in which vendors report the limits of the gateway's account. Clients must not see them. */
const vendorHeaders = {
  'x-ratelimit-limit-requests': '10000',
  'x-ratelimit-remaining-requests': '9999',
  'x-ratelimit-reset-requests': '6ms',
  'x-ratelimit-limit-tokens': '2000000',
  'x-ratelimit-remaining-tokens': '1999985',
  'x-ratelimit-reset-tokens': '0s',
  'anthropic-ratelimit-requests-limit': '4000',
  'anthropic-ratelimit-requests-remaining': '3999',
  'anthropic-ratelimit-requests-reset': '2026-11-21T06:00:00Z',
  'anthropic-ratelimit-tokens-remaining': '480000',
  'anthropic-ratelimit-unified-status': 'allowed',
  'anthropic-ratelimit-unified-5h-reset': '1763704800',
  'anthropic-ratelimit-unified-7d-utilization': '0.42',
  'ratelimit': '"rpm";r=12;t=5',
  'ratelimit-policy': '"rpm";q=60;w=60',
  'x-ratelimit-limit': '60',
  'openai-organization': 'org-canary',
  'anthropic-organization-id': 'org-canary',
};

describe('vendor rate limits', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  for (const client of wires) {
    for (const vendor of wires) {
      for (const stream of [false, true]) {
        const ask = () => send(scene.gateway.url, callOf(client, modelIds[vendor], { stream }));
        const mode = stream ? 'streamed' : 'plain';

        it(`vendor limit headers reach no client of ${pairOf(client, vendor)}, ${mode}`, async () => {
          scene.upstream.answer = (response, call) => {
            for (const [name, value] of Object.entries(vendorHeaders)) response.setHeader(name, value);
            return greet(response, call);
          };
          const { status, headers, text } = await ask();
          expect(status, text).to.equal(200);
          expect(headers).to.not.have.any.keys(...Object.keys(vendorHeaders));
        });

        it(`vendor limit headers reach no client of ${pairOf(client, vendor)}, ${mode}, when the limit is exceeded`, async () => {
          scene.upstream.answer = (response) =>
            void response
              .writeHead(429, {
                ...vendorHeaders,
                'retry-after': '7',
                'x-should-retry': 'true',
                'content-type': 'application/json',
              })
              .end(JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } }));
          const { status, headers } = await ask();
          expect(status).to.equal(429);
          expect(headers).to.not.have.any.keys(...Object.keys(vendorHeaders), 'x-should-retry');
          expect(headers).to.include({ 'retry-after': '7' });
        });
      }
    }
  }
});
