import { expect } from 'chai';
import { idOf } from '../matrix/catalog.ts';
import { senders } from '../matrix/clients/clients.ts';
import { startMatrix, type MatrixScene } from '../matrix/matrix-scene.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { textOf } from '../matrix/vendors/vendors.ts';
import { defaultModels, wires, type Json, type Wire } from '../matrix/wires.ts';

const text = (words: string): Json => ({ type: 'text', text: words });
const call = { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } };
const schema = { type: 'object', properties: { city: { type: 'string' } } };

/** Conversations that one wire allows and another does not. */
describe('turns that do not fit', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix([defaultModels, { ...defaultModels, messages: 'claude-sonnet-4-6' }]);
  });
  after(() => scene.stop());

  /** What the vendor of the wire is sent. */
  const sentTo = async (wire: Wire, client: Wire, body: Json, model = defaultModels[wire]): Promise<Json> => {
    scene.upstream.calls.length = 0;
    const answer = textOf(wire, 'plain', goodDay);
    scene.upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    expect((await senders[client](scene.gateway.url, { ...body, model: idOf(wire, model) }, 'plain')).text).to.equal(
      'Good day.',
    );
    return scene.upstream.calls[0]?.body ?? {};
  };

  const early = {
    max_tokens: 100,
    tools: [{ name: 'get_weather', input_schema: schema }],
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: [{ type: 'tool_use', ...call }] },
      {
        role: 'user',
        content: [text('And be brief.'), { type: 'tool_result', tool_use_id: 'call_1', content: '18C' }],
      },
    ],
  };

  it('E9 text before a result is sent after it: messages>chat', async () => {
    const { messages } = await sentTo('chat', 'messages', early);
    expect((messages as readonly Json[]).slice(2)).to.deep.equal([
      { role: 'tool', tool_call_id: 'call_1', content: '18C' },
      { role: 'user', content: 'And be brief.' },
    ]);
  });
  it('E9 text before a result is sent after it: messages>responses', async () => {
    const { input } = await sentTo('responses', 'messages', early);
    expect((input as readonly Json[]).slice(2)).to.deep.equal([
      { type: 'function_call_output', call_id: 'call_1', output: '18C' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And be brief.' }] },
    ]);
  });
  it('E9 text before a result is sent after it: messages>google', async () => {
    const { contents } = await sentTo('google', 'messages', early);
    expect((contents as readonly Json[]).at(-1)).to.deep.equal({
      role: 'user',
      parts: [
        { functionResponse: { id: 'call_1', name: 'get_weather', response: { output: '18C' } } },
        { text: 'And be brief.' },
      ],
    });
  });

  const onlySystem = { max_completion_tokens: 100, messages: [{ role: 'system', content: 'Say hello.' }] };
  it('E15 a system prompt alone is sent as a user turn', async () => {
    expect(await sentTo('messages', 'chat', onlySystem))
      .to.deep.include({ messages: [{ role: 'user', content: [text('Say hello.')] }] })
      .and.not.have.property('system');
    expect(await sentTo('google', 'chat', onlySystem))
      .to.deep.include({ contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }] })
      .and.not.have.property('systemInstruction');
    expect((await sentTo('responses', 'chat', onlySystem))['input']).to.deep.equal([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Say hello.' }] },
    ]);
  });

  const prefill = {
    max_completion_tokens: 100,
    messages: [
      { role: 'user', content: 'JSON?' },
      { role: 'assistant', content: '{ ' },
    ],
  };
  it('E18 a prefill becomes history where the model does not continue it, and is trimmed where it does', async () => {
    const ended = { role: 'user', content: [text('Continue.')] };
    expect((await sentTo('messages', 'chat', prefill, 'claude-sonnet-4-6'))['messages']).to.deep.include(ended);
    expect(((await sentTo('messages', 'chat', prefill))['messages'] as readonly Json[]).at(-1)).to.deep.equal({
      role: 'assistant',
      content: [text('{')],
    });
  });

  it('E21 offers only the forced tool, with the choice auto, while the model thinks', async () => {
    const forced = {
      max_completion_tokens: 4_000,
      reasoning_effort: 'high',
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: ['get_weather', 'get_time'].map((name) => ({ type: 'function', function: { name, parameters: schema } })),
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    };
    for (const model of [defaultModels.messages, 'claude-sonnet-4-6']) {
      const { tool_choice: choice, tools, thinking } = await sentTo('messages', 'chat', forced, model);
      expect(choice).to.deep.equal({ type: 'auto' });
      expect((tools as readonly Json[]).map(({ name }) => name)).to.deep.equal(['get_weather']);
      expect(thinking).to.have.property('type').that.is.not.equal('disabled');
    }
  });

  it('E41 null members are treated as absent', async () => {
    const nulls = {
      tools: null,
      tool_choice: null,
      stop: null,
      temperature: null,
      top_p: null,
      response_format: null,
      seed: null,
      user: null,
      n: null,
    };
    for (const wire of wires.filter((one) => one !== 'chat')) {
      const hello = { max_completion_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
      expect(await sentTo(wire, 'chat', { ...hello, ...nulls })).to.deep.equal(await sentTo(wire, 'chat', hello));
    }
  });
});
