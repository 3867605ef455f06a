import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { findContent, hashContent } from '../../core/extensions/integrity.ts';
import { until } from '../support/until.ts';
import { startKoine, tickets, type KoineProcess, type LogLine } from './koine-process.ts';

const good = fileURLToPath(new URL('../fixtures/extensions/good/index.ts', import.meta.url));
const hashOf = (file: string): string => hashContent(findContent(file, file, file));
const trusted = (koine: KoineProcess): readonly LogLine[] =>
  koine.lines().filter(({ message }) => String(message).includes('it runs with full trust'));

describe('extensions of an operator', () => {
  let koine: KoineProcess | undefined;
  afterEach(() => koine?.end());

  it('logs each extension with its hash once, also with several workers, and no built-in', async () => {
    const plugins = [{ use: 'auth' }, { use: tickets, config: {} }, { use: good, integrity: hashOf(good) }];
    const started = (koine = await startKoine({ server: { workers: 2 }, plugins }));
    expect(
      trusted(started).map(({ kind, use, file, integrity, isPinned }) => ({ kind, use, file, integrity, isPinned })),
    ).to.deep.equal([
      { kind: 'plugin', use: tickets, file: tickets, integrity: hashOf(tickets), isPinned: false },
      { kind: 'plugin', use: good, file: good, integrity: hashOf(good), isPinned: true },
    ]);
  }).timeout(120_000);

  it('refuses an extension with changed pinned files in a new worker, while the others keep serving', async () => {
    const mine = join(mkdtempSync(join(tmpdir(), 'koine-')), 'mine.ts');
    writeFileSync(mine, readFileSync(good));
    const started = (koine = await startKoine({
      server: { workers: 2 },
      plugins: [{ use: 'auth' }, { use: mine, integrity: hashOf(mine) }],
    }));
    const [first = 0] = started.workers();
    writeFileSync(mine, `${readFileSync(good, 'utf8')}// changed`);
    started.kill(first);
    const output = (): string =>
      started.stderr() +
      started
        .lines()
        .map((line) => JSON.stringify(line))
        .join('\n');
    await until('the new worker is refused', () => output().includes('KOINE_EXTENSION_INTEGRITY'));
    expect((await fetch(`${started.url}/livez`)).status).to.equal(200);
    rmSync(dirname(mine), { recursive: true });
  }).timeout(120_000);
});
