import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { requirePostgres } from '../servers/postgres.ts';
import { clients, startLoad } from './load.ts';
import { holdAnswers, holdSums, startLedgerScene, type LedgerScene } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

/** Three leases: whoever wanted to judge has done so. */
const LONG_MS = 3_000;

describe('two gateways on one Postgres, one of which is killed', function () {
  this.timeout(60_000);
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

  it('leaves its open rows to the other, which touches no row of its living neighbour', async () => {
    const [victim, survivor] = await Promise.all([scene.start(), scene.start()]);
    const [ours, theirs] = [startLoad(victim.url), startLoad(survivor.url)];
    await Promise.all([ours.more(20), theirs.more(20)]);
    upstream.slow(2 * LONG_MS);
    await delay(300);
    const open = (await scene.rows()).filter(({ state }) => state === 'pending');
    const processes = new Set(open.map(({ process }) => process));
    expect(processes.size).to.equal(2);
    const seen = ours.seen.length;
    victim.signal('SIGKILL');
    await victim.exit;
    const stopped = ours.stop();
    await delay(LONG_MS);
    const later = new Map((await scene.rows()).map((row) => [row.id, row]));
    const states = open.map(({ id, process }) => [process, later.get(id)?.state] as const);
    const byProcess = [...processes].map((process) => new Set(states.filter(([owner]) => owner === process).map(([, state]) => state)));
    expect(byProcess).to.have.deep.members([new Set(['abandoned']), new Set(['pending'])]);
    await theirs.stop();
    await stopped;
    expect(theirs.seen.length).to.be.at.least(clients.length);
    const rows = await scene.closed();
    holdAnswers(rows, [...ours.seen.slice(0, seen), ...theirs.seen]);
    await holdSums(scene);
  });
});
