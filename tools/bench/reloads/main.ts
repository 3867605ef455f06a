import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { writeConfig, type Version } from './config.ts';

// `npm run bench:reloads`: how long the event loop of a gateway is held while it reloads a large configuration.
const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '100000' },
    projects: { type: 'string', default: '10000' },
    models: { type: 'string', default: '10000' },
  },
});
const sizes = { keys: Number(values.keys), projects: Number(values.projects), models: Number(values.models) };

interface Report {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly rss: number;
  /** Processor time of all threads since the start. */
  readonly totalMs: number;
}

const folder = mkdtempSync(join(tmpdir(), 'koine-reloads-'));
const file = join(folder, 'gateway.yaml');
const write = (version: Version): void => writeFileSync(file, writeConfig(sizes, version, join(folder, 'koine.db')));
write('first');
const preload = new URL('./watch-loop.ts', import.meta.url).href;
const bin = fileURLToPath(new URL('../../../bin/koine.js', import.meta.url));
const startedAt = performance.now();
const child = spawn(process.execPath, ['--import', preload, bin, 'serve', '--config', file], {
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const lines = createInterface({ input: child.stdout as Readable })[Symbol.asyncIterator]();
/** Waits for a line of the log. */
const logged = async (...texts: readonly string[]): Promise<string> => {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the gateway has ended');
    const { message } = JSON.parse(value) as { message: string };
    if (texts.includes(message)) return message;
  }
};
const report = async (): Promise<Report> => {
  child.send('report');
  const [message] = (await once(child, 'message')) as [Report];
  return message;
};
const show = (what: string, ms: number, { wallMs, cpuMs, rss, totalMs }: Report): void =>
  console.log(
    `${what}: ${(ms / 1_000).toFixed(1)} s, ${(totalMs / 1_000).toFixed(1)} s of processor time so far; ` +
      `longest turn ${wallMs.toFixed(0)} ms, ` +
      `${cpuMs.toFixed(0)} ms of processor time; ${Math.round(rss / 1_048_576)} MB`,
  );

await logged('the gateway is ready');
show('start', performance.now() - startedAt, await report());
for (const version of ['one key', 'everything', 'first'] as const) {
  write(version);
  await report();
  const at = performance.now();
  child.kill('SIGHUP');
  const result = await logged(
    'the configuration was reloaded',
    'the configuration was not reloaded: the previous one stays active',
  );
  const ms = performance.now() - at;
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  show(`${version}: ${result}`, ms, await report());
}
child.kill('SIGTERM');
await once(child, 'exit');
rmSync(folder, { recursive: true });
