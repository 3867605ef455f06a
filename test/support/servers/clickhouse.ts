import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createTemporaryFolder } from '../temporary-folder.ts';

const isInstalled = spawnSync('python3', ['-c', 'import os, chdb, pyarrow; os._exit(0)']).status === 0;

/** Skips where ClickHouse's engine is missing, except in CI, where it has to be there. Call it in a `before` hook. */
export const requireClickHouse = (context: Mocha.Context): void => {
  if (isInstalled) return;
  if (process.env['CI'] === 'true')
    throw new Error('The engine of ClickHouse is missing: install it (.ci/run has the command for chdb-core-lite).');
  context.skip();
};

/** ClickHouse's engine behind its HTTP interface: clickhouse.py. */
export interface ClickHouse {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Runs a statement. Resolves with the lines of its JSON. @throws with the error of the engine */
  query<Row>(statement: string): Promise<readonly Row[]>;
  stop(): Promise<void>;
}

export async function startClickHouse(): Promise<ClickHouse> {
  const folder = createTemporaryFolder();
  const [username, password] = ['koine', 'clickhouse-secret-0123456789'];
  const program = new URL('clickhouse.py', import.meta.url).pathname;
  const child = spawn('python3', [program, folder.path, username, password], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  const url = `http://127.0.0.1:${port}`;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return {
    url,
    username,
    password,
    query: async <Row>(statement: string) => {
      const response = await fetch(`${url}/?output_format_json_quote_64bit_integers=0`, {
        method: 'POST',
        headers: { authorization },
        body: statement,
      });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      folder.remove();
    },
  };
}
