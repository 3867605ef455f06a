import { expect } from 'chai';
import type { Part, Turn } from '../../../../../core/api/index.ts';
import { foldEvents, type GenerateEvent } from '../../../../../core/api/codec.ts';
import { callStart, decodeAsked, delta, finished, respond, start, withSdk, writeSse } from './harness.ts';

const origin = { provider: 'claude', family: 'claude-4' };
const sealed = { origin, value: 'SIG+/=' };
const plain = { origin: undefined, value: 'U0lH' };
const piece = (
  part: number,
  kind: 'text' | 'reasoning',
  pieces: readonly string[],
  end: object = {},
): readonly GenerateEvent[] => [
  { type: 'part-start', choice: 0, part, kind },
  ...pieces.map((text) => delta(part, text)),
  { type: 'part-end', choice: 0, part, ...end },
];
const call = (part: number, id: string, input: string, end: object = {}): readonly GenerateEvent[] => [
  callStart(part, id, 'get_weather'),
  delta(part, input),
  { type: 'part-end', choice: 0, part, ...end },
];

/** Answers of other vendors and of this one, as streams. */
const answers: Readonly<Record<string, readonly GenerateEvent[]>> = {
  'reasoning with a sealed proof, text and two calls of one function': [
    ...piece(0, 'reasoning', ['Let me ', 'check.'], { proof: sealed }),
    ...piece(1, 'text', ['Check', 'ing ', '😀.']),
    ...call(2, 'toolu_1', '{"city":"Paris"}'),
    ...call(3, 'toolu_2', '{"city":"Rome"}'),
  ],
  'calls with a signature of the vendor of this wire, and the text behind them': [
    ...call(0, 'call_1_0', '{}', { proof: plain }),
    ...call(1, 'call_1_1', '{"a":[1]}'),
    ...piece(2, 'text', ['Well.'], { proof: plain }),
  ],
  'reasoning that is shown, reasoning that is redacted, and a sealed call': [
    ...piece(0, 'reasoning', ['Hm.'], { proof: sealed }),
    { type: 'part-start', choice: 0, part: 1, kind: 'reasoning', redacted: true },
    { type: 'part-end', choice: 0, part: 1, proof: { ...sealed, redacted: true } },
    ...call(2, 'c', '{}', { proof: sealed }),
  ],
  'reasoning without a proof, and text': [...piece(0, 'reasoning', ['H', 'm.']), ...piece(1, 'text', ['a'])],
};

/** The assistant's turn as the next request of a chat holds it. */
const replay = async (text: string, streamed: boolean, show = true): Promise<Turn | undefined> => {
  let turn: Turn | undefined;
  await withSdk(
    [{ text }, { text: JSON.stringify(respond({ choices: [{ parts: [], finish: { reason: 'stop' } }] })) }],
    async (sdk, asked) => {
      const chat = sdk.chats.create({ model: 'p/m', config: { thinkingConfig: { includeThoughts: show } } });
      if (streamed) for await (const _chunk of await chat.sendMessageStream({ message: 'q' }));
      else await chat.sendMessage({ message: 'q' });
      await chat.sendMessage({ message: 'next' });
      const [, second] = asked;
      if (second === undefined) throw new Error('nothing was asked');
      [, turn] = decodeAsked(second).request.turns;
    },
  );
  return turn;
};

describe("generate-content: the SDK's chat returns a response as the same turn", () => {
  for (const [name, parts] of Object.entries(answers)) {
    const events = [start, ...parts, ...finished()];
    const wanted: readonly Part[] = foldEvents(events).choices[0]?.parts ?? [];
    it(`a streamed response survives a round trip: ${name}`, async () => {
      expect(await replay(writeSse(events), true)).to.deep.equal({ role: 'assistant', parts: wanted });
    });
    it(`a plain response survives a round trip: ${name}`, async () => {
      expect(await replay(JSON.stringify(respond(foldEvents(events))), false)).to.deep.equal({
        role: 'assistant',
        parts: wanted,
      });
    });
  }
});
