import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stringify } from 'yaml';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { statusWith } from '../support/admin.ts';
import { KEY } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { configOf } from './koine-process.ts';
import { bin } from '../support/servers/koine-program.ts';

const NOBODY = 65_534;

interface Running {
  readonly url: string;
  readonly out: string;
  end(): Promise<void>;
}

/** `koine serve` without a umask: the mode of every file is the gateway's choice. */
const startOpenly = async (file: string, user?: number): Promise<Running> => {
  const child = spawn('/bin/sh', ['-c', 'umask 0; exec "$0" "$@"', process.execPath, bin, 'serve', '--config', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  let [out, err, isOver] = ['', '', false];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const over = new Promise<void>((resolve) => child.once('close', () => resolve(void (isOver = true))));
  await until('the gateway serves', () => isOver || err.includes('(admin '));
  if (isOver) throw new Error(`it did not start: ${err}`);
  return {
    url: /on (http\S+)/.exec(err)?.[1] ?? '',
    get out() {
      return out;
    },
    end: async () => {
      child.kill('SIGKILL');
      await over;
    },
  };
};

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const modesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));

describe('the modes of files that the gateway creates', () => {
  const folder = createTemporaryFolder();
  const file = join(folder.path, 'gateway.yaml');
  const data = join(folder.path, 'var', 'data');
  const database = join(data, 'koine.db');
  const spool = join(folder.path, 'spools', 'of-the-ledger');
  let running: Running | undefined;
  before(() => {
    const plugins = [{ use: 'auth' }, { use: 'ledger', config: { spool: { path: spool } } }];
    writeFileSync(file, stringify(configOf({ store: { database: `sqlite:${database}` }, plugins })));
  });
  afterEach(() => running?.end());
  after(folder.remove);

  it('creates database, write-ahead log, spool and their folders for its user only, whatever the umask', async () => {
    running = await startOpenly(file);
    expect(await statusWith(running, KEY)).to.equal(200);
    expect(modesIn(data)).to.deep.equal({ 'koine.db': '600', 'koine.db-shm': '600', 'koine.db-wal': '600' });
    const lock = new DatabaseSync(database, { timeout: 5_000 });
    lock.exec('BEGIN EXCLUSIVE');
    try {
      expect(await statusWith(running, KEY)).to.equal(200);
      await until(
        'a row waits in the spool',
        () => readdirSync(folder.path).includes('spools') && readdirSync(join(folder.path, 'spools')).length > 0,
      );
    } finally {
      lock.exec('ROLLBACK');
      lock.close();
    }
    expect(new Set(Object.values(modesIn(join(folder.path, 'spools'))))).to.deep.equal(new Set(['600']));
    for (const made of [data, join(folder.path, 'var'), join(folder.path, 'spools')])
      expect(modeOf(made), made).to.equal('700');
  });

  it('makes files private that an earlier version left open', async () => {
    for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644);
    running = await startOpenly(file);
    expect(await statusWith(running, KEY)).to.equal(200);
    expect(new Set(Object.values(modesIn(data)))).to.deep.equal(new Set(['600']));
    expect(running.out).to.not.contain('can read the database');
  });

  it('warns about files that belong to another user', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const shared = join(folder.path, 'shared');
    mkdirSync(shared);
    const foreign = join(shared, 'koine.db');
    writeFileSync(foreign, '');
    for (const [path, mode] of [
      [foreign, 0o666],
      [shared, 0o777],
      [folder.path, 0o755],
    ] as const)
      chmodSync(path, mode);
    const config = join(shared, 'gateway.yaml');
    writeFileSync(
      config,
      stringify(configOf({ store: { database: `sqlite:${foreign}` }, plugins: [{ use: 'auth' }] })),
    );
    chownSync(config, NOBODY, NOBODY);
    running = await startOpenly(config, NOBODY);
    const find = (): string | undefined =>
      running?.out.split('\n').find((each) => each.includes('can read the database'));
    await until('the warning is in the log', () => find() !== undefined);
    const line = find();
    expect(JSON.parse(line ?? '{}'))
      .to.include({ level: 'warn' })
      .and.to.have.deep.property('files')
      .that.includes(foreign);
  });
});
