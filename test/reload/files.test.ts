import { expect } from 'chai';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startKoine, type KoineProcess, type LogLine } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { createAsk, generationIn, generationOf, pause, writeGeneration } from './generations.ts';

const watched = { server: { watch: true } };
const write = (name: string): string => writeGeneration(name, watched);

describe('a gateway whose configuration file changes', () => {
  let koine: KoineProcess;
  let client: ReturnType<typeof createAsk>;
  beforeEach(async () => {
    koine = await startKoine(generationOf('A', watched));
    client = createAsk(koine);
  });
  afterEach(async () => {
    client?.end();
    await koine?.end();
  });
  const live = async (): Promise<string> => generationIn(await client.ask());
  const linesOf = (start: string): readonly LogLine[] =>
    koine.lines().filter(({ message }) => String(message).startsWith(start));
  const reloads = () => linesOf('the configuration was reloaded');
  const refusals = () => linesOf('the configuration was not reloaded');
  /** The change caused one reload, and no other follows. */
  const expectOne = async (name: string): Promise<void> => {
    await until('a reload', () => reloads().length > 0);
    await pause(700);
    expect([reloads().length, refusals().length, await live()]).to.deep.equal([1, 0, name]);
  };
  const expectRefused = async (problem: RegExp): Promise<void> => {
    await until('a refusal', () => refusals().length > 0);
    expect(String(refusals()[0]?.['problems'])).to.match(problem);
    expect(await live()).to.equal('A');
  };

  it('reloads once when an editor writes the file in place', async () => {
    writeFileSync(koine.file, write('B'));
    await expectOne('B');
    expect(reloads()[0]).to.include({ trigger: 'file' });
  });

  it('reloads once when an editor moves the old file away and a new one to its name', async () => {
    renameSync(koine.file, `${koine.file}~`);
    await pause(60);
    writeFileSync(`${koine.file}.new`, write('B'));
    renameSync(`${koine.file}.new`, koine.file);
    await expectOne('B');
  });

  it('never loads a half-written file, even if that half is valid', async () => {
    const text = write('B');
    const cut = text.indexOf('plugins:');
    writeFileSync(koine.file, text.slice(0, cut));
    for (let at = cut; at < text.length; at += 150) {
      await pause(100);
      writeFileSync(koine.file, text.slice(0, at + 150));
    }
    await expectOne('B');
  });

  it('keeps the active configuration while the file has a problem, and reloads once it is fixed', async () => {
    writeFileSync(koine.file, write('B').replace('provider: simulator', 'provider: simulater'));
    await expectRefused(/gateway\.yaml:\d+:\d+ error \S+ .*simulater/);
    writeFileSync(koine.file, write('B'));
    await until('the mended one', () => reloads().length === 1);
    expect(await live()).to.equal('B');
  });

  it('keeps the active configuration while the file is gone or unreadable, and reloads once it is back', async () => {
    unlinkSync(koine.file);
    await expectRefused(/KOINE_CONFIG_UNREADABLE .*there is no such file/);
    mkdirSync(koine.file);
    await until('another refusal', () => refusals().length === 2);
    expect(String(refusals()[1]?.['problems'])).to.match(/KOINE_CONFIG_UNREADABLE .*EISDIR/);
    rmSync(koine.file, { recursive: true });
    writeFileSync(koine.file, write('B'));
    await until('a reload', () => reloads().length === 1);
    expect(await live()).to.equal('B');
  });

  it('keeps the active configuration when it loses permission to read the file', async function () {
    if (process.getuid?.() === 0) this.skip();
    chmodSync(koine.file, 0);
    writeFileSync(`${koine.file}.new`, write('B'), { mode: 0 });
    renameSync(`${koine.file}.new`, koine.file);
    await expectRefused(/KOINE_CONFIG_UNREADABLE .*EACCES/);
  });

  it('reloads when a file of a secret changes, and stops using the old secret', async () => {
    const name = join(dirname(koine.file), 'name');
    writeFileSync(name, 'D\n');
    writeFileSync(koine.file, write('D').replace('name: D', 'name: ${file:./name}'));
    await until('a reload', () => reloads().length === 1);
    expect((await client.ask()).headers['x-generation']).to.equal('D');
    writeFileSync(name, 'E\n');
    await until('another', () => reloads().length === 2);
    expect((await client.ask()).headers['x-generation']).to.equal('E');
  });
});

describe('a gateway whose configuration is a Kubernetes volume', () => {
  it('reloads once when the links are swapped', async () => {
    const koine = await startKoine(generationOf('A', watched));
    const client = createAsk(koine);
    const folder = dirname(koine.file);
    const put = (version: string, text: string): void => {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'gateway.yaml'), text);
      symlinkSync(version, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    const reloads = () => koine.lines().filter(({ message }) => message === 'the configuration was reloaded');
    try {
      put('..1', write('A'));
      unlinkSync(koine.file);
      symlinkSync(join('..data', 'gateway.yaml'), koine.file);
      await pause(700);
      expect(reloads()).to.have.length(0);
      put('..2', write('B'));
      rmSync(join(folder, '..1'), { recursive: true });
      await until('a reload', () => reloads().length > 0);
      await pause(700);
      expect(reloads()).to.have.length(1);
      expect(generationIn(await client.ask())).to.equal('B');
      put('..3', write('C'));
      await until('another', () => reloads().length === 2);
      expect(generationIn(await client.ask())).to.equal('C');
    } finally {
      client.end();
      await koine.end();
    }
  });
});
