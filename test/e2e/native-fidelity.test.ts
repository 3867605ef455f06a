import { expect } from 'chai';
import { send } from './http.ts';
import { CHAT, MESSAGES, startScene, type Scene } from './scene.ts';

/** All that a parser would change: numbers, escapes, spacing, order, line ends. */
const oddities = '"seed" : 9007199254740993 ,\r\n\t"x_unknown":{"b":1e400,"a":[ 1.0,2.50E+3,-0 , null],"":"\\u0041\\ud83d\\ude00\\/é"} ';
const chatRequest = (model: string, more = ''): string =>
  ` { "temperature":1.0,"model" : ${JSON.stringify(model)},${oddities},"messages":[{"content":"\\u0048i\\n","role":"user"}]${more}}\n`;
const messagesRequest = (model: string): string =>
  `{"messages":[{"content":[{"text":"\\u0048i","type":"text","x":1e400}],"role":"user"}],${oddities},"max_tokens":1e2,  "model":${JSON.stringify(model)}}`;

const chunk = (text: string): string => `{ "id":"c",  "choices":[{"delta":{"content":"${text}"},"index":0,"x_score":1e400,"finish_reason":null}], "seed":9007199254740993}`;
const usageChunk = 'data: {"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}\r\n\r\n';
const chatStream = [
  '\uFEFF: OPENROUTER PROCESSING\r\n\r\n',
  'retry: 10\r\nid: 7\r\n\r\n',
  'data: {"id":"c","choices":[{"delta":{"role":"assistant"},"index":0}]}\r\n\r\n',
  `event: message\r\ndata:${chunk('\\u0048i \\ud83d\\ude00')}\r\n\r\n`,
  `data: ${chunk('é')}\n\n`,
  ': a comment\ndata: {"id":"c","choices":[{"delta":{},"index":0,"finish_reason":"stop"}]}\n\n',
] as const;

const messagesStream = [
  'event: message_start\r\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}\r\n\r\n',
  ': a comment\n\n',
  'event: content_block_start\ndata: {"type":"content_block_start", "index":0,"content_block":{"type":"text","text":""}}\n\n',
  'event: vendor_news\ndata: {"type":"vendor_news","n":1e400}\n\n',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\\u0048\\ud83d\\ude00"}}\n\n',
  'event: content_block_stop\rdata: {"type":"content_block_stop","index":0}\r\r',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9007199254740993}}\n\n',
  'event: message_stop\ndata: {"type":"message_stop"}\n\n',
].join('');

describe('the native lane', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  /** What the upstream got, and what the client got, byte for byte. */
  const pass = async (path: string, body: string, answer: string, type: string): Promise<{ sent: string; text: string; lane: unknown }> => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = (response) => {
      response.writeHead(200, { 'content-type': type });
      const bytes = Buffer.from(answer);
      // Torn at an odd place: inside a character, a frame and a line end, wherever it falls.
      const middle = Math.floor(bytes.length / 2) | 1;
      response.write(bytes.subarray(0, middle));
      setTimeout(() => response.end(bytes.subarray(middle)), 10);
    };
    const { status, text, headers } = await send(scene.gateway.url, { path, body });
    expect(status, text).to.equal(200);
    return { sent: scene.upstream.calls[0]?.raw.toString() ?? '', text, lane: headers['x-koine-lane'] };
  };

  it('changes nothing of a chat request but the model', async () => {
    const answer = ' {"choices":[ {"index":0,"message":{"role":"assistant","content":"\\u0048i"},"finish_reason":"stop"}],\r\n"x":1e400,"y":9007199254740993 }\n';
    const { sent, text, lane } = await pass('/v1/chat/completions', chatRequest(CHAT), answer, 'application/json');
    expect(sent).to.equal(chatRequest('gpt-4.1'));
    expect(text).to.equal(answer);
    expect(lane).to.equal('native');
  });

  it('changes nothing of a messages request but the model', async () => {
    const answer = '{"type":"message","content":[ {"type":"text","text":"\\u0048i"}],"stop_reason":"end_turn",\r\n"usage":{"input_tokens":1,"output_tokens":9007199254740993}}';
    const { sent, text, lane } = await pass('/v1/messages', messagesRequest(MESSAGES), answer, 'application/json');
    expect(sent).to.equal(messagesRequest('claude-sonnet-4-5'));
    expect(text).to.equal(answer);
    expect(lane).to.equal('native');
  });

  it('relays a chat stream as it is, and keeps for itself the usage that it asked for', async () => {
    const answer = `${chatStream.join('')}${usageChunk}data: [DONE]\n\n`;
    const { sent, text } = await pass('/v1/chat/completions', chatRequest(CHAT, ', "stream":true'), answer, 'text/event-stream');
    expect(sent).to.equal(chatRequest('gpt-4.1', ', "stream":true,"stream_options":{"include_usage":true}'));
    expect(text).to.equal(`${chatStream.join('')}data: [DONE]\n\n`);
  });

  it('adds to the stream options that a client sent', async () => {
    const more = ', "stream":true,"stream_options" : { "include_obfuscation":false, "include_usage":false }';
    const { sent } = await pass('/v1/chat/completions', chatRequest(CHAT, more), `${chatStream.join('')}data: [DONE]\n\n`, 'text/event-stream');
    expect(JSON.parse(sent)).to.have.deep.property('stream_options', { include_obfuscation: false, include_usage: true });
  });

  it('relays the usage of a chat stream to a client that asked', async () => {
    const more = ',"stream":true,"stream_options": {"include_usage" :true}';
    const answer = `${chatStream.join('')}${usageChunk}data: [DONE]\n\n`;
    const { sent, text } = await pass('/v1/chat/completions', chatRequest(CHAT, more), answer, 'text/event-stream');
    expect(sent).to.equal(chatRequest('gpt-4.1', more));
    expect(text).to.equal(answer);
  });

  it('relays a messages stream as it is', async () => {
    const body = messagesRequest(MESSAGES).replace('{"messages"', '{"stream":true,"messages"');
    const { sent, text } = await pass('/v1/messages', body, messagesStream, 'text/event-stream');
    expect(sent).to.equal(body.replace(MESSAGES, 'claude-sonnet-4-5'));
    expect(text).to.equal(messagesStream);
  });

  it('sends the version and the betas of the client on, and no other header of its', async () => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'application/json', 'x-vendor-secret': '1', 'set-cookie': 'a=b' }).end('{"type":"message","content":[]}');
    const headers = { 'x-api-key': 'test-key-0123456789abcdef', 'compat-version': '2023-01-01', 'anthropic-beta': 'b-1', cookie: 'c=d', 'x-custom': '1', 'x-forwarded-for': '10.0.0.1', 'x-koine-model': 'forged' };
    const reply = await send(scene.gateway.url, { path: '/v1/messages', headers, body: messagesRequest(MESSAGES) });
    const sent = scene.upstream.calls[0]?.headers ?? {};
    expect(sent).to.include({ 'anthropic-version': '2023-01-01', 'anthropic-beta': 'b-1', 'x-api-key': 'upstream-secret', 'content-type': 'application/json' });
    expect(Object.keys(sent).filter((name) => /cookie|custom|forwarded|koine|authorization|compat/.test(name))).to.deep.equal([]);
    expect(reply.headers).to.include({ 'x-koine-model': MESSAGES });
    expect(Object.keys(reply.headers).filter((name) => /vendor|cookie/.test(name))).to.deep.equal([]);
  });
});
