import { expect } from 'chai';
import { wireAt } from '../support/calls.ts';
import { firstHalf } from '../matrix/vendors/breaks.ts';
import { readStream } from '../matrix/clients/read-stream.ts';
import { wires, type Wire } from '../matrix/wires.ts';
import { lateFaults, type LateFault } from './after-content.ts';
import { atOnce, type Case } from './at-once.ts';
import { expectLate } from './checks/expect-late.ts';
import { holdInvariants } from './checks/invariants.ts';
import { modelOf } from './models.ts';
import { overBoth, startFaultScene, type FaultScene } from './scene.ts';
import type { Security } from './upstream/certificates.ts';

/** Each wire is native to its own client, and translated for a client of another wire. */
const others: Readonly<Record<Wire, Wire>> = {
  chat: 'messages',
  messages: 'responses',
  responses: 'google',
  google: 'chat',
};
type Way = readonly [client: Wire, vendor: Wire];
const natives: readonly Way[] = wires.map((wire) => [wire, wire]);
const ways: readonly Way[] = [...natives, ...wires.map((vendor): Way => [others[vendor], vendor])];

/** A deadline takes time, and does not depend on encryption. */
const waysOf = ({ pace }: LateFault, security: Security): typeof ways =>
  pace === undefined ? ways : security === 'none' ? natives : natives.slice(0, 1);

overBoth('after the first content', (security) => {
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene({ security });
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  const cases = lateFaults.flatMap((fault) =>
    waysOf(fault, security).map(([client, vendor]) => ({
      pace: fault.pace,
      title: `row ${fault.row}: ends the response as ${fault.ending} after ${fault.name}, ${client}>${vendor}`,
      run: () => expectLate(scene, fault, client, vendor),
    })),
  );
  for (const { pace, title, run } of cases) if (pace === undefined) it(title, run);
  atOnce(
    'by a deadline',
    cases.filter(({ pace }) => pace !== undefined),
  );
});

/** Resets, early ends and garbage: test/matrix/broken-streams.test.ts. */
describe('after the first content, the SDK of each client raises an error of its own', () => {
  const [stalls, endless] = ['keep-alives without content', 'content without an end'].map((wanted) =>
    lateFaults.find(({ name }) => name === wanted),
  );
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene();
    // The request to the upstream shows which of the two it is.
    scene.upstream.script = ({ path, body }) =>
      (`${path} ${body}`.includes('hurried-whole') ? endless : stalls)?.script(wireAt(path)) ?? [];
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  const check = async (pace: LateFault['pace'], client: Wire, vendor: Wire): Promise<void> => {
    const { error, text, finish } = await readStream(client, scene.url, modelOf(vendor, pace));
    scene.replies.push(new Error('read by the SDK'));
    expect(text.startsWith(firstHalf)).to.equal(true);
    expect(finish).to.equal(undefined);
    expect(error?.message).to.match(/stopped sending|response of the provider exceeded/);
  };
  const casesOf = (fault: LateFault | undefined, among: typeof ways): readonly Case[] =>
    among.map(([client, vendor]) => ({
      title: `the SDK raises an error after ${fault?.name}, ${client}>${vendor}`,
      run: () => check(fault?.pace, client, vendor),
    }));
  atOnce('of deadlines', [...casesOf(stalls, ways), ...casesOf(endless, natives)]);
});
