import { expect } from 'chai';
import { standardRoutes } from '../../core/config/schema/route.ts';
import { hello } from '../matrix/sample-bodies.ts';
import { addedMembers, besideError, errorWireOf } from '../support/refusals.ts';
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
  interactions: { model: SIMULATOR, input: 'Hello' },
  completions: { model: SIMULATOR, prompt: 'Hello' },
  tokenize: { model: SIMULATOR, prompt: 'Hello' },
  moderations: { model: SIMULATOR, input: 'Hello' },
  'image-generations': { model: SIMULATOR, prompt: 'Hello' },
  'image-edits': { model: SIMULATOR, prompt: 'Hello', images: [{ image_url: 'data:image/png;base64,iVBORw0KGgo=' }] },
  speech: { model: SIMULATOR, input: 'Hello', voice: 'alloy' },
  rerank: { model: SIMULATOR, query: 'Hello', documents: ['Hello'] },
  'cohere-rerank': { model: SIMULATOR, query: 'Hello', documents: ['Hello'] },
};
const bodyOf = ({ wire, path }: Exchange): Json => {
  if (wire !== 'embed-content') return bodies[wire] ?? {};
  return path.includes('batch') ? { requests: [{ model: `models/${SIMULATOR}`, ...embedContent }] } : embedContent;
};

type Members = Readonly<Record<string, unknown>>;
/** Checks the members of every wire, and in addition those that the SDKs of a wire need. @returns the message */
const checkBody = (route: Exchange, reply: HttpReply, words: { readonly type: string; readonly code: string }) => {
  const wire = errorWireOf(route.wire);
  const { error, ...beside } = JSON.parse(reply.text) as { readonly error: Members };
  const { message, details, ...members } = error;
  expect(beside).to.deep.equal(besideError(wire, reply, message));
  expect(members).to.deep.equal({ ...words, ...addedMembers(wire, reply.status) });
  expect(Array.isArray(details)).to.equal(wire === 'google');
  return message;
};

const FORM = 'multipart/form-data; boundary=border';
const writeForm = (name: string, content: string): Buffer =>
  Buffer.from(
    [
      `--border\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n\r\n`,
      `${content}\r\n--border\r\ncontent-disposition: form-data; name="model"\r\n\r\n`,
      `${SIMULATOR}\r\n--border--\r\n`,
    ].join(''),
    'latin1',
  );
/** A file by its first bytes. */
const formOf = ({ path }: Exchange): Buffer | undefined => {
  if (path.startsWith('/v1/audio/trans')) return writeForm('file', `fLaC${'A'.repeat(60)}`);
  return path === '/v1/images/variations' ? writeForm('image', '\x89PNG\r\n\x1a\n') : undefined;
};

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
      headers: { ...headersOf(key), ...(formOf(route) === undefined ? {} : { 'content-type': FORM }) },
      body: formOf(route) ?? JSON.stringify(bodyOf(route)),
    });

  it('the refusals of limits are tested on every shipped route', () => {
    expect(exchanges).to.have.length(40);
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
      expect(checkBody(route, reply, { type: 'rate_limit_error', code: 'rate_limit_exceeded' })).to.match(
        /^Rate limit exceeded: 1 requests? per 1h of the key alice; try again in \d+s\.$/,
      );
    });

    it(`a refusal on ${route.path} is a 503 if the limit denies without its Redis`, async () => {
      const reply = await ask(route, 'bob');
      expect(reply.status, reply.text).to.equal(503);
      expect(reply.headers).to.include({ 'retry-after': '1', 'x-koine-ratelimit-mode': 'local' });
      expect(checkBody(route, reply, { type: 'server_error', code: 'service_unavailable' })).to.equal(
        'The limits of this key cannot be checked at the moment; try again.',
      );
    });
  }
});
