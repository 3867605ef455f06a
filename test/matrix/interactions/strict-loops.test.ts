import { expect } from 'chai';
import { formatRequest } from '../../support/strict-vendors/format.ts';
import { loopRequest, PNG } from '../../support/strict-vendors/loop.ts';
import { CALLS, DONE, GOOD_DAY, STEPS } from '../../support/strict-vendors/script.ts';
import {
  idOf,
  startStrictScene,
  targets,
  type StrictScene,
  type Target,
} from '../../support/strict-vendors/targets.ts';
import { findLostProofs } from '../../support/strict-vendors/written.ts';
import type { Call } from '../answer.ts';
import { modes, type Json, type Mode } from '../wires.ts';
import { sendInteraction } from './client-interactions.ts';
import { requestOf } from './convert.ts';

const resultOf = (index: number): string => `result ${index}`;

/** What the client sends back: a text, and an image after the first step where the model takes one. */
const resultsOf = (calls: readonly Call[], made: number, hasImage: boolean): readonly Json[] =>
  calls.map(({ id, name }, index) => ({
    type: 'function_result',
    call_id: id,
    name,
    result: [
      { type: 'text', text: resultOf(made + index) },
      ...(hasImage ? [{ type: 'image', mime_type: 'image/png', data: PNG }] : []),
    ],
  }));

/** How a client continues: with all steps, or with the id of the interaction before. */
type Way = 'steps' | 'previous_interaction_id';

interface Loop {
  readonly mode: Mode;
  readonly way: Way;
  readonly thinks: boolean;
}

/** The question with a picture, the tools, and how much the model thinks. */
const firstRequest = (thinks: boolean, images: boolean): Json => {
  const {
    input,
    generation_config: settings,
    ...request
  } = requestOf(loopRequest('google', 0, { thinking: 'unset', images }));
  const image = { type: 'image', mime_type: 'image/png', data: PNG };
  const [question = {}] = input as readonly Json[];
  return {
    ...request,
    input: images ? [{ ...question, content: [...(question['content'] as readonly Json[]), image] }] : input,
    generation_config: {
      ...(settings as Json),
      ...(thinks ? { thinking_level: 'medium', thinking_summaries: 'auto' } : {}),
    },
  };
};

describe('loops of the SDK of interactions against vendors that refuse what their pages say', () => {
  let scene: StrictScene;
  before(async () => {
    scene = await startStrictScene();
  });
  after(() => scene.stop());

  /** @returns the text with which the loop ended */
  const runLoop = async (target: Target, { mode, way, thinks }: Loop): Promise<string> => {
    const images = target.blind !== true;
    const { input, ...request } = firstRequest(thinks, images);
    let [next, previous, made] = [[...(input as readonly Json[])], '', 0];
    for (let step = 1; step <= STEPS; step += 1) {
      const body = { ...request, input: next, ...(previous === '' ? {} : { previous_interaction_id: previous }) };
      const answer = await sendInteraction(scene.gateway.url, { ...body, model: idOf(target) }, mode);
      if (answer.calls.length === 0) return answer.text;
      const results = resultsOf(answer.calls, made, images && step === 1);
      if (way === 'steps') next = [...next, ...answer.turn, ...results];
      else [next, previous] = [[...results], answer.id];
      made += answer.calls.length;
    }
    throw new Error(`the loop has more than ${STEPS} steps`);
  };

  const check = async (target: Target, loop: Loop): Promise<void> => {
    const {
      sent,
      upstream: { calls },
    } = scene;
    sent.length = 0;
    calls.length = 0;
    expect(await runLoop(target, loop)).to.equal(DONE);
    expect(calls).to.have.length(STEPS);
    const last = calls.at(-1)!.raw.toString();
    for (let index = 0; index < CALLS; index += 1) expect(last).to.include(resultOf(index));
    if (target.blind !== true) expect(last).to.include(PNG);
    // Every proof that the vendor gave returns to it.
    expect(findLostProofs(sent, last)).to.deep.equal([]);
  };

  for (const target of targets) {
    // Google continues its own interactions from what it has stored, which the strict vendor does not.
    const ways: readonly Way[] = target.provider === 'google' ? ['steps'] : ['steps', 'previous_interaction_id'];
    for (const mode of modes) {
      for (const way of ways)
        for (const thinks of [false, true])
          it(`${idOf(target)} finishes the ${mode} loop by ${way}${thinks ? ' with thoughts' : ''}`, () =>
            check(target, { mode, way, thinks }));

      // At Google the client's schema is in the vendor's own dialect.
      if (target.provider === 'google') continue;
      it(`${idOf(target)} takes the schema of a format, ${mode}`, async () => {
        const request = { ...requestOf(formatRequest('google')), model: idOf(target) };
        expect((await sendInteraction(scene.gateway.url, request, mode)).text).to.equal(GOOD_DAY);
      });
    }
  }
});
