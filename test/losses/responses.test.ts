import { expect } from 'chai';
import { callOf, isStreamed, wireAt } from '../support/calls.ts';
import { send } from '../support/http.ts';
import { modelIds, startScene, type Scene } from '../support/scene.ts';
import { modes, pairOf, wires, type Mode, type Wire } from '../matrix/wires.ts';
import { lossyAnswers } from './lossy-answers.ts';

describe('the names of losses of responses', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
    scene.upstream.answer = (response, call) => {
      const { plain, streamed } = lossyAnswers[wireAt(call.path)];
      if (isStreamed(call)) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(plain));
    };
  });
  after(() => scene.stop());

  /** The losses of the access log: the header has only those before the first content. */
  const ask = async (client: Wire, target: Wire, mode: Mode): Promise<readonly string[]> => {
    const settled = scene.gateway.exchanges().length;
    const reply = await send(scene.gateway.url, callOf(client, modelIds[target], { stream: mode === 'streamed' }));
    expect(reply.status, reply.text).to.equal(200);
    await scene.gateway.settled(settled + 1);
    const attempts = scene.gateway.exchanges().at(-1)?.['attempts'] as readonly {
      readonly losses?: readonly string[];
    }[];
    return attempts[0]?.losses ?? [];
  };

  for (const client of wires) {
    for (const target of wires.filter((wire) => wire !== client)) {
      it(`losses of a response are the same plain and streamed over ${pairOf(client, target)}`, async () => {
        const named: Partial<Record<Mode, readonly string[]>> = {};
        for (const mode of modes) named[mode] = await ask(client, target, mode);
        const { plain = [], streamed } = named;
        expect(streamed).to.have.members(plain);
        expect(plain).to.include.members(lossyAnswers[target].named);
      });
    }
  }
});
