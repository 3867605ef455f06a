import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { type KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { expectRows, expectSums, startLedgerScene, type LedgerScene, type Store } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

/** Something that makes the database unavailable. */
interface Outage {
  readonly title: string;
  /** The SQLite database is on a small disk. */
  readonly onDisk?: true;
  /** The second scenario to run: one outage for each store is enough, since processes start slowly. */
  readonly also: 'ends' | 'strict';
  readonly store: Store;
  begin(scene: LedgerScene): void | Promise<void>;
  end(scene: LedgerScene): void | Promise<void>;
}

const databaseFileOf = ({ url }: LedgerScene): string => url.slice('sqlite:'.length);
const disk = createTemporaryFolder();
const filler = join(disk.path, 'filler');
let lock: DatabaseSync | undefined;

const outages: readonly Outage[] = [
  {
    title: 'Postgres is killed',
    also: 'ends',
    store: 'postgres',
    begin: ({ postgres }) => postgres?.kill(),
    end: ({ postgres }) => postgres?.restart(),
  },
  {
    title: 'Postgres does not respond',
    also: 'strict',
    store: 'postgres',
    begin: ({ postgres }) => postgres?.pause(),
    end: ({ postgres }) => postgres?.resume(),
  },
  {
    title: 'another process has SQLite locked',
    also: 'strict',
    store: 'sqlite',
    begin: (scene) => {
      lock = new DatabaseSync(databaseFileOf(scene), { timeout: 5_000 });
      lock.exec('BEGIN EXCLUSIVE');
    },
    end: () => {
      lock?.exec('ROLLBACK');
      lock?.close();
    },
  },
  {
    title: 'the disk is full',
    onDisk: true,
    also: 'ends',
    store: 'sqlite',
    begin: () => {
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']);
    },
    end: () => rmSync(filler),
  },
];

/** Mounts a small disk. Only root can do that. */
const mountDisk = (): boolean => {
  mkdirSync(disk.path, { recursive: true });
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk.path]).status === 0;
};

/** The last log line about the database. */
const lastLogLine = (koine: KoineProcess): string =>
  koine
    .lines()
    .map(({ message }) => String(message))
    .findLast((message) => /^the ledger (?:cannot be|is) written/.test(message)) ?? '';
const isDown = (koine: KoineProcess): boolean => lastLogLine(koine).startsWith('the ledger cannot');
const isUp = (koine: KoineProcess): boolean => lastLogLine(koine).startsWith('the ledger is');
const filesOf = ({ folder }: LedgerScene): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith('spool.'));

/** A scene whose database can be taken down and brought back. */
interface Scenario {
  readonly scene: LedgerScene;
  readonly upstream: LedgerUpstream;
  takeAway(): Promise<void>;
  giveBack(): Promise<void>;
}

/** @returns the gateway, which goes on */
const goesOn = async ({ scene, takeAway, giveBack }: Scenario): Promise<KoineProcess> => {
  const koine = await scene.start();
  const load = scene.load(koine);
  await load.more(10);
  await takeAway();
  await until('the ledger notices', () => isDown(koine));
  await load.more(30);
  await giveBack();
  await until('the ledger is back', () => isUp(koine));
  await load.more(10);
  await load.stop();
  expect(new Set(load.seen.map(({ status }) => status))).to.deep.equal(new Set([200]));
  await until('the last rows are written', async () => (await scene.rows()).length >= load.seen.length, 100);
  const rows = await scene.closed();
  expect(rows.map(({ id }) => id)).to.have.members(load.seen.map(({ id }) => id));
  expectRows(rows, load.seen);
  await expectSums(scene);
  return koine;
};

/** @param koine which has been through an outage */
const ends = async ({ scene, takeAway, giveBack }: Scenario, koine: KoineProcess): Promise<void> => {
  const known = new Set((await scene.rows()).map(({ id }) => id));
  const load = scene.load(koine);
  await load.more(10);
  await takeAway();
  await until('the ledger notices', () => isDown(koine));
  await load.more(20);
  await load.stop();
  koine.signal('SIGINT');
  await koine.exit;
  expect(filesOf(scene)).to.not.be.empty;
  await giveBack();
  const next = await scene.start();
  await until('the rows are adopted', () => filesOf(scene).length === 0);
  const rows = (await scene.closed()).filter(({ id }) => !known.has(id));
  expect(rows.map(({ id }) => id)).to.have.members(load.seen.map(({ id }) => id));
  expectRows(rows, load.seen);
  await expectSums(scene);
  next.signal('SIGTERM');
  await next.exit;
};

const refuses = async ({ scene, upstream, takeAway, giveBack }: Scenario, earlier: KoineProcess): Promise<void> => {
  earlier.signal('SIGTERM');
  await earlier.exit;
  const koine = await scene.start({ durability: 'strict' });
  const load = scene.load(koine);
  await load.more(10);
  await takeAway();
  await until('the ledger notices', () => isDown(koine));
  await load.more(12);
  const before = [...upstream.reached.values()].reduce((sum, count) => sum + count, 0);
  const answered = load.seen.length;
  await load.more(20);
  const during = load.seen.slice(answered);
  expect(new Set(during.map(({ status }) => status))).to.deep.equal(new Set([503]));
  expect(JSON.parse(during[0]?.text ?? ''))
    .to.have.nested.property('error.message')
    .that.matches(/cannot be recorded at the moment/);
  expect([...upstream.reached.values()].reduce((sum, count) => sum + count, 0)).to.equal(before);
  await giveBack();
  await until('it answers again', () => load.seen.at(-1)?.status === 200);
  await load.stop();
  expect(new Set(load.seen.map(({ status }) => status))).to.deep.equal(new Set([200, 503]));
  const rows = await scene.closed();
  const good = load.seen.filter(({ status }) => status === 200);
  expectRows(rows, good);
  const refused = new Set(load.seen.filter(({ status }) => status === 503).map(({ id }) => id));
  expect(new Set(rows.filter(({ id }) => refused.has(id)).map(({ state }) => state))).to.deep.equal(
    new Set(['refused']),
  );
  await expectSums(scene);
};

interface Shown {
  readonly goesOn: Promise<unknown>;
  readonly also: Promise<unknown>;
  /** Resolves when both have ended. */
  readonly over: Promise<unknown>;
}

/** Runs both scenarios of an outage one after the other on one database. Failures are reported by the tests. */
const show = ({ store, also, onDisk, begin, end }: Outage): Shown => {
  const start = async (): Promise<Scenario & { stop(): Promise<void> }> => {
    const upstream = await startLedgerUpstream();
    const scene = await startLedgerScene(store, upstream, onDisk === undefined ? undefined : disk.path);
    let isTakenDown = false;
    return {
      scene,
      upstream,
      takeAway: async () => {
        await begin(scene);
        isTakenDown = true;
      },
      giveBack: async () => {
        if (isTakenDown) await end(scene);
        isTakenDown = false;
      },
      stop: async () => {
        await scene.stop();
        await upstream.stop();
      },
    };
  };
  const started = start();
  const play = async <T>(what: (scenario: Scenario) => Promise<T>): Promise<T> => {
    const shown = await started;
    return what(shown).finally(shown.giveBack);
  };
  const first = play(goesOn);
  const second = first
    .catch(async () => (await started).scene.start())
    .then((koine) => play((scenario) => (also === 'ends' ? ends : refuses)(scenario, koine)));
  const over = Promise.allSettled([first, second]).then(async () => (await started).stop());
  return { goesOn: first, also: second, over: over.catch(() => {}) };
};

describe('a gateway', function () {
  this.timeout(120_000);
  let hasDisk = false;
  const shown = new Map<Outage, Shown>();
  // All outages run at the same time: they mostly wait.
  before(() => {
    hasDisk = mountDisk();
    for (const outage of outages) if (hasDisk || outage.onDisk === undefined) shown.set(outage, show(outage));
  });
  after(async () => {
    await Promise.all([...shown.values()].map(({ over }) => over));
    if (hasDisk) spawnSync('umount', [disk.path]);
    disk.remove();
  });

  for (const outage of outages) {
    describe(`whose ledger is down because ${outage.title}`, () => {
      before(function () {
        if (outage.store === 'postgres') requirePostgres(this);
        if (!shown.has(outage)) this.skip();
      });
      it('serves requests during an outage of the ledger and has every row once afterwards', () =>
        shown.get(outage)?.goesOn);
      it(
        outage.also === 'ends'
          ? 'a gateway that ends during the outage leaves its rows to the next process'
          : 'returns 503 with the reason and calls no provider when durability is strict',
        () => shown.get(outage)?.also,
      );
    });
  }
});
