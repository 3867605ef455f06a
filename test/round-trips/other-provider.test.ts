import { expect } from 'chai';
import { overPairs } from '../matrix/matrix-scene.ts';
import { modes, wires, type Mode, type Wire } from '../matrix/wires.ts';
import { startConversation } from './conversation.ts';
import { modelOf, startRoundTrips, type RoundTrips } from './round-trip-scene.ts';
import { calls, proofs, proofsOf } from './steps.ts';
import type { Given } from './strict-vendor.ts';

const [paris, time, rome] = calls;

/** A conversation that starts at one provider, continues at another, and returns to the first. */
describe('round trips: a conversation that goes to another provider and back', () => {
  let scene: RoundTrips;
  before(async () => {
    scene = await startRoundTrips();
  });
  after(() => scene.stop());

  const check = async (client: Wire, home: Wire, away: Wire, mode: Mode): Promise<void> => {
    const conversation = startConversation(client, scene.gateway.url, mode);
    const given: Given[] = [];
    const before = scene.gateway.exchanges().length;
    const say = async (
      wire: Wire,
      step: Given['step'],
      input: Parameters<typeof conversation.say>[1],
      asksForAll = true,
    ): Promise<string> => {
      if (asksForAll) scene.expectNext(wire, step, { client, mode, given: [...given] });
      else scene.answerNext(wire, step, mode);
      given.push({ step, by: wire });
      return conversation.say(modelOf(wire), input);
    };
    await say(home, 'calls', 'Weather in Paris?');
    await say(home, 'another call', [
      { ...paris, text: '18C' },
      { ...time, text: '12:00' },
    ]);

    // At the other provider: calls and results are kept, and no proof of the first provider is sent.
    expect(await say(away, 'text', [{ ...rome, text: '21C' }], false)).to.equal('Sunny.');
    const sent = scene.last().raw.toString();
    expect(sent)
      .to.match(/Checking\.|Chec.*king\./)
      .and.include('21C')
      .and.include('get_weather');
    expect(sent).to.not.match(proofs);
    expect((await scene.losses(before + 3)).join()).to.match(
      /(?:reasoning_details|ignature|thinking|thought|input\[\d+\]|content\[\d+\]|parts\[\d+\]);dropped/,
    );

    // Back at the first: its own proofs are restored, those of the second are not sent.
    expect(await say(home, 'late', 'And later?')).to.equal('Later.');
    expect(scene.last().raw.toString()).to.not.match(proofsOf[away]);
  };

  overPairs((client, home, pair) =>
    wires
      .filter((away) => away !== home)
      .flatMap((away) =>
        modes.map((mode) => ({
          title: `drops and names proofs that another provider cannot read (E37): ${pair}, then ${away}, ${mode}`,
          run: () => check(client, home, away, mode),
        })),
      ),
  );
});
