import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createTemporaryFolder } from '../core/services/temporary-folder.ts';
import { until, type KoineProcess } from '../processes/koine-process.ts';
import { startLoad, type Load } from './load.ts';
import { holdAnswers, holdSums, startLedgerScene, type LedgerScene, type Store } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

/** Takes the database away, and gives it back. */
interface Outage {
  readonly title: string;
  /** What is shown of it beside that requests go on: one of each is enough, starts take long. */
  readonly also: 'ends' | 'strict';
  readonly store: Store;
  begin(scene: LedgerScene): void | Promise<void>;
  end(scene: LedgerScene): void | Promise<void>;
}

const fileOf = ({ url }: LedgerScene): string => url.slice('sqlite:'.length);
const disk = createTemporaryFolder();
const filler = join(disk.path, 'filler');
let lock: DatabaseSync | undefined;

const outages: readonly Outage[] = [
  { title: 'Postgres is killed', also: 'ends', store: 'postgres', begin: ({ postgres }) => postgres?.kill(), end: ({ postgres }) => postgres?.restart() },
  { title: 'Postgres is there and does not answer', also: 'strict', store: 'postgres', begin: ({ postgres }) => postgres?.pause(), end: ({ postgres }) => postgres?.resume() },
  {
    title: 'another process has SQLite locked',
    also: 'strict',
    store: 'sqlite',
    begin: (scene) => {
      lock = new DatabaseSync(fileOf(scene), { timeout: 5_000 });
      lock.exec('BEGIN EXCLUSIVE');
    },
    end: () => {
      lock?.exec('ROLLBACK');
      lock?.close();
    },
  },
  {
    title: 'the disk is full',
    also: 'ends',
    store: 'sqlite',
    begin: () => {
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']);
    },
    end: () => rmSync(filler),
  },
];

/** A disk of its own that is soon full. Only root may make one. */
const mountDisk = (context: Mocha.Context): void => {
  mkdirSync(disk.path, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk.path]).status !== 0) context.skip();
};

/** What the ledger said last of the database. */
const lastWord = (koine: KoineProcess): string => koine.lines().map(({ message }) => String(message)).findLast((message) => /^the ledger (?:cannot be|is) written/.test(message)) ?? '';
const fallen = (koine: KoineProcess): boolean => lastWord(koine).startsWith('the ledger cannot');
const risen = (koine: KoineProcess): boolean => lastWord(koine).startsWith('the ledger is');

for (const { title, also, store, begin, end } of outages) {
  describe(`while ${title}`, function () {
    this.timeout(60_000);
    const needsDisk = title === 'the disk is full';
    let upstream: LedgerUpstream;
    let scene: LedgerScene;
    let isDown = false;
    const takeAway = async (): Promise<void> => {
      await begin(scene);
      isDown = true;
    };
    const giveBack = async (): Promise<void> => {
      if (isDown) await end(scene);
      isDown = false;
    };
    before(async function () {
      if (needsDisk) mountDisk(this);
      upstream = await startLedgerUpstream();
      scene = await startLedgerScene(this, store, upstream, needsDisk ? disk.path : undefined);
    });
    afterEach(giveBack);
    after(async () => {
      await scene?.stop();
      await upstream?.stop();
      if (needsDisk) spawnSync('umount', [disk.path]);
    });

    it('requests go on, and every row is there afterwards, once', async () => {
      const koine = await scene.start();
      const load = startLoad(koine.url);
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
    });

    if (also === 'ends') {
      it('a gateway that ends leaves its rows to the next', async () => {
        const known = new Set((await scene.rows()).map(({ id }) => id));
        const koine = await scene.start();
        const load = startLoad(koine.url);
        await load.more(10);
        await takeAway();
        await until('the ledger notices', () => fallen(koine));
        await load.more(20);
        await load.stop();
        koine.signal('SIGINT');
        await koine.exit;
        expect(readdirSync(scene.folder).filter((name) => name.startsWith('spool.'))).to.have.length(1);
        await giveBack();
        const next = await scene.start();
        await until('the rows are adopted', () => next.lines().some(({ message }) => String(message).startsWith('the ledger has what a process that is gone')));
        const rows = (await scene.closed()).filter(({ id }) => !known.has(id));
        expect(rows.map(({ id }) => id)).to.have.members(load.seen.map(({ id }) => id));
        holdAnswers(rows, load.seen);
        expect(readdirSync(scene.folder).filter((name) => name.startsWith('spool.'))).to.be.empty;
        await holdSums(scene);
        next.signal('SIGTERM');
        await next.exit;
      });
    } else {
      it('a strict one answers 503, says why, and sends nothing', async () => {
        const koine = await scene.start({ durability: 'strict' });
        const load: Load = startLoad(koine.url);
        await load.more(10);
        await takeAway();
        await until('the ledger notices', () => fallen(koine));
        await load.more(12);
        const before = [...upstream.reached.values()].reduce((sum, count) => sum + count, 0);
        const answered = load.seen.length;
        await load.more(20);
        const during = load.seen.slice(answered);
        expect(new Set(during.map(({ status }) => status))).to.deep.equal(new Set([503]));
        expect(JSON.parse(during[0]?.text ?? '')).to.have.nested.property('error.message').that.matches(/cannot be recorded at the moment/);
        expect([...upstream.reached.values()].reduce((sum, count) => sum + count, 0)).to.equal(before);
        await giveBack();
        await until('it answers again', () => load.seen.at(-1)?.status === 200);
        await load.stop();
        const rows = await scene.closed();
        const good = load.seen.filter(({ status }) => status === 200);
        holdAnswers(rows, good);
        const refused = new Set(load.seen.filter(({ status }) => status === 503).map(({ id }) => id));
        expect(rows.filter(({ id }) => refused.has(id))).to.be.empty;
        await holdSums(scene);
      });
    }
  });
}

after(() => disk.remove());
