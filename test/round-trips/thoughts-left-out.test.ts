import { expect } from 'chai';
import { until } from '../support/until.ts';
import { modes, wires, type Mode, type Wire } from '../matrix/wires.ts';
import { leaveOutThoughts, startConversation, type GoogleHabits, type Input } from './conversation.ts';
import { modelOf, startRoundTrips, type RoundTrips } from './round-trip-scene.ts';
import { calls, proofs, type StepName } from './steps.ts';
import type { Given } from './strict-vendor.ts';

const [paris, time, rome] = calls;
const inputs: readonly (readonly [input: Input, step: StepName, text: string])[] = [
  ['Weather in Paris?', 'calls', 'Checking.'],
  [
    [
      { ...paris, text: '18C' },
      { ...time, text: '12:00' },
    ],
    'another call',
    '',
  ],
  [[{ ...rome, text: '21C' }], 'text', 'Sunny.'],
  ['And later?', 'late', 'Later.'],
];
const clients: Readonly<Record<string, GoogleHabits>> = {
  'which leaves out thoughts': { keep: leaveOutThoughts },
  'which leaves out thoughts and does not see them': { keep: leaveOutThoughts, show: false },
};

/** Gemini CLI sends no thought back. The vendors still get their reasoning before each call. */
describe('round trips: a Google client that leaves out thoughts', () => {
  let scene: RoundTrips;
  before(async () => {
    scene = await startRoundTrips();
  });
  after(() => scene.stop());

  const stay = async (wire: Wire, mode: Mode, habits: GoogleHabits): Promise<void> => {
    const conversation = startConversation('google', scene.gateway.url, mode, habits);
    const given: Given[] = [];
    for (const [input, step, text] of inputs) {
      scene.expectNext(wire, step, { client: 'google', mode, given: [...given] });
      expect(await conversation.say(modelOf(wire), input)).to.equal(text);
      given.push({ step, by: wire, withoutReasoning: step === 'text' || step === 'late' });
    }
  };

  const countNamed = (): number =>
    scene.gateway.exchanges().filter((one) => /contents\[1\][^;]*;dropped/.test(JSON.stringify(one))).length;

  const move = async (home: Wire, away: Wire, mode: Mode): Promise<void> => {
    const conversation = startConversation('google', scene.gateway.url, mode, { keep: leaveOutThoughts });
    const [[question], [results]] = inputs as readonly [(typeof inputs)[number], (typeof inputs)[number]];
    const named = countNamed();
    scene.answerNext(home, 'calls', mode);
    await conversation.say(modelOf(home), question);
    scene.answerNext(away, 'text', mode);
    expect(await conversation.say(modelOf(away), results)).to.equal('Sunny.');
    const sent = scene.last().raw.toString();
    expect(sent).to.include('get_weather').and.include('18C').and.not.match(proofs).and.not.include('Thought 1');
    // At Google itself the request is native: nothing of the client's own is lost.
    if (away !== 'google') await until('the loss of the reasoning', () => countNamed() > named);
  };

  for (const wire of wires.filter((one) => one !== 'google')) {
    for (const mode of modes) {
      for (const [name, habits] of Object.entries(clients))
        it(`keeps the reasoning before each call, for a client ${name}: ${wire}, ${mode}`, () =>
          stay(wire, mode, habits));
      for (const away of wires.filter((one) => one !== wire))
        it(`sends no other provider the reasoning that a call carries (E37): ${wire}, then ${away}, ${mode}`, () =>
          move(wire, away, mode));
    }
  }
});
