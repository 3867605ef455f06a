import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { wireNames, wires } from '../matrix/wires.ts';
import { callOf, streamEnds } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { readError, send } from '../support/http.ts';
import { everyWire } from '../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream } from '../support/upstream.ts';

/** The codec and the provider of a wire that no built-in has: one JSON object a line. */
const file = fileURLToPath(new URL('../../examples/ollama-provider/index.ts', import.meta.url));

const line = (content: string, more: object = {}): object => ({
  model: 'llama3.2',
  message: { role: 'assistant', content },
  done: false,
  ...more,
});
const last = { done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 2 };

describe('a wire that gateway.yaml loads from a file', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    const provider = { use: file, config: { baseUrl: upstream.url } };
    // Both providers have the codec of the one file.
    gateway = await startTestGateway({
      providers: { first: provider, second: provider },
      models: {
        'first/llama3.2': { wires: everyWire, targets: [{ provider: 'first', model: 'llama3.2' }] },
        'second/llama3.2': { wires: everyWire, targets: [{ provider: 'second', model: 'llama3.2' }] },
      },
    });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  beforeEach(() => upstream.calls.splice(0));

  for (const wire of wires) {
    it(`carries a request of ${wireNames[wire]}, and its response back`, async () => {
      upstream.answer = (response) => answerJson(response, line('Good day.', last));
      const reply = await send(gateway.url, callOf(wire, 'first/llama3.2'));
      expect({ status: reply.status, lane: reply.headers['x-koine-lane'] }).to.deep.equal({
        status: 200,
        lane: 'translated',
      });
      expect(reply.text).to.include('"Good day."');
      expect(upstream.calls.map(({ path, body }) => [path, body['model'], body['stream']])).to.deep.equal([
        ['/api/chat', 'llama3.2', false],
      ]);
    });

    it(`carries a stream of ${wireNames[wire]}, from lines of JSON`, async () => {
      upstream.answer = (response) => {
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        const lines = [line('Good '), line('day.'), line('', last)];
        response.end(lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
      };
      const reply = await send(gateway.url, callOf(wire, 'second/llama3.2', { stream: true }));
      expect(reply.status).to.equal(200);
      expect(reply.text).to.include('"Good "').and.to.include('"day."').and.to.match(streamEnds[wire]);
      expect(upstream.calls.map(({ body }) => body['stream'])).to.deep.equal([true]);
    });
  }

  it('gives its errors to clients in the shape of their wire', async () => {
    upstream.answer = (response) => answerJson(response, { error: 'model "llama3.2" not found' }, 404);
    const reply = await send(gateway.url, callOf('messages', 'first/llama3.2'));
    expect(reply.status).to.equal(404);
    expect(readError(reply)).to.deep.include({ type: 'error' });
  });
});
