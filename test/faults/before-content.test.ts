import type { Mode, Wire } from '../matrix/wires.ts';
import { atOnce } from './at-once.ts';
import { earlyFaults } from './before-content.ts';
import { expectEarly } from './checks/expect-early.ts';
import { holdInvariants } from './checks/invariants.ts';
import { overBoth, startFaultScene, type FaultScene } from './scene.ts';

/** Native for one, translated for the other. */
const ways: readonly (readonly [client: Wire, vendor: Wire])[] = [
  ['chat', 'chat'],
  ['chat', 'messages'],
];

overBoth('before the first content', (security) => {
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene({ security });
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  const cases = earlyFaults.flatMap((fault) => {
    const modes: readonly Mode[] = fault.mode === undefined ? ['plain', 'streamed'] : [fault.mode];
    return modes.flatMap((mode) =>
      // A deadline does not depend on encryption.
      (fault.pace !== undefined && security === 'good' ? ways.slice(0, 1) : ways).map(([client, vendor]) => ({
        pace: fault.pace,
        title: `row ${fault.row}: returns ${fault.code} for ${fault.name}, ${mode}, ${client}>${vendor}`,
        run: () => expectEarly(scene, fault, client, vendor, mode),
      })),
    );
  });

  for (const { pace, title, run } of cases) if (pace === undefined) it(title, run);
  atOnce(
    'by a deadline',
    cases.filter(({ pace }) => pace !== undefined),
  );
});
