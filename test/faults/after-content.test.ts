import { expect } from 'chai';
import { firstHalf } from '../matrix/breaks.ts';
import { readStream } from '../matrix/read-stream.ts';
import { wires, type Wire } from '../matrix/wires.ts';
import { lateFaults, type LateFault } from './after-content.ts';
import { expectLate } from './expect-late.ts';
import { holdInvariants } from './invariants.ts';
import { modelOf } from './models.ts';
import { overBoth, startFaultScene, type FaultScene } from './scene.ts';
import type { Security } from './upstream/certificates.ts';

/** Each wire is native to its own client, and read by one of another wire. */
const others: Readonly<Record<Wire, Wire>> = { chat: 'messages', messages: 'responses', responses: 'google', google: 'chat' };
type Way = readonly [client: Wire, vendor: Wire];
const natives: readonly Way[] = wires.map((wire) => [wire, wire]);
const ways: readonly Way[] = [...natives, ...wires.map((vendor): Way => [others[vendor], vendor])];

/** A deadline takes its time, and does not see what is encrypted. */
const waysOf = ({ pace }: LateFault, security: Security): typeof ways => (pace === undefined ? ways : security === 'none' ? natives : natives.slice(0, 1));

overBoth('after the first content', (security) => {
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene({ security });
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  for (const fault of lateFaults) {
    for (const [client, vendor] of waysOf(fault, security)) it(`row ${fault.row}: ${fault.name} ends as ${fault.ending}, ${client}>${vendor}`, () => expectLate(scene, fault, client, vendor));
  }
});

/** Resets, early ends and garbage: test/matrix/broken-streams.test.ts. */
describe('after the first content, the SDK of each client raises an error of its own', () => {
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene();
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  const check = async ({ script, pace }: LateFault, client: Wire, vendor: Wire): Promise<void> => {
    scene.upstream.script = () => script(vendor);
    const { error, text, finish } = await readStream(client, scene.url, modelOf(vendor, pace));
    scene.replies.push(new Error('read by the SDK'));
    expect(text.startsWith(firstHalf)).to.equal(true);
    expect(finish).to.equal(undefined);
    expect(error?.message).to.match(/silent|longer than it may/);
  };
  const [stalls, endless] = ['life signs without content', 'content without an end'].map((wanted) => lateFaults.filter(({ name }) => name === wanted));
  for (const fault of stalls ?? []) for (const [client, vendor] of ways) it(`by ${fault.name}, ${client}>${vendor}`, () => check(fault, client, vendor));
  for (const fault of endless ?? []) for (const [client, vendor] of natives) it(`by ${fault.name}, ${client}>${vendor}`, () => check(fault, client, vendor));
});
