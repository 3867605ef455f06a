import { expect } from 'chai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { createMessagesClient } from '../../matrix/clients/client-messages.ts';
import { readStream } from '../../matrix/clients/read-stream.ts';
import { KEY } from '../../support/gateway.ts';
import { sceneModels, startScene, type Scene } from '../../support/scene.ts';

const model = 'simulator/chat';
const wires = ['chat-completions', 'messages', 'generate-content', 'embed-content'];
const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

describe('the simulator, through SDKs and requests', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({
      models: { ...sceneModels, [model]: { wires, targets: [{ provider: 'simulator', model: 'chat' }] } },
    });
  });
  after(() => scene.stop());

  const ask = { model, max_tokens: 500 };
  const say = (content: string) => [{ role: 'user' as const, content }];

  it('the simulator responds plainly, the same on both wires', async () => {
    const chat = await createChatClient(scene.gateway.url).chat.completions.create({
      ...ask,
      messages: say('Good morning'),
    });
    const message = await createMessagesClient(scene.gateway.url).messages.create({
      ...ask,
      messages: say('Good morning'),
    });
    const [block] = message.content;
    expect(chat.choices[0]?.message.content).to.match(/^You said: Good morning\./);
    expect(block?.type === 'text' ? block.text : undefined).to.equal(chat.choices[0]?.message.content);
    expect(message.usage.output_tokens).to.equal(chat.usage?.completion_tokens);
  });

  it('the simulator streams the same text as it returns plainly', async () => {
    const chat = await createChatClient(scene.gateway.url).chat.completions.create({
      model,
      max_completion_tokens: 100,
      messages: say('Hello'),
    });
    expect(await readStream('chat', scene.gateway.url, model)).to.deep.equal({
      text: chat.choices[0]?.message.content,
      finish: 'stop',
      error: undefined,
    });
    expect(await readStream('messages', scene.gateway.url, model)).to.deep.equal({
      text: chat.choices[0]?.message.content,
      finish: 'end_turn',
      error: undefined,
    });
  });

  const contents = [{ role: 'user', parts: [{ text: 'Good morning' }] }];
  const content = contents[0];
  const methods: readonly (readonly [method: string, body: unknown])[] = [
    ['generateContent', { contents }],
    ['streamGenerateContent?alt=sse', { contents }],
    ['countTokens', { contents }],
    ['embedContent', { content }],
    ['batchEmbedContents', { requests: [{ model: `models/${model}`, content }] }],
  ];
  for (const version of ['v1', 'v1beta'])
    for (const [method, body] of methods)
      it(`${version}: ${method} returns the same with and without models/ in its path`, async () => {
        const post = async (path: string): Promise<unknown> => {
          const init = { method: 'POST', headers: { 'x-goog-api-key': KEY }, body: JSON.stringify(body) };
          const response = await fetch(`${scene.gateway.url}/${version}/${path}${model}:${method}`, init);
          return [response.status, (await response.text()).replaceAll(/"responseId":"[^"]+"/g, '')];
        };
        const reply = await post('');
        expect(reply).to.deep.equal(await post('models/'));
        expect(reply).to.have.property('0', 200);
      });

  it('the simulator calls a tool and reads its result', async () => {
    const client = createMessagesClient(scene.gateway.url);
    const tools = [{ name: 'get_weather', input_schema: schema as { type: 'object' } }];
    const messages = say('get_weather please');
    const first = await client.messages.stream({ ...ask, messages, tools }).finalMessage();
    const call = first.content.find((block) => block.type === 'tool_use');
    expect(first.stop_reason).to.equal('tool_use');
    expect(call).to.deep.include({ name: 'get_weather', input: { city: 'sample' } });
    const results = [{ type: 'tool_result' as const, tool_use_id: call?.id ?? '', content: '18C' }];
    const second = await client.messages.create({
      ...ask,
      tools,
      messages: [...messages, { role: 'assistant', content: first.content }, { role: 'user', content: results }],
    });
    expect(JSON.stringify(second.content)).to.include('get_weather answered: 18C');
  });

  it('the simulator follows a schema', async () => {
    const format = { type: 'json_schema' as const, json_schema: { name: 'place', schema, strict: true } };
    const chat = await createChatClient(scene.gateway.url).chat.completions.create({
      ...ask,
      messages: say('Where?'),
      response_format: format,
    });
    expect(JSON.parse(chat.choices[0]?.message.content ?? '')).to.deep.equal({ city: 'sample' });
  });

  for (const [fault, message] of [
    ['error=after:3', /./],
    ['cut=after:3', /ended before it was complete/],
    ['reset=after:3', /closed the connection/],
  ] as const) {
    it(`the simulator fails in the middle on request (${fault}) with an error of each SDK`, async () => {
      const chat = createChatClient(scene.gateway.url);
      const chatStream = chat.chat.completions.stream({ ...ask, messages: say(`Hi [[simulator ${fault}]]`) });
      const chatError: unknown = await chatStream.finalChatCompletion().catch((thrown: unknown) => thrown);
      expect(chatError).to.be.instanceOf(Error).with.property('message').that.matches(message);
      const messagesStream = createMessagesClient(scene.gateway.url).messages.stream({
        ...ask,
        messages: say(`Hi [[simulator ${fault}]]`),
      });
      const messagesError: unknown = await messagesStream.finalMessage().catch((thrown: unknown) => thrown);
      expect(messagesError).to.be.instanceOf(Error).with.property('message').that.matches(message);
    });
  }
});
