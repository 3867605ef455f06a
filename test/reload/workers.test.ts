import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { json, readJson } from '../support/admin.ts';
import { send } from '../support/http.ts';
import { startKoine, tickets, type KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { createAsk, generationIn, generationOf, pause, writeGeneration } from './generations.ts';

const two = { server: { workers: 2 } };

describe('a reload of several workers', () => {
  let koine: KoineProcess;
  beforeEach(async () => {
    koine = await startKoine(generationOf('A', two));
  });
  afterEach(() => koine?.end());
  const reload = () => send(koine.adminUrl, { path: '/admin/reload', headers: json, body: '{}' });
  const scrape = async (): Promise<string> =>
    (await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} })).text;
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

  it('a reload reaches all workers; a new worker gets the active configuration, not a half-written file', async () => {
    writeFileSync(koine.file, writeGeneration('B', two));
    expect(readJson(await reload())).to.include({ result: 'reloaded' });
    expect(await live()).to.deep.equal(['B']);
    writeFileSync(koine.file, 'models: [half-writ');
    for (const worker of koine.workers()) koine.kill(worker);
    await until('two new workers', () => koine.workers().length === 4);
    expect(await live()).to.deep.equal(['B']);
    const text = await scrape();
    expect(text)
      .to.match(/^koine_worker_restarts_total\{reason="exit"\} 2$/m)
      .and.to.match(/^koine_workers 2$/m);
  });

  it('a reload reaches no worker if one of them cannot start the configuration', async () => {
    const settings = generationOf('B', two);
    writeFileSync(
      koine.file,
      writeGeneration('B', {
        ...two,
        plugins: [...(settings['plugins'] as object[]), { use: tickets, config: { worker: 'refuse' } }],
      }),
    );
    const { status, text } = await reload();
    expect(status).to.equal(422);
    expect(text).to.include('no tickets are sold here');
    expect(await live()).to.deep.equal(['A']);
    await until('nothing of it is left', () =>
      koine.lines().some(({ message, name }) => message === 'primary instance closed' && name === 'B'),
    );
    writeFileSync(koine.file, writeGeneration('C', two));
    expect(readJson(await reload())).to.include({ result: 'reloaded' });
    expect(await live()).to.deep.equal(['C']);
  });

  it('a reload goes on with the successor of a worker that ends meanwhile', async () => {
    const [first = 0] = koine.workers();
    await koine.stop(first);
    writeFileSync(koine.file, writeGeneration('B', two));
    const reloading = reload();
    await pause(1_000);
    koine.kill(first);
    expect(readJson(await reloading)).to.include({ result: 'reloaded' });
    expect(await live()).to.deep.equal(['B']);
    await until('a successor', () => koine.workers().length === 3);
    expect(await live()).to.deep.equal(['B']);
  });

  it('a stop ends a reload that waits for the successor of a worker', async () => {
    const [first = 0] = koine.workers();
    await koine.stop(first);
    writeFileSync(koine.file, writeGeneration('B', two));
    const reloading = reload();
    await pause(1_000);
    koine.kill(first);
    await until('the end of the worker', () => koine.liveWorkers().length === 1);
    koine.signal('SIGTERM');
    expect((await reloading.catch(() => undefined))?.status).to.be.oneOf([undefined, 422, 503]);
    expect(await koine.exit).to.be.oneOf([0, 1]);
  });

  it('a reload fails if a worker and its successor exit while they start the configuration', async () => {
    const settings = generationOf('B', two);
    writeFileSync(
      koine.file,
      writeGeneration('B', {
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
    expect(await live()).to.deep.equal(['A']);
  });

  it('finishes a stream with the configuration that it began with, and closes its plugins afterwards', async () => {
    const { ask, end } = createAsk(koine);
    const content = 'Hi [[simulator pace=50 words=60]]';
    let isOver = false;
    const streamed = ask({ stream: true, messages: [{ role: 'user', content }] }).finally(() => (isOver = true));
    await pause(300);
    writeFileSync(koine.file, writeGeneration('B', two));
    await reload();
    const closings = () =>
      koine.lines().filter(({ message, name }) => message === 'primary instance closed' && name === 'A');
    // On a busy machine the reload may outlast the stream.
    if (!isOver) expect(closings()).to.have.length(0);
    expect(await live()).to.deep.equal(['B']);
    expect(generationIn(await streamed)).to.equal('A');
    await until('its primary instance is closed', () => closings().length === 1);
    end();
  });

  it('responds to metrics and health calls while a worker is stopped', async () => {
    await live();
    await pause(1_200);
    const stopped = koine.workers()[0] ?? 0;
    await koine.stop(stopped);
    try {
      expect(await scrape()).to.include('koine_workers 2');
      expect((await send(koine.adminUrl, { method: 'GET', path: '/readyz', headers: {} })).status).to.equal(200);
      expect(koine.liveWorkers(), 'it was not replaced meanwhile').to.include(stopped);
    } finally {
      koine.resume(stopped);
    }
  });
});
