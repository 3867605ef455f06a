import type { Usage } from '../../core/api/index.ts';
import type { Scene } from '../support/scene.ts';
import { pairOf, wires, type Wire } from '../matrix/wires.ts';
import { consult, startOracle } from './oracle.ts';
import { answer, type Script } from './scripted.ts';

/** 50 input and 20 output tokens at the end; two wires report the input at the start. */
const scripts: Readonly<Record<Wire, Script>> = {
  chat: { usage: { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 } },
  messages: { begun: { input_tokens: 50, output_tokens: 1 }, usage: { output_tokens: 20 } },
  responses: { usage: { input_tokens: 50, output_tokens: 20, total_tokens: 70 } },
  google: {
    begun: { promptTokenCount: 50, totalTokenCount: 50 },
    usage: { promptTokenCount: 50, candidatesTokenCount: 20, totalTokenCount: 70 },
  },
};

type Spent = readonly [input: number, output: number, source: Usage['source']];
/** Usage by what was received when the stream ended: nothing, `Good`, `Good day.`, or everything. */
const [began, half, whole, complete]: readonly Spent[] = [
  [100, 0, 'estimated'],
  [100, 1, 'estimated'],
  [100, 3, 'estimated'],
  [50, 20, 'provider'],
] as const;
const known = (output: number): Spent => [50, output, 'estimated'];

/** Usage when the stream of a vendor ends after its first, second, third … frame. */
const cuts: Readonly<Record<Wire, readonly (Spent | undefined)[]>> = {
  // role, Good, day, finish, usage, [DONE]
  chat: [began, half, whole, whole, complete, complete],
  // message_start, ping, block start, Good, day, block stop, message_delta, message_stop
  messages: [known(1), known(1), known(1), known(1), known(3), known(3), complete, complete],
  // created, in_progress, item, part, Good, day, text done, part done, item done, completed
  responses: [began, began, began, began, half, whole, whole, whole, whole, complete],
  // Good, day, finish
  google: [known(1), known(3), complete],
};

describe('a truncated stream', () => {
  let scene: Scene;
  before(async () => {
    scene = await startOracle();
  });
  after(() => scene.stop());

  for (const vendor of wires) {
    for (const client of new Set<Wire>([vendor, 'chat'])) {
      cuts[vendor].forEach((spent, index) => {
        if (spent === undefined) throw new Error('a cut without figures');
        const [inputUncached, output] = spent;
        // In a translation, the finish of messages waits for message_stop: the figures are final but not confirmed.
        const source = client === 'chat' && vendor === 'messages' && index === 6 ? 'estimated' : spent[2];
        const usage = `${inputUncached} input and ${output} output tokens (${source})`;
        it(`a stream on ${pairOf(client, vendor)} that is cut after ${index + 1} frames costs ${usage}`, () =>
          consult(scene, {
            name: vendor,
            client,
            model: `plain/${vendor}`,
            stream: true,
            answers: [answer({ ...scripts[vendor], frames: index + 1 })],
            usage: { inputUncached, output, source },
            nano: BigInt(inputUncached) * 2_000n + BigInt(output) * 10_000n,
          }));
      });
    }
  }

  for (const vendor of wires) {
    const seen = cuts[vendor][{ chat: 1, messages: 3, responses: 4, google: 0 }[vendor]];
    const frames = { chat: 2, messages: 4, responses: 5, google: 1 }[vendor];
    for (const client of wires) {
      // Gemini 2.5 reasons, and its reasoning before the cut is unknown: the cap of 100 is charged.
      const output = vendor === 'google' ? 100 : (seen?.[1] ?? 0);
      const charged = vendor === 'google' ? 'the reserved output' : 'the received output';
      it(`costs the input and ${charged} when the client of ${pairOf(client, vendor)} disconnects`, () =>
        consult(scene, {
          name: vendor,
          client,
          model: `plain/${vendor}`,
          stream: true,
          leaves: 'after content',
          answers: [answer({ ...scripts[vendor], frames, hangs: true })],
          usage: { inputUncached: seen?.[0] ?? 0, output, source: 'estimated' },
          nano: BigInt(seen?.[0] ?? 0) * 2_000n + BigInt(output) * 10_000n,
        }));
    }
  }
});
