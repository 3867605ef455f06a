import { expect } from 'chai';
import { InternalServerError, type OpenAI } from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { createResponsesClient } from '../../matrix/clients/client-responses.ts';
import { framesOf } from '../../matrix/vendors/vendors.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { wireNames, type Wire } from '../../matrix/wires.ts';
import { greet, wireAt } from '../../support/calls.ts';
import { readError, send } from '../../support/http.ts';
import { startScene, type Scene } from '../../support/scene.ts';

/** As an operator opens a model to every client. */
const open = Object.values(wireNames);
const models = {
  'openai/gpt-4.1': { wires: open, targets: [{ provider: 'openai', model: 'gpt-4.1' }] },
  'openai/gpt-4o': { targets: [{ provider: 'openai', model: 'gpt-4o' }] },
  'openai/narrow': { wires: ['responses'], targets: [{ provider: 'openai', model: 'gpt-4.1' }] },
  'anthropic/claude-sonnet-4-5': { wires: open, targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }] },
  'google/gemini-2.5-flash': { wires: open, targets: [{ provider: 'google', model: 'gemini-2.5-flash' }] },
};
/** What is reached over which wire by a client of responses. */
const reached: Readonly<Record<string, Wire>> = {
  'openai/gpt-4.1': 'responses',
  'openai/narrow': 'responses',
  'anthropic/claude-sonnet-4-5': 'messages',
  'google/gemini-2.5-flash': 'google',
};

describe('models for clients of responses', () => {
  let scene: Scene;
  let client: OpenAI;
  before(async () => {
    scene = await startScene({ models, aliases: { sonnet: 'anthropic/claude-sonnet-4-5', 'gpt-4o': 'openai/gpt-4o' } });
    client = createResponsesClient(scene.gateway.url);
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  const refuse = async (model: string): Promise<ReturnType<typeof readError>['error']> => {
    const reply = await send(scene.gateway.url, {
      path: '/v1/responses',
      body: JSON.stringify({ model, input: 'Hello' }),
    });
    expect(reply.status).to.equal(400);
    expect(scene.upstream.calls).to.have.length(0);
    const { error, ...others } = readError(reply);
    expect(others).to.deep.equal({});
    expect(error)
      .to.have.all.keys('message', 'type', 'param', 'code')
      .and.include({ type: 'invalid_request_error', param: 'model', code: 'model_not_found' });
    return error;
  };

  it('a model that does not list responses gets 400 with an explanation, by name and alias', async () => {
    for (const model of ['openai/gpt-4o', 'gpt-4o'])
      expect((await refuse(model)).message).to.match(
        /^The model 'openai\/gpt-4o' is not offered on the wire 'responses', only on .*chat-completions.*models\.openai\/gpt-4o\.wires/,
      );
  });
  it('an unknown model is reported as unknown', async () => {
    expect((await refuse('openai/nothing')).message).to.include("'openai/nothing' does not exist");
  });
  it('a model without responses is served on other wires', async () => {
    const reply = await send(scene.gateway.url, {
      path: '/v1/chat/completions',
      body: JSON.stringify({ model: 'openai/gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(reply.status).to.equal(200);
    const other = await send(scene.gateway.url, {
      path: '/v1/chat/completions',
      body: JSON.stringify({ model: 'openai/narrow', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(other.status).to.equal(400);
    expect(readError(other).error.message).to.include(
      "The model 'openai/narrow' is not offered on the wire 'chat-completions', only on responses.",
    );
  });

  for (const [model, wire] of Object.entries(reached)) {
    it(`a model that lists responses is served: ${model}, plain and streamed`, async () => {
      const plain = await client.responses.create({ model, input: 'Hello', instructions: 'Be brief.' });
      expect(plain).to.include({ output_text: 'Good day.', status: 'completed' });
      const streamed = await client.responses
        .stream({ model, input: 'Hello', instructions: 'Be brief.' })
        .finalResponse();
      expect(streamed).to.include({ output_text: 'Good day.', status: 'completed' });
      expect(scene.upstream.calls.map(({ path }) => wireAt(path))).to.deep.equal([wire, wire]);
      for (const { raw } of scene.upstream.calls)
        expect(raw.toString()).to.include('Be brief.').and.to.include('Hello');
    });

    /** So many frames, and then the connection breaks. */
    const dieAfter = (count: number): void => {
      scene.upstream.answer = (response) => {
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(`: begun\n\n${framesOf(wire, goodDay).slice(0, count).join('')}`);
        setTimeout(() => response.socket?.resetAndDestroy(), 20);
      };
    };

    it(`a failure of ${model} before its first content is an HTTP status`, async () => {
      dieAfter(0);
      const error: unknown = await client.responses
        .create({ model, input: 'Hello', stream: true })
        .catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(InternalServerError).and.include({ status: 502, code: 'bad_gateway' });
    });

    it(`a failure of ${model} in the middle is response.failed, never a bare close`, async () => {
      dieAfter(framesOf(wire, goodDay).findIndex((frame) => frame.includes('Good')) + 1);
      const events: ResponseStreamEvent[] = [];
      for await (const event of await client.responses.create({ model, input: 'Hello', stream: true }))
        events.push(event);
      const last = events.at(-1);
      if (last?.type !== 'response.failed') throw new Error(`it ended with ${last?.type}`);
      expect(last.response).to.deep.include({
        status: 'failed',
        error: { code: 'server_error', message: 'The provider closed the connection.' },
      });
    });
  }

  it('a model that lists responses is served by its alias', async () => {
    expect((await client.responses.create({ model: 'sonnet', input: 'Hello' })).output_text).to.equal('Good day.');
    expect(scene.upstream.calls[0]?.body).to.include({ model: 'claude-sonnet-4-5' });
  });
});
