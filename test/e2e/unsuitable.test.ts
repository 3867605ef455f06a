import { expect } from 'chai';
import { chatBody } from '../matrix/vendor-chat.ts';
import { goodDay } from '../matrix/said.ts';
import { someTokens } from '../matrix/wires.ts';
import { readError, send, type HttpReply } from './http.ts';
import { CHAT, MESSAGES, startScene, type Scene } from './scene.ts';

const BLIND = 'openai/gpt-4';
const megabyte = 1_048_576;
/** Base64 of so many bytes. */
const base64 = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64');
const chatImage = (bytes: number) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${base64(bytes)}` } });
const messagesImage = (bytes: number) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(bytes) } });

/** What a target cannot carry, or the gateway may not: a 400 that says so, and no call. */
describe('requests that cannot be carried', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({
      models: {
        [CHAT]: { targets: [{ provider: 'openai', model: 'gpt-4.1' }] },
        [MESSAGES]: { targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }] },
        [BLIND]: { targets: [{ provider: 'openai', model: 'gpt-4' }] },
      },
    });
    scene.upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(chatBody(goodDay.chat, someTokens));
  });
  after(() => scene.stop());

  const post = (path: string, model: string, content: unknown, more: object = {}): Promise<HttpReply> =>
    send(scene.gateway.url, { path, body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content }], ...more }) });
  const refused = async (reply: Promise<HttpReply>): Promise<ReturnType<typeof readError>['error']> => {
    scene.upstream.calls.length = 0;
    const received = await reply;
    expect(received.status, received.text).to.equal(400);
    expect(scene.upstream.calls).to.have.length(0);
    return readError(received).error;
  };

  it('audio, for a vendor that has none', async () => {
    const error = await refused(post('/v1/chat/completions', MESSAGES, [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]));
    expect(error).to.include({ code: 'unsupported_parameter' }).and.have.property('message').that.includes('audio');
  });
  it('a tool that runs at another vendor', async () => {
    const error = await refused(post('/v1/messages', CHAT, 'Hi', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }));
    expect(error.message).to.include('web_search_20250305');
  });
  it('an image, for a model without eyes, on either lane', async () => {
    expect((await refused(post('/v1/chat/completions', BLIND, [chatImage(10)]))).message).to.match(/image/);
    expect((await refused(post('/v1/messages', BLIND, [messagesImage(10)]))).message).to.match(/image/);
  });

  for (const [path, image, place] of [
    ['/v1/chat/completions', chatImage, 'image_url'],
    ['/v1/messages', messagesImage, 'source.data'],
  ] as const) {
    it(`an image of more than 5 MB at ${path}`, async () => {
      expect((await refused(post(path, CHAT, [image(5 * megabyte + 1)]))).message).to.include(`messages[0].content[0].${place}`).and.include('5 MB');
      expect((await post(path, CHAT, [image(5 * megabyte)])).status).to.equal(200);
    });
    it(`images of more than 12 MB together at ${path}`, async () => {
      expect((await refused(post(path, CHAT, [image(4 * megabyte), image(4 * megabyte), image(4 * megabyte + 1)]))).message).to.include(`messages[0].content[2].${place}`).and.include('12 MB');
      expect((await post(path, CHAT, [image(4 * megabyte), image(4 * megabyte), image(4 * megabyte)])).status).to.equal(200);
    });
  }
});
