import { expect } from 'chai';
import {
  defineProvider,
  type Endpoint,
  GatewayError,
  type EndpointWire,
  type UpstreamCall,
  type UpstreamReply,
  type UpstreamRequest,
} from '../../../core/api/index.ts';
import { type AnyCodec, type Framing, omitUndefined } from '../../../core/api/codec.ts';
import { builtIns } from '../../support/gateway.ts';
import { readError, send } from '../../support/http.ts';
import { startScene, type Scene } from '../../support/scene.ts';
import { answerJson } from '../../support/upstream.ts';
import { chatBody } from '../../matrix/vendors/vendor-chat.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { someTokens } from '../../matrix/wires.ts';
import { lines, wordsCodec } from './words-wire.ts';

const ask = (stream = false) =>
  JSON.stringify({ model: 'own/model', stream, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] });

describe('a third-party provider', () => {
  let scene: Scene;
  let url: string;
  afterEach(() => scene.stop());

  const start = async (
    wires: readonly Partial<EndpointWire>[],
    brings: {
      readonly codecs?: readonly AnyCodec[];
      readonly framings?: readonly Framing[];
      readonly chooseWire?: Endpoint['chooseWire'];
    } = {},
  ): Promise<void> => {
    const buildRequest: EndpointWire['buildRequest'] = ({ headers, body }) => ({
      origin: url,
      path: '/plain',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    const own = defineProvider({
      kind: 'provider',
      apiVersion: 1,
      name: 'own',
      schema: { type: 'object' },
      ...brings,
      create: () => ({
        credentials: [{ id: 'own-key' }],
        endpoint: () =>
          omitUndefined({
            origin: { provider: 'own', family: 'own' },
            wires: wires.map((speech) => ({
              operation: 'generate',
              wire: 'chat-completions',
              buildRequest,
              ...speech,
            })),
            chooseWire: brings.chooseWire,
          }),
      }),
    });
    const settings = {
      providers: { own: { use: 'own' } },
      models: { 'own/model': { targets: [{ provider: 'own', model: 'inner' }] } },
    };
    scene = await startScene(settings, { ...builtIns, provider: { ...builtIns.provider, own } });
    ({ url } = scene.upstream);
    scene.upstream.answer = (response) => answerJson(response, JSON.parse(chatBody(goodDay.chat, someTokens)));
  };
  const post = (path: string, stream = false) => send(scene.gateway.url, { path, body: ask(stream) });

  it('a third-party provider is not called for a stream that its wire cannot decode', async () => {
    const upstream = { ...wordsCodec.upstream, decodeStream: undefined };
    await start([{ wire: 'words' }], { codecs: [{ ...wordsCodec, upstream } as AnyCodec] });
    const reply = await post('/v1/chat/completions', true);
    expect([reply.status, readError(reply).error.param]).to.deep.equal([400, 'stream']);
    expect(scene.upstream.calls).to.have.length(0);
  });

  for (const [lane, path] of [
    ['native', '/v1/chat/completions'],
    ['translated', '/v1/messages'],
  ] as const) {
    it(`a third-party provider edits the body on the ${lane} lane: it replaces, adds and removes members`, async () => {
      const seen: unknown[] = [];
      const edits: EndpointWire['edits'] = (body, request) => {
        seen.push([body['messages'] !== undefined, request.stream, request.headers['user-agent']]);
        return [
          { member: 'model', value: 'bent' },
          { member: 'added', value: { deep: [1] } },
          { member: 'max_tokens', value: undefined },
          { member: 'max_completion_tokens', value: undefined },
        ];
      };
      await start([{ edits }]);
      const reply = await send(scene.gateway.url, {
        path,
        body: ask(),
        headers: {
          authorization: 'Bearer test-key-0123456789abcdef',
          'anthropic-version': '2023-06-01',
          'user-agent': 'me',
        },
      });
      expect([reply.status, reply.headers['x-koine-lane']]).to.deep.equal([200, lane]);
      expect(scene.upstream.calls[0]?.body)
        .to.deep.include({ model: 'bent', added: { deep: [1] } })
        .and.not.have.any.keys('max_tokens', 'max_completion_tokens');
      expect(seen).to.deep.equal([[true, false, 'me']]);
    });

    it(`awaits buildRequest, which gets the final bytes, on the ${lane} lane`, async () => {
      const calls: UpstreamCall[] = [];
      const buildRequest: EndpointWire['buildRequest'] = async (call): Promise<UpstreamRequest> => {
        calls.push(call);
        await new Promise((resolve) => setTimeout(resolve, 10));
        return {
          origin: url,
          path: '/signed?v=1',
          headers: { ...call.headers, 'content-type': 'application/json', 'x-signature': String(call.body.byteLength) },
          body: call.body,
        };
      };
      await start([{ buildRequest, edits: () => [{ member: 'model', value: 'bent' }] }]);
      expect((await post(path)).status).to.equal(200);
      const [call] = scene.upstream.calls;
      expect(call?.path).to.equal('/signed?v=1');
      expect(call?.headers['x-signature']).to.equal(String(call?.raw.byteLength));
      expect(calls[0]).to.include({ model: 'inner', credential: 'own-key', stream: false });
      expect(calls[0]?.headers, 'the client’s key stays here').to.not.have.property('authorization');
      expect(calls[0]?.signal).to.be.instanceOf(AbortSignal);
    });

    it(`fails the attempt on the ${lane} lane if buildRequest throws, and sends nothing`, async () => {
      const buildRequest: EndpointWire['buildRequest'] = () =>
        Promise.reject(new GatewayError('upstream_credential', 'the token endpoint is down'));
      await start([{ buildRequest }]);
      expect((await post(path)).status).to.be.oneOf([500, 502]);
      expect(scene.upstream.calls).to.deep.equal([]);
      await scene.gateway.settled(1);
      const { attempts: [attempt] = [] } = scene.gateway.exchanges()[0] as { readonly attempts?: readonly object[] };
      expect(attempt).to.include({ failure: 'credential', status: 0, credential: 'own-key' });
    });
  }

  it('classifies a failure with the classify function of the provider', async () => {
    await start([
      {
        classify: ({ status, body }) =>
          status === 400 && JSON.stringify(body).includes('API key') ? 'credential' : undefined,
      },
    ]);
    scene.upstream.answer = (response) => answerJson(response, { error: { message: 'API key not valid' } }, 400);
    const reply = await post('/v1/chat/completions');
    expect(reply.status).to.equal(502);
    expect(reply.text, 'the client does not see the error about our key').to.not.include('API key');
    scene.upstream.answer = (response) => answerJson(response, { error: { message: 'bad temperature' } }, 400);
    const other = await post('/v1/chat/completions');
    expect([other.status, readError(other).error.message]).to.deep.equal([400, 'bad temperature']);
  });

  it('sends requests with the transport of the provider', async () => {
    const requests: UpstreamRequest[] = [];
    await start([
      {
        send: async (request): Promise<UpstreamReply> => {
          requests.push(request);
          return {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: (async function* body() {
              yield Buffer.from(chatBody(goodDay.chat, someTokens));
            })(),
          };
        },
      },
    ]);
    const reply = await post('/v1/messages');
    expect(reply.status).to.equal(200);
    expect(reply.text).to.include('Good day.');
    expect(requests.map(({ path }) => path)).to.deep.equal(['/plain']);
    expect(scene.upstream.calls).to.deep.equal([]);
  });

  it('lets the provider choose the wire of a request, for clients of either wire', async () => {
    await start(
      [
        {},
        {
          wire: 'messages',
          buildRequest: ({ headers, body }) => ({
            origin: url,
            path: '/messages',
            headers: { ...headers, 'content-type': 'application/json' },
            body,
          }),
        },
      ],
      { chooseWire: ({ maxTokens }) => (maxTokens === 9 ? 'chat-completions' : 'messages') },
    );
    expect((await post('/v1/messages')).headers['x-koine-lane']).to.equal('translated');
    expect(scene.upstream.calls[0]?.path).to.equal('/plain');
  });

  for (const path of ['/v1/chat/completions', '/v1/messages']) {
    it(`serves ${path} plain and streamed with a wire and a framing of the provider`, async () => {
      await start([{ wire: 'words', framing: 'lines' }], { codecs: [wordsCodec as AnyCodec], framings: [lines] });
      scene.upstream.answer = (response, { headers }) => {
        if (headers['accept'] === 'text/x-lines')
          response.writeHead(200, { 'content-type': 'text/x-lines' }).end('Good\n day\n.\n');
        else answerJson(response, { answer: 'Good day' });
      };
      const plain = await post(path);
      expect([plain.status, plain.headers['x-koine-lane']]).to.deep.equal([200, 'translated']);
      expect(plain.text).to.include('Good day');
      const streamed = await post(path, true);
      expect(streamed.status).to.equal(200);
      expect([...streamed.text.matchAll(/"(?:content|text)":"( day|Good)"/g)].map(([, text]) => text)).to.deep.equal([
        'Good',
        ' day',
      ]);
      expect(streamed.text).to.match(path === '/v1/messages' ? /message_stop/ : /\[DONE\]/);
      expect(scene.upstream.calls[1]?.body).to.deep.equal({ model: 'inner', prompt: 'Hi' });
    });
  }

  it("rejects a route with a wire that has no client side, and sends its errors in the client's wire", async () => {
    await start([{ wire: 'words', framing: 'lines' }], { codecs: [wordsCodec as AnyCodec], framings: [lines] });
    scene.upstream.answer = (response) => answerJson(response, { error: 'too many words' }, 429);
    const reply = await post('/v1/messages');
    expect([reply.status, readError(reply).type]).to.deep.equal([429, 'error']);
    expect(readError(reply).error.message).to.equal('too many words');
  });
});
