import { expect } from 'chai';
import { standardRoutes } from '../../core/config/schema/route.ts';
import { hello } from '../matrix/sample-bodies.ts';
import { send, type HttpReply } from '../support/http.ts';
import type { Json } from '../matrix/wires.ts';
import { headersOf, SIMULATOR, startLimited, type Limited } from './support/limited.ts';

type Exchange = Extract<(typeof standardRoutes)[number], { readonly wire: string; readonly path: string }>;
const exchanges = standardRoutes.filter(
  (route): route is Exchange => 'wire' in route && !('operation' in route && route.operation === 'models'),
);

const embedContent = { content: { parts: [{ text: 'Hello' }] } };
const bodies: Readonly<Record<string, Json>> = {
  'chat-completions': { ...hello.chat, model: SIMULATOR },
  messages: { ...hello.messages, model: SIMULATOR },
  responses: { ...hello.responses, model: SIMULATOR },
  embeddings: { model: SIMULATOR, input: 'Hello' },
  'generate-content': hello.google,
};
const bodyOf = ({ wire, path }: Exchange): Json => {
  if (wire !== 'embed-content') return bodies[wire] ?? {};
  return path.includes('batch') ? { requests: [{ model: `models/${SIMULATOR}`, ...embedContent }] } : embedContent;
};

type Members = Readonly<Record<string, unknown>>;
const isGoogle = ({ wire }: Exchange): boolean => wire === 'generate-content' || wire === 'embed-content';
const bodyIn = ({ text }: HttpReply): { readonly error: Members } & Members =>
  JSON.parse(text) as { readonly error: Members };
const besideOf = (route: Exchange, { headers }: HttpReply): Members =>
  route.wire === 'messages' ? { type: 'error', request_id: headers['request-id'] } : {};

describe('refusals of limits on every shipped route', function () {
  let gateway: Limited;
  before(async () => {
    const limit = { requests: 1, per: '1h' };
    // This Redis is not available.
    gateway = await startLimited({
      keys: { alice: [limit], bob: [{ ...limit, onStoreFailure: 'deny' }] },
      redis: 'redis://127.0.0.1:9',
    });
    expect((await gateway.ask('alice')).status).to.equal(200);
  });
  after(() => gateway?.end());
  const ask = (route: Exchange, key: string): Promise<HttpReply> =>
    send(gateway.url, {
      path: route.path.replace('{model}', SIMULATOR),
      headers: headersOf(key),
      body: JSON.stringify(bodyOf(route)),
    });

  it('the refusals of limits are tested on every shipped route', () => {
    expect(exchanges).to.have.length(27);
  });

  for (const route of exchanges) {
    it(`a refusal on ${route.path} has the documented 429 body and the name of the limit`, async () => {
      const reply = await ask(route, 'alice');
      expect(reply.status, reply.text).to.equal(429);
      expect(reply.headers).to.include({
        'x-koine-limit': 'key;requests;1h',
        'retry-after': '60',
        'x-koine-ratelimit-mode': 'local',
      });
      expect(reply.headers['content-type']).to.match(/^application\/json/);
      // The members of every wire, and in addition those that the SDKs of a wire need.
      const { error, ...beside } = bodyIn(reply);
      const { message, details, ...members } = error;
      expect(message).to.match(/^Rate limit exceeded: 1 requests? per 1h of the key alice; try again in \d+s\.$/);
      expect(members).to.deep.equal({
        type: 'rate_limit_error',
        code: 'rate_limit_exceeded',
        ...(isGoogle(route) ? { status: 'RESOURCE_EXHAUSTED' } : {}),
      });
      expect(Array.isArray(details)).to.equal(isGoogle(route));
      expect(beside).to.deep.equal(besideOf(route, reply));
    });

    it(`a refusal on ${route.path} is a 503 if the limit denies without its Redis`, async () => {
      const reply = await ask(route, 'bob');
      expect(reply.status, reply.text).to.equal(503);
      expect(reply.headers).to.include({ 'retry-after': '1', 'x-koine-ratelimit-mode': 'local' });
      const { error, ...beside } = bodyIn(reply);
      expect(error).to.include({
        message: 'The limits of this key cannot be checked at the moment; try again.',
        type: 'server_error',
        code: 'service_unavailable',
      });
      expect(beside).to.deep.equal(besideOf(route, reply));
    });
  }
});
