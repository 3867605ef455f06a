import { expect } from 'chai';
import { loopRequest, PNG, type LoopSettings } from '../support/strict-vendors/loop.ts';
import { CALLS, DONE, STEPS } from '../support/strict-vendors/script.ts';
import { idOf, startStrictScene, targets, type StrictScene, type Target } from '../support/strict-vendors/targets.ts';
import { findLostProofs } from '../support/strict-vendors/written.ts';
import type { Call } from './answer.ts';
import { senders } from './clients/clients.ts';
import { modes, wires, type Json, type Mode, type Wire } from './wires.ts';

const resultOf = (index: number): string => `result ${index}`;

type Results = (calls: readonly Call[], textOf: (index: number) => string, hasImage: boolean) => readonly Json[];
/** What a client sends back. One of the results has an image, where its wire has a place for it. */
const results: Readonly<Record<Wire, Results>> = {
  chat: (calls, textOf) => calls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: textOf(index) })),
  messages: (calls, textOf, hasImage) => [
    {
      role: 'user',
      content: calls.map(({ id }, index) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: [
          { type: 'text', text: textOf(index) },
          ...(hasImage ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }] : []),
        ],
      })),
    },
  ],
  responses: (calls, textOf, hasImage) =>
    calls.map(({ id }, index) => ({
      type: 'function_call_output',
      call_id: id,
      output: [
        { type: 'input_text', text: textOf(index) },
        ...(hasImage ? [{ type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PNG}` }] : []),
      ],
    })),
  google: (calls, textOf, hasImage) => [
    {
      role: 'user',
      parts: calls.map(({ id, name }, index) => ({
        functionResponse: {
          id,
          name,
          response: { output: textOf(index) },
          ...(hasImage ? { parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] } : {}),
        },
      })),
    },
  ],
};
const histories: Readonly<Record<Wire, string>> = {
  chat: 'messages',
  messages: 'messages',
  responses: 'input',
  google: 'contents',
};

interface Loop {
  readonly client: Wire;
  readonly mode: Mode;
  readonly settings: LoopSettings;
}

/** @returns the text with which the loop ended */
async function runLoop(url: string, model: string, { client, mode, settings }: Loop): Promise<string> {
  const { tool_choice: _first, ...request } = loopRequest(client, 0, settings);
  const turns = [...(request[histories[client]] as readonly Json[])];
  let made = 0;
  for (let step = 1; step <= STEPS; step += 1) {
    const answer = await senders[client](url, { ...request, [histories[client]]: turns, model }, mode);
    if (answer.calls.length === 0) return answer.text;
    turns.push(...answer.turn);
    const begin = made;
    turns.push(...results[client](answer.calls, (index) => resultOf(begin + index), settings.images && step === 1));
    made += answer.calls.length;
  }
  throw new Error(`the loop has more than ${STEPS} steps`);
}

describe('loops of the official SDKs against vendors that refuse what their pages say', () => {
  let scene: StrictScene;
  before(async () => {
    scene = await startStrictScene();
  });
  after(() => scene.stop());

  const check = async (target: Target, loop: Loop): Promise<void> => {
    const {
      sent,
      upstream: { calls },
    } = scene;
    sent.length = 0;
    calls.length = 0;
    expect(await runLoop(scene.gateway.url, idOf(target), loop)).to.equal(DONE);
    expect(calls).to.have.length(STEPS);
    const last = calls.at(-1)!.raw.toString();
    for (let index = 0; index < CALLS; index += 1) expect(last).to.include(resultOf(index));
    if (loop.settings.images) expect(last).to.include(PNG);
    // Every proof that the vendor gave returns to it. A responses client that does not ask for reasoning gets none.
    if (loop.client === 'responses' && loop.settings.thinking === 'unset') return;
    expect(findLostProofs(sent, last)).to.deep.equal([]);
  };

  for (const target of targets)
    for (const client of wires)
      for (const mode of modes)
        for (const thinking of ['unset', 'limited'] as const)
          it(`${idOf(target)} finishes the ${mode} loop of a ${client} client with thinking ${thinking}`, () =>
            check(target, { client, mode, settings: { thinking, images: target.blind !== true } }));
});
