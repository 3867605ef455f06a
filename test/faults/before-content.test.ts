import type { Mode, Wire } from '../matrix/wires.ts';
import { earlyFaults } from './before-content.ts';
import { expectEarly } from './expect-early.ts';
import { holdInvariants } from './invariants.ts';
import { overBoth, startFaultScene, type FaultScene } from './scene.ts';

/** Native for one, translated for the other. */
const ways: readonly (readonly [client: Wire, vendor: Wire])[] = [['chat', 'chat'], ['chat', 'messages']];

overBoth('before the first content', (security) => {
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene({ security });
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  for (const fault of earlyFaults) {
    const modes: readonly Mode[] = fault.mode === undefined ? ['plain', 'streamed'] : [fault.mode];
    for (const mode of modes) {
      // A deadline takes its time, and does not see what is encrypted.
      for (const [client, vendor] of fault.pace !== undefined && security === 'good' ? ways.slice(0, 1) : ways) {
        it(`row ${fault.row}: ${fault.name} is ${fault.code}, ${mode}, ${client}>${vendor}`, () => expectEarly(scene, fault, client, vendor, mode));
      }
    }
  }
});
