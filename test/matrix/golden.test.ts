import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { startTestGateway, type TestGateway } from '../e2e/gateway.ts';
import { answerSse, startUpstream, type TestUpstream } from '../e2e/upstream.ts';
import type { Answer } from './answer.ts';
import { sendChat } from './client-chat.ts';
import { sendMessages } from './client-messages.ts';
import { defaultModels, hello } from './matrix-case.ts';
import { catalogOf, pairOf, providerOf, providersAt, wires, type Json, type Wire } from './wires.ts';

/** One conversation in the streams of both wires, as eleven clients were seen to accept it. */
const goldenOf = (wire: Wire): string => readFileSync(new URL(`../fixtures/golden/${wire}.sse`, import.meta.url), 'utf8');

const usage: Readonly<Record<Wire, Json>> = {
  chat: { prompt: 4_512, completion: 90, total: 4_602, cached: 4_000, written: 500, reasoning: 60 },
  messages: { input: 12, written: 500, read: 4_000, output: 90, thinking: 60 },
};
const finish: Readonly<Record<Wire, string>> = { chat: 'tool_calls', messages: 'tool_use' };

describe('matrix: the golden conversation', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    gateway = await startTestGateway({ providers: providersAt(upstream.url), models: catalogOf([defaultModels]) });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const ask = (client: Wire, wire: Wire): Promise<Answer> => {
    upstream.answer = (response) => answerSse(response, goldenOf(wire));
    const model = `${providerOf[wire]}/${defaultModels[wire]}`;
    return client === 'chat' ? sendChat(gateway.url, { ...hello.chat, model }, 'streamed') : sendMessages(gateway.url, { ...hello.messages, model }, 'streamed');
  };

  for (const client of wires) {
    for (const wire of wires) {
      it(`reads the same over ${pairOf(client, wire)}`, async () => {
        const answer = await ask(client, wire);
        expect(answer.reasoning).to.equal('Let me check.');
        expect(answer.text).to.equal('Checking.');
        expect(answer.calls).to.deep.equal([
          { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
          { id: 'call_2', name: 'get_time', input: {} },
        ]);
        expect(answer.finish).to.equal(finish[client]);
        expect(answer.usage).to.deep.equal(usage[client]);
      });
    }
  }
});
