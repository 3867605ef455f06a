import { expect } from 'chai';
import { closeSync, existsSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { send } from '../e2e/http.ts';
import { type KoineProcess } from '../processes/koine-process.ts';
import { until } from '../until.ts';
import { clients } from './load.ts';
import { holdAnswers, holdSums, startLedgerScene, type LedgerScene } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

/** Writes nonsense over every page of what is there. */
const overwrite = (file: string): void => {
  if (!existsSync(file)) return;
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(fstatSync(descriptor).size, 0x5a), 0, null, 0);
  closeSync(descriptor);
};
const removeAll = (file: string): void =>
  ['', '-wal', '-shm'].forEach((end) => rmSync(`${file}${end}`, { force: true }));
/** Has every page in the file itself. */
const checkpoint = (file: string): void => {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
};

const harms: readonly (readonly [what: string, harm: (file: string) => void, said: RegExp])[] = [
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
    'is overwritten, with pages that are in its -wal alone',
    (file) => {
      overwrite(file);
      overwrite(`${file}-wal`);
    },
    /is broken/,
  ],
  ['is removed', removeAll, /was removed or replaced/],
];

describe('a SQLite file that breaks while a gateway has it open', () => {
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

  const falls = (koine: KoineProcess) =>
    koine.lines().filter(({ message }) => String(message).startsWith('the ledger cannot be written'));
  const spooled = async (koine: KoineProcess): Promise<number> => {
    const { text } = await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} });
    return Number(/^koine_ledger_writes_total\{store="spool"\} (\d+)/m.exec(text)?.[1] ?? 0);
  };

  for (const [what, harm, said] of harms) {
    it(`and ${what} is named, once, and costs no request and no row that comes afterwards`, async () => {
      const file = scene.url.slice('sqlite:'.length);
      const koine = await scene.start();
      const load = scene.load(koine);
      await load.more(60);
      harm(file);
      await until('the ledger notices', () => falls(koine).length > 0);
      await load.more(2 * clients.length);
      const before = load.seen.length;
      await load.more(60);
      await until('the metrics tell', async () => (await spooled(koine)) > 0);
      await load.stop();
      koine.signal('SIGTERM');
      await koine.exit;
      expect(falls(koine)).to.have.length(1);
      expect(falls(koine)[0]?.['error']).to.match(said).and.include(`The file ${file} `).and.include('and start again');
      expect(new Set(load.seen.map(({ status }) => status))).to.deep.equal(new Set([200]));

      removeAll(file);
      const next = await scene.start();
      await until('the rows are adopted', () =>
        next.lines().some(({ message }) => String(message).startsWith('the ledger has what a process that is gone')),
      );
      holdAnswers(await scene.closed(), load.seen.slice(before));
      await holdSums(scene);
    });
  }
});
