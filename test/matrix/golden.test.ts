import { expect } from 'chai';
import { answerSse } from '../support/upstream.ts';
import { withoutProofs } from './answer.ts';
import { idOf } from './catalog.ts';
import { senders } from './clients/clients.ts';
import { goldenRequest, readGolden } from './vendors/golden.ts';
import { overPairs, startMatrix, type MatrixScene } from './matrix-scene.ts';
import type { Json, Wire } from './wires.ts';

const usage: Readonly<Record<Wire, Json>> = {
  chat: { prompt: 4_512, completion: 90, total: 4_602, cached: 4_000, written: 500, reasoning: 60 },
  messages: { input: 12, written: 500, read: 4_000, output: 90, thinking: 60 },
  responses: { input: 4_512, output: 90, total: 4_602, cached: 4_000, written: 500, reasoning: 60 },
  google: { prompt: 4_512, candidates: 30, total: 4_602, cached: 4_000, thoughts: 60 },
};
/** Google's stream has no word for what was written to the cache. */
const withoutWrite: typeof usage = {
  ...usage,
  chat: { ...usage.chat, written: 0 },
  messages: { ...usage.messages, input: 512, written: 0 },
  responses: { ...usage.responses, written: 0 },
};
const finish: Readonly<Record<Wire, string>> = {
  chat: 'tool_calls',
  messages: 'tool_use',
  responses: 'completed',
  google: 'STOP',
};

describe('matrix: the golden conversation', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix();
  });
  after(() => scene.stop());

  const check = async (client: Wire, wire: Wire): Promise<void> => {
    scene.upstream.answer = (response) => answerSse(response, readGolden(wire).toString());
    const answer = await senders[client](
      scene.gateway.url,
      { ...goldenRequest[client], model: idOf(wire) },
      'streamed',
    );
    expect(answer.reasoning).to.equal('Let me check.');
    expect(answer.text).to.equal('Checking.');
    expect(withoutProofs(answer.calls)).to.deep.equal([
      { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
      { id: 'call_2', name: 'get_time', input: {} },
    ]);
    expect(answer.finish).to.equal(finish[client]);
    expect(answer.usage).to.deep.equal((wire === 'google' ? withoutWrite : usage)[client]);
  };

  overPairs((client, wire, pair) => [
    { title: `reads the golden conversation over ${pair}`, run: () => check(client, wire) },
  ]);
});
