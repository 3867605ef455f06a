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

for (const client of wires)
  describe(`the SDK of a ${client} client, and an upstream by aimock`, function () {
    this.timeout(60_000);
    let scene: AimockScene;
    before(async () => {
      scene = await startAimockScene();
    });
    after(() => scene?.stop());

    // Of its own wire the client gets the bytes of aimock.
    for (const { name } of aimockKinds.filter((kind) => kind.name !== wireNames[client]))
      for (const mode of modes) {
        const model = modelOf(name);
        const send = async (more: Json = {}) => {
          const since = scene.gateway.exchanges().length;
          const answer = await senders[client](
            scene.gateway.url,
            { model, ...bodyOf(client, [userTurn[client]('Hello')], more) },
            mode,
          );
          await scene.gateway.settled(since + 1);
          await scene.expectSettled(since);
          return { answer, line: scene.gateway.exchanges().at(-1) ?? {} };
        };

        it(`${name} target, ${mode}: a text, its end and its usage`, async () => {
          const { answer, line } = await send();
          expect(answer).to.include({ text: TEXT, finish: finishes[client][0] });
          expect(answer.calls).to.deep.equal([]);
          if (countless(name, mode)) return void expect(line).to.include({ tokens_estimated: true });
          expect(line).to.include({ tokens_in: tokens.input, tokens_out: tokens.output });
          expect(Object.values(answer.usage)).to.include.members(Object.values(tokens));
        });

        it(`${name} target, ${mode}: a call of a tool`, async () => {
          const { answer } = await send(tools[client]);
          expect(answer.finish).to.equal(finishes[client][1]);
          expect(answer.calls.map(({ name: tool, input }) => [tool, input])).to.deep.equal([
            ['get_weather', { city: 'Paris' }],
          ]);
        });
      }
  });
