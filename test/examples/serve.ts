import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { until } from '../support/until.ts';

/** A running `koine serve`. */
export interface Served {
  readonly url: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}

/**
 * Runs the command of an installed package.
 * @param koine the words of the command: node and the path of `koine`
 * @throws Error with its output if it does not serve
 */
export async function serve(
  koine: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<Served> {
  const [command = '', ...words] = koine;
  const child = spawn(command, [...words, 'serve', '--port', '0', '--admin-port', '0'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until('it serves, or ends', () => output.includes('koine serves') || child.exitCode !== null);
  const [, url, adminUrl] = /on (http:\S+) \(admin (http:[^)\s]+)\)/.exec(output) ?? [];
  if (url === undefined || adminUrl === undefined) throw new Error(`${folder} is not served: ${output}`);
  return {
    url,
    adminUrl,
    stop: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

interface Providers {
  readonly providers: Record<string, { config?: Record<string, unknown> }>;
}

/** For examples that have no key, because their first start prints one. */
const organizations = { default: { projects: { default: { keys: { alice: { key: '${KOINE_KEY}' } } } } } };

/** Changes the settings of providers in the `gateway.yaml` of a copied example, e.g. their addresses. */
export function configure(folder: string, settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>): void {
  const file = join(folder, 'gateway.yaml');
  const config = parse(readFileSync(file, 'utf8')) as Providers;
  for (const [name, more] of Object.entries(settings)) {
    const provider = config.providers[name];
    if (provider === undefined) throw new Error(`${file} has no provider ${name}.`);
    provider.config = { ...provider.config, ...more };
  }
  writeFileSync(file, stringify({ server: { drain: { delay: '0s' } }, organizations, ...config }));
}
