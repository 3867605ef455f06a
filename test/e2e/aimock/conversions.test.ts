import { expect } from 'chai';
import { aimockKinds, modelOf, startAimockScene, TEXT, tokens, type AimockScene } from './aimock-scene.ts';
import { weather } from '../../matrix/cases/tools.ts';
import { senders } from '../../matrix/clients/clients.ts';
import { bodyOf, userTurn } from '../../matrix/sample-bodies.ts';
import { modes, wireNames, wires, type Json, type Mode, type Wire } from '../../matrix/wires.ts';

const tools: Readonly<Record<Wire, Json>> = {
  chat: { tools: [weather.chat] },
  messages: { tools: [weather.messages] },
  responses: { tools: [weather.responses] },
  google: { tools: [{ functionDeclarations: [weather.google] }] },
};
/** How a text and a call end, in the words of each wire. */
const finishes: Readonly<Record<Wire, readonly [text: string, call: string]>> = {
  chat: ['stop', 'tool_calls'],
  messages: ['end_turn', 'tool_use'],
  responses: ['completed', 'completed'],
  google: ['STOP', 'STOP'],
};

/** aimock counts nothing for Ollama, and in a stream only for clients with `stream_options`, which Mistral has not. */
const countless = (kind: string, mode: Mode): boolean =>
  kind === 'ollama' || (kind === 'mistral' && mode === 'streamed');

describe('the SDK of a client, and an upstream by aimock', function () {
  this.timeout(60_000);
  let scene: AimockScene;
  before(async () => {
    scene = await startAimockScene();
  });
  after(() => scene?.stop());

  const send = async (client: Wire, name: string, mode: Mode, more: Json = {}) => {
    const since = scene.gateway.exchanges().length;
    const body = { model: modelOf(name), ...bodyOf(client, [userTurn[client]('Hello')], more) };
    const answer = await senders[client](scene.gateway.url, body, mode);
    await scene.gateway.settled(since + 1);
    return { answer, line: scene.gateway.exchanges().at(-1) ?? {} };
  };

  for (const client of wires)
    // Of its own wire the client gets the bytes of aimock.
    for (const { name } of aimockKinds.filter((kind) => kind.name !== wireNames[client]))
      describe(`a ${client} client, and a ${name} target`, () => {
        let since = 0;
        before(() => (since = scene.gateway.exchanges().length));

        for (const mode of modes) {
          it(`${mode}: a text, its end and its usage`, async () => {
            const { answer, line } = await send(client, name, mode);
            expect(answer).to.include({ text: TEXT, finish: finishes[client][0] });
            expect(answer.calls).to.deep.equal([]);
            if (countless(name, mode)) return void expect(line).to.include({ tokens_estimated: true });
            expect(line).to.include({ tokens_in: tokens.input, tokens_out: tokens.output });
            expect(Object.values(answer.usage)).to.include.members(Object.values(tokens));
          });

          it(`${mode}: a call of a tool`, async () => {
            const { answer } = await send(client, name, mode, tools[client]);
            expect(answer.finish).to.equal(finishes[client][1]);
            expect(answer.calls.map(({ name: tool, input }) => [tool, input])).to.deep.equal([
              ['get_weather', { city: 'Paris' }],
            ]);
          });
        }

        it('all exchanges are settled once', async () => {
          expect(scene.gateway.exchanges().length - since).to.equal(2 * modes.length);
          await scene.expectSettled(since);
        });
      });
});
