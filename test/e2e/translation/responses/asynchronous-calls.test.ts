import { expect } from 'chai';
import { wires, type Json, type Wire } from '../../../matrix/wires.ts';
import { callOf, greet } from '../../../support/calls.ts';
import { send } from '../../../support/http.ts';
import { modelIds, startScene, type Scene } from '../../../support/scene.ts';
import { answerJson } from '../../../support/upstream.ts';

const others = wires.filter((wire) => wire !== 'responses');
const tool = { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } };
const custom = { type: 'custom', name: 'c', format: { type: 'text' } };
const input = [
  { type: 'message', role: 'user', content: 'Hi' },
  { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}', async: true },
  { type: 'custom_tool_call', call_id: 'call_2', name: 'c', input: 'x', async: true, caller: { type: 'direct' } },
  { type: 'function_call_output', call_id: 'call_1', output: '18' },
  { type: 'custom_tool_call_output', call_id: 'call_2', output: '19' },
];
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}', status: 'completed' };
const response = (more: Json): Json => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [{ ...call, ...more }],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
});

describe('asynchronous tools of the responses API', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  const ask = async (client: Wire, wire: Wire, more: Json): Promise<string> => {
    const reply = await send(scene.gateway.url, callOf(client, modelIds[wire], { more }));
    expect(reply.status, reply.text).to.equal(200);
    return String(reply.headers['x-koine-losses'] ?? '');
  };

  for (const wire of others) {
    it(`asynchronous tools and calls are named as lost over ${wire}`, async () => {
      const tools = [
        { ...tool, async: true },
        { ...custom, async: true },
      ];
      const losses = await ask('responses', wire, { input, tools });
      expect(losses).to.include('input[1].async;dropped').and.include('input[2].async;dropped');
      expect(losses.match(/tools\S*\.async;dropped/g)).to.have.length(2);
      expect(JSON.stringify(scene.upstream.calls[0]?.body)).to.not.include('async');
    });

    it(`calls that are not asynchronous lose nothing over ${wire}`, async () => {
      const plain = input.map((item) => ('async' in item ? { ...item, async: false } : item));
      expect(await ask('responses', wire, { input: plain, tools: [tool] })).to.not.include('async');
    });

    it(`an asynchronous call in a response is named as lost for a client of ${wire}`, async () => {
      scene.upstream.answer = (reply) => answerJson(reply, response({ async: true }));
      expect(await ask(wire, 'responses', {})).to.include('output.async;dropped');
      scene.upstream.answer = (reply) => answerJson(reply, response({ async: false }));
      expect(await ask(wire, 'responses', {})).to.not.include('async');
    });
  }

  it('asynchronous calls are sent unchanged to a target that speaks responses', async () => {
    expect(await ask('responses', 'responses', { input, tools: [{ ...tool, async: true }] })).to.equal('');
    expect(scene.upstream.calls[0]?.body['input']).to.deep.equal(input);
  });
});
