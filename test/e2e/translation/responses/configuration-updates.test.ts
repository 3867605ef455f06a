import { expect } from 'chai';
import { wires, type Json, type Wire } from '../../../matrix/wires.ts';
import { callOf, greet } from '../../../support/calls.ts';
import { send } from '../../../support/http.ts';
import { entryOf, startScene, type Scene } from '../../../support/scene.ts';

/** Models that reason, by the wire over which they are reached. */
const models: Readonly<Record<Exclude<Wire, 'responses'>, string>> = {
  chat: 'openai/gpt-5',
  messages: 'anthropic/claude-opus-4-8',
  google: 'google/gemini-3-pro-preview',
};
const OWN = 'openai/gpt-5.1';
const others = wires.filter((wire) => wire !== 'responses');

const user = (content: string): Json => ({ type: 'message', role: 'user', content });
const update = (members: Json): Json => ({ type: 'configuration_update', ...members });
const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const format = { type: 'json_schema', name: 'r', schema, strict: true };

/** Where each wire has the effort, and the schema of the output. */
const effortIn: Readonly<Record<keyof typeof models, string>> = {
  chat: 'reasoning_effort',
  messages: 'output_config.effort',
  google: 'generationConfig.thinkingConfig.thinkingLevel',
};
const schemaIn: Readonly<Record<keyof typeof models, string>> = {
  chat: 'response_format.json_schema.schema',
  messages: 'output_config.format.schema',
  google: 'generationConfig.responseJsonSchema',
};

describe('configuration updates of a responses client', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({
      models: {
        ...Object.fromEntries(others.map((wire) => [models[wire], entryOf(models[wire], wire)])),
        [OWN]: entryOf(OWN, 'responses'),
      },
    });
    scene.upstream.answer = greet;
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const ask = async (model: string, more: Json, stream = false): Promise<{ sent: Json; losses: string }> => {
    const body = { reasoning: { effort: 'high' }, max_output_tokens: 20_000, ...more };
    const reply = await send(scene.gateway.url, callOf('responses', model, { stream, more: body }));
    expect(reply.status, reply.text).to.equal(200);
    const [call] = scene.upstream.calls;
    return { sent: call?.body ?? {}, losses: String(reply.headers['x-koine-losses'] ?? '') };
  };

  for (const wire of others) {
    for (const stream of [false, true]) {
      it(`the last effort of the updates is sent over ${wire}, ${stream ? 'streamed' : 'plain'}`, async () => {
        const input = [
          user('a'),
          update({ reasoning: { effort: 'medium' } }),
          user('b'),
          update({ reasoning: { effort: 'low' } }),
        ];
        const { sent, losses } = await ask(models[wire], { input: [...input, user('c')] }, stream);
        expect(sent).to.have.nested.property(effortIn[wire]).that.match(/^low$/i);
        expect(JSON.stringify(sent)).to.not.include('configuration_update');
        expect(losses).to.not.include('input');
      });
    }

    it(`a format of an update is sent over ${wire}, and a later update returns to text`, async () => {
      const asked = await ask(models[wire], { input: [user('a'), update({ text: { format } }), user('b')] });
      expect(asked.sent).to.have.nested.property(schemaIn[wire]);
      scene.upstream.calls.length = 0;
      const input = [
        user('a'),
        update({ text: { format } }),
        update({ text: { format: { type: 'text' } } }),
        user('b'),
      ];
      const { sent } = await ask(models[wire], { input });
      expect(sent).to.not.have.nested.property(schemaIn[wire]);
    });

    it(`instructions of an update are sent in their place over ${wire}`, async () => {
      const input = [
        user('a'),
        { type: 'message', role: 'assistant', content: 'x' },
        update({ instructions: 'Be brief.' }),
        user('b'),
      ];
      const { sent } = await ask(models[wire], { input });
      const text = JSON.stringify(sent);
      expect(text).to.include('Be brief.');
      expect(text.indexOf('Be brief.')).to.be.above(text.indexOf('"a"'));
    });

    it(`members of an update that are not known are named as lost over ${wire}`, async () => {
      const { losses } = await ask(models[wire], { input: [user('a'), update({ colour: 'red' }), user('b')] });
      expect(losses).to.match(/input\[\d\]/);
    });
  }

  it('an effort that does not exist is refused by its place', async () => {
    const input = [user('a'), update({ reasoning: { effort: 'huge' } })];
    const reply = await send(scene.gateway.url, callOf('responses', models.chat, { more: { input } }));
    expect([reply.status, JSON.parse(reply.text).error.param]).to.deep.equal([400, 'input[1].reasoning.effort']);
  });

  it('updates are sent unchanged to a target that speaks responses', async () => {
    const input = [user('a'), update({ reasoning: { effort: 'low' } }), user('b')];
    const { sent } = await ask(OWN, { input });
    expect(sent).to.deep.include({ input, reasoning: { effort: 'high' } });
  });
});
