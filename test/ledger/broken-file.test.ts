import { expect } from 'chai';
import { closeSync, existsSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../support/http.ts';
import { type KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { clients } from './load.ts';
import { expectRows, expectSums, startLedgerScene, type LedgerScene } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

/** `LEASE` of the scene. */
const LEASE_MS = 1_000;

/** Overwrites every page of a file, if it exists. */
const overwrite = (file: string): void => {
  if (!existsSync(file)) return;
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(fstatSync(descriptor).size, 0x5a), 0, null, 0);
  closeSync(descriptor);
};
const removeAll = (file: string): void =>
  ['', '-wal', '-shm'].forEach((end) => rmSync(`${file}${end}`, { force: true }));
/** Moves every page from the write-ahead log to the file. */
const checkpoint = (file: string): void => {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
};

const damages: readonly (readonly [what: string, damage: (file: string) => void, message: RegExp])[] = [
  [
    'is overwritten',
    (file) => {
      checkpoint(file);
      overwrite(file);
      overwrite(`${file}-wal`);
    },
    /is broken/,
  ],
  [
    'is overwritten while some pages are only in its -wal',
    (file) => {
      overwrite(file);
      overwrite(`${file}-wal`);
    },
    /is broken/,
  ],
  ['is removed', removeAll, /was removed or replaced/],
];

describe('an SQLite file that a running gateway has open', () => {
  let upstream: LedgerUpstream;
  let scene: LedgerScene;
  beforeEach(async () => {
    upstream = await startLedgerUpstream();
    scene = await startLedgerScene('sqlite', upstream);
  });
  afterEach(async () => {
    await scene?.stop();
    await upstream?.stop();
  });

  const outages = (koine: KoineProcess) =>
    koine.lines().filter(({ message }) => String(message).startsWith('the ledger cannot be written'));
  const spooled = async (koine: KoineProcess): Promise<number> => {
    const { text } = await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} });
    return Number(/^koine_ledger_writes_total\{store="spool"\} (\d+)/m.exec(text)?.[1] ?? 0);
  };

  for (const [what, damage, message] of damages) {
    it(`logs the name of an SQLite file once and loses no later request or row when it ${what}`, async () => {
      const file = scene.url.slice('sqlite:'.length);
      const koine = await scene.start();
      const load = scene.load(koine);
      await load.more(60);
      damage(file);
      await until('the ledger notices', () => outages(koine).length > 0);
      await load.more(2 * clients.length);
      const before = load.seen.length;
      await load.more(60);
      await until('rows are spooled', async () => (await spooled(koine)) > 0);
      // The lease of the process in the broken file expires. Housekeeping must not take its spooled rows then.
      await delay(3 * LEASE_MS);
      await load.stop();
      koine.signal('SIGTERM');
      await koine.exit;
      expect(outages(koine)).to.have.length(1);
      expect(outages(koine)[0]?.['error'])
        .to.match(message)
        .and.include(`The file ${file} `)
        .and.include('start the gateway again');
      expect(new Set(load.seen.map(({ status }) => status))).to.deep.equal(new Set([200]));

      removeAll(file);
      const next = await scene.start();
      await until('the rows are adopted', () =>
        next.lines().some(({ message }) => String(message).startsWith('wrote the spooled rows of a process')),
      );
      expectRows(await scene.closed(), load.seen.slice(before));
      await expectSums(scene);
    });
  }
});
