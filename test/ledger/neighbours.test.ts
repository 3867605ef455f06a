import { expect } from 'chai';
import { requirePostgres } from '../support/servers/postgres.ts';
import { clients } from './load.ts';
import { expectRows, expectSums, startLedgerScene, type LedgerScene } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

describe('two gateways on one Postgres, one of which is killed', () => {
  let upstream: LedgerUpstream;
  let scene: LedgerScene;
  before(async function () {
    requirePostgres(this);
    upstream = await startLedgerUpstream();
    scene = await startLedgerScene('postgres', upstream);
  });
  after(async () => {
    await scene?.stop();
    await upstream?.stop();
  });

  it("marks open rows of a killed gateway as abandoned in the survivor, without touching the survivor's own", async () => {
    const [victim, survivor] = await Promise.all([scene.start(), scene.start()]);
    const [ours, theirs] = [scene.load(victim), scene.load(survivor)];
    await Promise.all([ours.more(20), theirs.more(20)]);
    await upstream.hold(2 * clients.length);
    const both = await scene.open(2 * clients.length);
    expect(new Set(both.map(({ process }) => process)).size).to.equal(2);
    const seen = ours.seen.length;
    victim.signal('SIGKILL');
    await victim.exit;
    const stopped = ours.stop();
    const living = await scene.open(clients.length);
    expect(new Set(living.map(({ process }) => process)).size).to.equal(1);
    const left = new Set(both.map(({ id }) => id)).difference(new Set(living.map(({ id }) => id)));
    expect((await scene.rows()).filter(({ id }) => left.has(id)).map(({ state }) => state)).to.deep.equal(
      clients.map(() => 'abandoned'),
    );
    upstream.release();
    await theirs.stop();
    await stopped;
    const rows = await scene.closed();
    // The survivor responded to the requests that waited, and settled them.
    const ids = new Set(living.map(({ id }) => id));
    const answered = theirs.seen.filter(({ id }) => ids.has(id));
    expect(answered).to.have.length(clients.length);
    expectRows(rows, [...ours.seen.slice(0, seen), ...theirs.seen]);
    await expectSums(scene);
  });
});
