import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { type KoineProcess } from '../processes/koine-process.ts';
import { until } from '../until.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { holdAnswers, holdSums, startLedgerScene, type LedgerScene, type Store } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

/** Takes the database away, and gives it back. */
interface Outage {
  readonly title: string;
  /** Its SQLite database is on a disk that is soon full. */
  readonly onDisk?: true;
  /** What is shown of it beside that requests go on: one of each is enough, starts take long. */
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
    title: 'Postgres is there and does not answer',
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

/** A disk of its own that is soon full. Only root may make one. */
const mountDisk = (): boolean => {
  mkdirSync(disk.path, { recursive: true });
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk.path]).status === 0;
};

/** What the ledger said last of the database. */
const lastWord = (koine: KoineProcess): string =>
  koine
    .lines()
    .map(({ message }) => String(message))
    .findLast((message) => /^the ledger (?:cannot be|is) written/.test(message)) ?? '';
const fallen = (koine: KoineProcess): boolean => lastWord(koine).startsWith('the ledger cannot');
const risen = (koine: KoineProcess): boolean => lastWord(koine).startsWith('the ledger is');
const filesOf = ({ folder }: LedgerScene): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith('spool.'));

/** A database that an outage can take away, with what is shown of it. */
interface Play {
  readonly scene: LedgerScene;
  readonly upstream: LedgerUpstream;
  takeAway(): Promise<void>;
  giveBack(): Promise<void>;
}

const goesOn = async ({ scene, takeAway, giveBack }: Play): Promise<void> => {
  const koine = await scene.start();
  const load = scene.load(koine);
  await load.more(10);
  await takeAway();
  await until('the ledger notices', () => fallen(koine));
  await load.more(60);
  await giveBack();
  await until('the ledger is back', () => risen(koine));
  await load.more(10);
  await load.stop();
  koine.signal('SIGTERM');
  await koine.exit;
  expect(new Set(load.seen.map(({ status }) => status))).to.deep.equal(new Set([200]));
  const rows = await scene.closed();
  expect(rows.map(({ id }) => id)).to.have.members(load.seen.map(({ id }) => id));
  holdAnswers(rows, load.seen);
  await holdSums(scene);
};

const ends = async ({ scene, takeAway, giveBack }: Play): Promise<void> => {
  const known = new Set((await scene.rows()).map(({ id }) => id));
  const koine = await scene.start();
  const load = scene.load(koine);
  await load.more(10);
  await takeAway();
  await until('the ledger notices', () => fallen(koine));
  await load.more(20);
  await load.stop();
  koine.signal('SIGINT');
  await koine.exit;
  expect(filesOf(scene)).to.have.length(1);
  await giveBack();
  const next = await scene.start();
  await until('the rows are adopted', () =>
    next.lines().some(({ message }) => String(message).startsWith('the ledger has what a process that is gone')),
  );
  const rows = (await scene.closed()).filter(({ id }) => !known.has(id));
  expect(rows.map(({ id }) => id)).to.have.members(load.seen.map(({ id }) => id));
  holdAnswers(rows, load.seen);
  expect(filesOf(scene)).to.be.empty;
  await holdSums(scene);
  next.signal('SIGTERM');
  await next.exit;
};

const refuses = async ({ scene, upstream, takeAway, giveBack }: Play): Promise<void> => {
  const koine = await scene.start({ durability: 'strict' });
  const load = scene.load(koine);
  await load.more(10);
  await takeAway();
  await until('the ledger notices', () => fallen(koine));
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
  holdAnswers(rows, good);
  const refused = new Set(load.seen.filter(({ status }) => status === 503).map(({ id }) => id));
  expect(rows.filter(({ id }) => refused.has(id))).to.be.empty;
  await holdSums(scene);
};

interface Shown {
  readonly goesOn: Promise<void>;
  readonly also: Promise<void>;
  /** Resolves when all of it has ended. */
  readonly over: Promise<unknown>;
}

/** One after the other on a database of its own. What fails is told by whoever asks for it. */
const show = ({ store, also, onDisk, begin, end }: Outage): Shown => {
  const start = async (): Promise<Play & { stop(): Promise<void> }> => {
    const upstream = await startLedgerUpstream();
    const scene = await startLedgerScene(store, upstream, onDisk === undefined ? undefined : disk.path);
    let isDown = false;
    return {
      scene,
      upstream,
      takeAway: async () => {
        await begin(scene);
        isDown = true;
      },
      giveBack: async () => {
        if (isDown) await end(scene);
        isDown = false;
      },
      stop: async () => {
        await scene.stop();
        await upstream.stop();
      },
    };
  };
  const started = start();
  const play = async (what: (shown: Play) => Promise<void>): Promise<void> => {
    const shown = await started;
    await what(shown).finally(shown.giveBack);
  };
  const first = play(goesOn);
  const second = first.catch(() => {}).then(() => play(also === 'ends' ? ends : refuses));
  const over = Promise.allSettled([first, second]).then(async () => (await started).stop());
  return { goesOn: first, also: second, over: over.catch(() => {}) };
};

describe('a gateway whose ledger', function () {
  this.timeout(120_000);
  let hasDisk = false;
  const shown = new Map<Outage, Shown>();
  // All at once: most of it is waiting.
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
    describe(`is away, because ${outage.title},`, () => {
      before(function () {
        if (outage.store === 'postgres') requirePostgres(this);
        if (!shown.has(outage)) this.skip();
      });
      it('goes on, and every row is there afterwards, once', () => shown.get(outage)?.goesOn);
      it(
        outage.also === 'ends'
          ? 'leaves its rows to the next when it ends'
          : 'answers 503 where it is strict, says why, and sends nothing',
        () => shown.get(outage)?.also,
      );
    });
  }
});
