import { expect } from 'chai';
import { png, serveMedia, type MediaServer } from '../../support/media-server.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readError, send, type HttpReply } from '../../support/http.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';

const answer = JSON.stringify({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'seen' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
});

/** A model that accepts bytes only, at three providers: without fetching, with public and with local addresses. */
describe('media by URL', () => {
  let files: MediaServer;
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    files = await serveMedia((request, response) =>
      request.url === '/a.png' ? response.end(png) : response.writeHead(404).end(),
    );
    upstream = await startUpstream();
    const origin = `http://127.0.0.1:${files.port}`;
    const vendor = { use: 'anthropic', config: { apiKey: 'k', baseUrl: upstream.url } };
    const capabilities = { mediaUrls: false };
    gateway = await startTestGateway({
      providers: {
        plain: vendor,
        strict: { ...vendor, fetchMedia: { enabled: true } },
        open: { ...vendor, fetchMedia: { enabled: true, allow: [origin] } },
      },
      models: Object.fromEntries(
        ['plain', 'strict', 'open'].map((provider) => [
          `${provider}/m`,
          { targets: [{ provider, model: 'm' }], capabilities },
        ]),
      ),
    });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
    await files.close();
  });
  beforeEach(() => {
    files.asked.length = 0;
    upstream.calls.length = 0;
    upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });

  const ask = (model: string, path = '/a.png'): Promise<HttpReply> => {
    const image = { type: 'image_url', image_url: { url: `http://127.0.0.1:${files.port}${path}` } };
    return send(gateway.url, {
      path: '/v1/chat/completions',
      body: JSON.stringify({
        model,
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: [{ type: 'text', text: 'look' }, image, image] },
        ],
      }),
    });
  };
  const refused = async (reply: Promise<HttpReply>) => {
    const received = await reply;
    expect(received.status, received.text).to.equal(400);
    expect(upstream.calls).to.have.length(0);
    return readError(received).error;
  };

  it('media by URL is refused if the provider may not fetch it, and the error names the setting', async () => {
    const error = await refused(ask('plain/m'));
    expect(error).to.include({ code: 'unsupported_parameter', param: 'messages[1].content[1]' });
    expect(error.message).to.include('providers.plain.fetchMedia.enabled');
    expect(files.asked).to.deep.equal([]);
  });

  it('media at a private address is refused without a request', async () => {
    const error = await refused(ask('strict/m'));
    expect(error).to.include({ code: 'unsupported_parameter', param: 'messages[1].content[1]' });
    expect(error.message).to.include('It could not be fetched.');
    expect(files.asked).to.deep.equal([]);
  });

  it('fetched media is sent as bytes with its detected type, and fetched once', async () => {
    const reply = await ask('open/m');
    expect(reply.status, reply.text).to.equal(200);
    expect([upstream.calls.length, files.asked.length]).to.deep.equal([1, 1]);
    const source = { type: 'base64', media_type: 'image/png', data: png.toString('base64') };
    expect(upstream.calls[0]?.body['messages']).to.deep.equal([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', source },
          { type: 'image', source },
        ],
      },
    ]);
  });

  it('missing media is refused with its position in the request', async () => {
    expect(await refused(ask('open/m', '/none.png'))).to.include({ param: 'messages[1].content[1]' });
  });
});
