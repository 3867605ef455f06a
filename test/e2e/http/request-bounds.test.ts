import { expect } from 'chai';
import { structuredRequests } from '../../doubling/rich-requests.ts';
import { idOf } from '../../matrix/catalog.ts';
import { startMatrix, type MatrixScene } from '../../matrix/matrix-scene.ts';
import { weather } from '../../matrix/cases/tools.ts';
import { hello } from '../../matrix/sample-bodies.ts';
import { wires, type Json, type Wire } from '../../matrix/wires.ts';
import { greet, headOf, pathOf } from '../../support/calls.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { readRefusal } from '../../support/refusals.ts';

const renamed = (tool: Json, number: number): Json =>
  'function' in tool
    ? { ...tool, function: { ...(tool['function'] as Json), name: `f_${number}` } }
    : { ...tool, name: `f_${number}` };
const toolsOf = (client: Wire, count: number): Json => {
  const list = Array.from({ length: count }, (_, number) => renamed(weather[client], number));
  return { tools: client === 'google' ? [{ functionDeclarations: list }] : list };
};

const wide = {
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 10_001 }, (_, number) => [`p${number}`, { type: 'string' }])),
};
const wideTools: Readonly<Record<Wire, Json>> = {
  chat: { tools: [{ type: 'function', function: { name: 'f', parameters: wide } }] },
  messages: { tools: [{ name: 'f', input_schema: wide }] },
  responses: { tools: [{ type: 'function', name: 'f', parameters: wide, strict: false }] },
  google: { tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: wide }] }] },
};
const wideOutput: Readonly<Record<Wire, Json>> = {
  chat: { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: wide } } },
  messages: { output_config: { format: { type: 'json_schema', schema: wide } } },
  responses: { text: { format: { type: 'json_schema', name: 'answer', schema: wide } } },
  google: { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: wide } },
};

describe('requests beyond every vendor’s limits', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix();
    scene.upstream.answer = greet;
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const post = (client: Wire, target: Wire, body: Json): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: pathOf(client, idOf(target)),
      body: JSON.stringify({ ...hello[client], ...headOf(client, idOf(target)), ...body }),
    });
  const expectRefused = async (client: Wire, body: Json, message: RegExp): Promise<void> => {
    for (const target of wires) {
      const reply = await post(client, target, body);
      expect(reply.status).to.equal(400);
      expect(readRefusal(reply, client).message).to.match(message);
    }
    expect(scene.upstream.calls).to.be.empty;
  };

  for (const client of wires) {
    it(`10,001 tools are refused, ${client}`, () =>
      expectRefused(client, toolsOf(client, 10_001), /10001 tools; at most 10000/));
    it(`10,001 properties in a tool schema are refused, ${client}`, () =>
      expectRefused(client, wideTools[client], /more than 10000 properties/));
    it(`10,001 properties in a response schema are refused, ${client}`, () =>
      expectRefused(
        client,
        { ...structuredRequests(client), ...wideOutput[client], tools: undefined, tool_choice: undefined },
        /more than 10000 properties/,
      ));
    it(`5,000 tools are accepted, ${client}`, async () => {
      for (const target of wires) expect((await post(client, target, toolsOf(client, 5_000))).status).to.equal(200);
    });
  }
});
