import { expect } from 'chai';
import { firstHalf } from '../matrix/breaks.ts';
import { readStream } from '../matrix/read-stream.ts';
import { wires, type Wire } from '../matrix/wires.ts';
import { lateFaults, type LateFault } from './after-content.ts';
import { expectLate } from './expect-late.ts';
import { holdInvariants } from './invariants.ts';
import { modelOf } from './models.ts';
import { overBoth, startFaultScene, type FaultScene } from './scene.ts';

/** Each wire is native to its own client, and read by one of another wire. */
const others: Readonly<Record<Wire, Wire>> = { chat: 'messages', messages: 'responses', responses: 'google', google: 'chat' };
const ways: readonly (readonly [client: Wire, vendor: Wire])[] = wires.flatMap((vendor) => [[vendor, vendor] as const, [others[vendor], vendor] as const]);

overBoth('after the first content', (security) => {
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene({ security });
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  for (const fault of lateFaults) {
    // A deadline takes its time, and does not see what is encrypted.
    for (const [client, vendor] of fault.pace !== undefined && security === 'good' ? ways.slice(0, 1) : ways) it(`row ${fault.row}: ${fault.name} ends as ${fault.ending}, ${client}>${vendor}`, () => expectLate(scene, fault, client, vendor));
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
  for (const fault of lateFaults.filter(({ name }) => name === 'life signs without content' || name === 'content without an end')) {
    for (const [client, vendor] of ways) it(`by ${fault.name}, ${client}>${vendor}`, () => check(fault, client, vendor));
  }
});
