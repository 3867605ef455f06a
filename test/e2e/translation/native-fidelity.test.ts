import { expect } from 'chai';
import { wires, type Wire } from '../../matrix/wires.ts';
import { pathOf } from '../../support/calls.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { oddBytes } from './odd-bytes.ts';
import { CHAT, GOOGLE, MESSAGES, modelIds, RESPONSES, startScene, type Scene } from '../../support/scene.ts';

/** What is named in these models' place at their vendors. */
const vendorNames: Readonly<Record<Wire, string>> = {
  chat: 'gpt-4.1',
  messages: 'claude-sonnet-4-5',
  responses: 'gpt-4.1-mini',
  google: 'gemini-2.5-flash',
};
const usageChunk =
  'data: {"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}\r\n\r\n';
const [chatBegin, chatEnd] = [oddBytes.chat.stream.slice(0, -1).join(''), oddBytes.chat.stream.at(-1) ?? ''];

describe('the native lane', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  /** What the upstream got, and what the client got, byte for byte. */
  const pass = async (
    path: string,
    body: string,
    answer: string,
    type: string,
  ): Promise<{ sent: string; reply: HttpReply }> => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = (response) => {
      response.writeHead(200, { 'content-type': type });
      const bytes = Buffer.from(answer);
      // Torn at an odd place: inside a character, a frame and a line end, wherever it falls.
      const middle = Math.floor(bytes.length / 2) | 1;
      response.write(bytes.subarray(0, middle));
      setTimeout(() => response.end(bytes.subarray(middle)), 10);
    };
    const reply = await send(scene.gateway.url, { path, body });
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.headers['x-koine-lane']).to.equal('native');
    return { sent: scene.upstream.calls[0]?.raw.toString() ?? '', reply };
  };
  const passPlain = (wire: Wire, body: string, answer = oddBytes[wire].answer) =>
    pass(pathOf(wire, modelIds[wire]), body, answer, 'application/json');
  const passStream = (wire: Wire, body: string, answer: string) =>
    pass(pathOf(wire, modelIds[wire], true), body, answer, 'text/event-stream');

  for (const wire of wires) {
    const { request, answer, stream } = oddBytes[wire];

    it(`only the model changes in a ${wire} request, and nothing in its response`, async () => {
      const { sent, reply } = await passPlain(wire, request(modelIds[wire]));
      expect(sent).to.equal(request(vendorNames[wire]));
      expect(reply.text).to.equal(answer);
      expect(reply.headers).to.not.have.property('x-koine-losses');
    });

    if (wire === 'chat') continue;
    it(`a ${wire} stream is relayed unchanged`, async () => {
      const more = wire === 'google' ? '' : ', "stream" :true';
      const { sent, reply } = await passStream(wire, request(modelIds[wire], more), stream.join(''));
      expect(sent).to.equal(request(vendorNames[wire], more));
      expect(reply.text).to.equal(stream.join(''));
    });
  }

  it('a chat stream is relayed unchanged, without the usage that the gateway requested', async () => {
    const { sent, reply } = await passStream(
      'chat',
      oddBytes.chat.request(CHAT, ', "stream":true'),
      `${chatBegin}${usageChunk}${chatEnd}`,
    );
    expect(sent).to.equal(oddBytes.chat.request('gpt-4.1', ', "stream":true,"stream_options":{"include_usage":true}'));
    expect(reply.text).to.equal(`${chatBegin}${chatEnd}`);
  });

  it('stream_options of the client are extended', async () => {
    const more = ', "stream":true,"stream_options" : { "include_obfuscation":false, "include_usage":false }';
    const { sent } = await passStream('chat', oddBytes.chat.request(CHAT, more), oddBytes.chat.stream.join(''));
    expect(JSON.parse(sent)).to.have.deep.property('stream_options', {
      include_obfuscation: false,
      include_usage: true,
    });
  });

  it('the usage of a chat stream is relayed to a client that requested it', async () => {
    const more = ',"stream":true,"stream_options": {"include_usage" :true}';
    const answer = `${chatBegin}${usageChunk}${chatEnd}`;
    const { sent, reply } = await passStream('chat', oddBytes.chat.request(CHAT, more), answer);
    expect(sent).to.equal(oddBytes.chat.request('gpt-4.1', more));
    expect(reply.text).to.equal(answer);
  });

  it('a missing output_text of responses is added, and nothing else changes', async () => {
    const without = oddBytes.responses.answer.replace('"output_text":"\\u0048i",', '');
    const { reply } = await passPlain('responses', oddBytes.responses.request(RESPONSES), without);
    expect(reply.text).to.equal(without.replace('9007199254740993', '9007199254740993,"output_text":"Hi"'));
  });

  it('a missing output_text at the end of a stream of responses is added, and nothing else changes', async () => {
    const without = oddBytes.responses.stream.join('').replace('"output_text" :"",', '');
    const more = ', "stream" :true';
    const { reply } = await passStream('responses', oddBytes.responses.request(RESPONSES, more), without);
    expect(reply.text).to.equal(without.replace('"total_tokens":3.0}', '"total_tokens":3.0},"output_text":""'));
  });

  it('stored and hosted items are left to a responses client', async () => {
    const kept =
      ',"store":true,"previous_response_id":"resp_0","background":false,"include":[ "web_search_call.results"],"tools":[{"type":"web_search"}]';
    const { sent } = await passPlain('responses', oddBytes.responses.request(RESPONSES, kept));
    expect(sent).to.equal(oddBytes.responses.request('gpt-4.1-mini', kept));
  });

  it('a model repeated in a Google body is replaced by the vendor’s name', async () => {
    const { sent } = await passPlain('google', oddBytes.google.request('', `, "model" : "models/${GOOGLE}"`));
    expect(sent).to.equal(oddBytes.google.request('', ', "model" : "models/gemini-2.5-flash"'));
  });

  it('version and beta headers of the client are forwarded, and no others', async () => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'x-vendor-secret': '1', 'set-cookie': 'a=b' })
        .end('{"type":"message","content":[]}');
    const headers = {
      'x-api-key': 'test-key-0123456789abcdef',
      'compat-version': '2023-01-01',
      'anthropic-beta': 'b-1',
      cookie: 'c=d',
      'x-custom': '1',
      'x-forwarded-for': '10.0.0.1',
      'x-koine-model': 'forged',
    };
    const reply = await send(scene.gateway.url, {
      path: '/v1/messages',
      headers,
      body: oddBytes.messages.request(MESSAGES),
    });
    const sent = scene.upstream.calls[0]?.headers ?? {};
    expect(sent).to.include({
      'anthropic-version': '2023-01-01',
      'anthropic-beta': 'b-1',
      'x-api-key': 'upstream-secret',
      'content-type': 'application/json',
    });
    expect(
      Object.keys(sent).filter((name) => /cookie|custom|forwarded|koine|authorization|compat/.test(name)),
    ).to.deep.equal([]);
    expect(reply.headers).to.include({ 'x-koine-model': MESSAGES });
    expect(Object.keys(reply.headers).filter((name) => /vendor|cookie/.test(name))).to.deep.equal([]);
  });
});
