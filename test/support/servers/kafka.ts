import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
const program = join(cache, 'koine-tests/kfake/kfake');

/** Skips where the broker is not built, except in CI, where it has to be. Call it in a `before` hook. */
export const requireKafka = (context: Mocha.Context): void => {
  if (existsSync(program)) return;
  if (process.env['CI'] === 'true') throw new Error('Kafka is missing: run test/support/servers/kfake/build.sh.');
  context.skip();
};

/** A Kafka cluster of two brokers in memory: kfake/main.go. */
export interface Kafka {
  readonly brokers: readonly string[];
  stop(): Promise<void>;
}

/** @param topic with three partitions @param user who signs in by SCRAM-SHA-512; absent: clients do not sign in */
export async function startKafka(
  topic: string,
  user?: { readonly username: string; readonly password: string },
): Promise<Kafka> {
  const words = user === undefined ? [topic] : [topic, user.username, user.password];
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    brokers: line.trim().split(' '),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
