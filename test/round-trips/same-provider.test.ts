import { expect } from 'chai';
import { overPairs } from '../matrix/matrix-scene.ts';
import { modes, type Mode, type Wire } from '../matrix/wires.ts';
import { startConversation, type Input } from './conversation.ts';
import { modelOf, startRoundTrips, type RoundTrips } from './round-trip-scene.ts';
import { calls, type StepName } from './steps.ts';
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
  ['Thanks.', 'late', 'Later.'],
];

/** The vendors reject a history in which their own reasoning is missing, altered or moved. */
describe('round trips: a conversation that stays with its provider', () => {
  let scene: RoundTrips;
  before(async () => {
    scene = await startRoundTrips();
  });
  after(() => scene.stop());

  const check = async (client: Wire, wire: Wire, mode: Mode): Promise<void> => {
    const conversation = startConversation(client, scene.gateway.url, mode);
    const given: Given[] = [];
    for (const [input, step, text] of inputs) {
      scene.expectNext(wire, step, { client, mode, given: [...given] });
      expect(await conversation.say(modelOf(wire), input)).to.equal(text);
      given.push({ step, by: wire });
    }
  };

  overPairs((client, wire, pair) =>
    modes.map((mode) => ({
      title: `keeps every proof in its place${wire === 'messages' ? ', also redacted ones (E38)' : ''}: ${pair}, ${mode}`,
      run: () => check(client, wire, mode),
    })),
  );
});
