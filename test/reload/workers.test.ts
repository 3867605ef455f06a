import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { json, readJson } from '../support/admin.ts';
import { send } from '../support/http.ts';
import { startKoine, tickets, type KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { createAsk, generationIn, generationOf, pause, writeGeneration } from './generations.ts';

const two = { server: { workers: 2 } };

describe('a reload of several workers', () => {
  // One gateway: each test begins with the configuration that the one before it has left.
  let koine: KoineProcess;
  let active = 'A';
  before(async () => {
    koine = await startKoine(generationOf(active, two));
  });
  after(() => koine?.end());
  const reload = () => send(koine.adminUrl, { path: '/admin/reload', headers: json, body: '{}' });
  /** Reloads a generation with a new name. */
  const reloadNext = async (): Promise<void> => {
    const name = following();
    writeFileSync(koine.file, writeGeneration(name, two));
    expect(readJson(await reload())).to.include({ result: 'reloaded' });
    active = name;
  };
  const following = (): string => String.fromCodePoint((active.codePointAt(0) ?? 0) + 1);
  const scrape = async (): Promise<string> =>
    (await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} })).text;
  /** Workers that were killed, and replaced. */
  const restarts = async (): Promise<number> =>
    Number(/^koine_worker_restarts_total\{reason="exit"\} (\d+)$/m.exec(await scrape())?.[1] ?? 0);
  /** The generations that answer many requests, each on its own connection. */
  const live = async (): Promise<readonly string[]> => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { ask, end } = createAsk(koine);
        const generation = generationIn(await ask());
        end();
        return generation;
      }),
    );
    return [...new Set(answers)];
  };

  it('a reload fails if a worker and its successor exit while they start the configuration', async () => {
    const settings = generationOf('Z', two);
    writeFileSync(
      koine.file,
      writeGeneration('Z', {
        ...two,
        plugins: [...(settings['plugins'] as object[]), { use: tickets, config: { worker: 'die' } }],
      }),
    );
    const { status, text } = await reload();
    expect(status).to.equal(422);
    expect(text).to.match(/KOINE_WORKER_FAILED.*ended while it started the configuration/);
    // The other worker was not sent it.
    await until('two successors', () => koine.workers().length === 4);
    expect(koine.liveWorkers()).to.include(2);
    expect(await live()).to.deep.equal([active]);
  });

  it('a reload reaches all workers; a new worker gets the active configuration, not a half-written file', async () => {
    await reloadNext();
    expect(await live()).to.deep.equal([active]);
    writeFileSync(koine.file, 'models: [half-writ');
    const [before, known] = [await restarts(), koine.workers().length];
    for (const worker of koine.liveWorkers()) koine.kill(worker);
    await until('two new workers', () => koine.workers().length === known + 2);
    expect(await live()).to.deep.equal([active]);
    expect((await restarts()) - before).to.equal(2);
    expect(await scrape()).to.match(/^koine_workers 2$/m);
  });

  it('a reload reaches no worker if one of them cannot start the configuration', async () => {
    const settings = generationOf('Y', two);
    writeFileSync(
      koine.file,
      writeGeneration('Y', {
        ...two,
        plugins: [...(settings['plugins'] as object[]), { use: tickets, config: { worker: 'refuse' } }],
      }),
    );
    const { status, text } = await reload();
    expect(status).to.equal(422);
    expect(text).to.include('no tickets are sold here');
    expect(await live()).to.deep.equal([active]);
    await until('nothing of it is left', () =>
      koine.lines().some(({ message, name }) => message === 'primary instance closed' && name === 'Y'),
    );
    await reloadNext();
    expect(await live()).to.deep.equal([active]);
  });

  it('a reload goes on with the successor of a worker that ends meanwhile', async () => {
    const [[first = 0], known] = [koine.liveWorkers(), koine.workers().length];
    await koine.stop(first);
    const reloading = reloadNext();
    await pause(1_000);
    koine.kill(first);
    await reloading;
    expect(await live()).to.deep.equal([active]);
    await until('a successor', () => koine.workers().length === known + 1);
    expect(await live()).to.deep.equal([active]);
  });

  it('finishes a stream with the configuration that it began with, and closes its plugins afterwards', async () => {
    const { ask, end } = createAsk(koine);
    const content = 'Hi [[simulator pace=50 words=60]]';
    let isOver = false;
    const streamed = ask({ stream: true, messages: [{ role: 'user', content }] }).finally(() => (isOver = true));
    await pause(300);
    const before = active;
    await reloadNext();
    const closings = () =>
      koine.lines().filter(({ message, name }) => message === 'primary instance closed' && name === before);
    // On a busy machine the reload may outlast the stream.
    if (!isOver) expect(closings()).to.have.length(0);
    expect(await live()).to.deep.equal([active]);
    expect(generationIn(await streamed)).to.equal(before);
    await until('its primary instance is closed', () => closings().length === 1);
    end();
  });

  it('responds to metrics and health calls while a worker is stopped', async () => {
    await live();
    await pause(1_200);
    const stopped = koine.liveWorkers()[0] ?? 0;
    await koine.stop(stopped);
    try {
      expect(await scrape()).to.include('koine_workers 2');
      expect((await send(koine.adminUrl, { method: 'GET', path: '/readyz', headers: {} })).status).to.equal(200);
      expect(koine.liveWorkers(), 'it was not replaced meanwhile').to.include(stopped);
    } finally {
      koine.resume(stopped);
    }
  });

  it('a stop ends a reload that waits for the successor of a worker', async () => {
    const [first = 0] = koine.liveWorkers();
    await koine.stop(first);
    writeFileSync(koine.file, writeGeneration(following(), two));
    const reloading = reload();
    await pause(1_000);
    koine.kill(first);
    await until('the end of the worker', () => koine.liveWorkers().length === 1);
    koine.signal('SIGTERM');
    expect((await reloading.catch(() => undefined))?.status).to.be.oneOf([undefined, 422, 503]);
    expect(await koine.exit).to.be.oneOf([0, 1]);
  });
});
