import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { bin } from '../support/servers/koine-program.ts';

/** Skips the test without this program, except in CI, where it is required. Call it in a `before` hook. */
export const requireProgram = (context: Mocha.Context, command: string, install: string): void => {
  if (spawnSync('which', [command]).status === 0) return;
  if (process.env['CI'] === 'true') throw new Error(`${command} is missing: install it (${install}).`);
  context.skip();
};

export interface Program {
  readonly pid: number;
  /** Both outputs so far. */
  output(): string;
  isOver(): boolean;
  signal(name: NodeJS.Signals): void;
  /** @returns the exit code; null after a signal */
  readonly exit: Promise<number | null>;
  /** SIGTERM, and waits for the exit. */
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Starts a program with these variables and PATH only. */
export const startProgram = (
  command: string,
  args: readonly string[],
  { env = {}, ...options }: ProgramOptions = {},
): Program => {
  const child = spawn(command, args, {
    ...options,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    output: () => output,
    isOver,
    signal: (name) => void child.kill(name),
    exit,
    stop: async () => {
      if (!isOver()) child.kill('SIGTERM');
      await exit;
    },
  };
};

export interface GatewayProgram extends Program {
  readonly url: string;
  readonly adminUrl: string;
}

/** `koine serve` of this checkout, once it serves. Options can set its ports. */
export const startGatewayProgram = async (
  config: string,
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<GatewayProgram> => {
  const program = startProgram(process.execPath, [bin, 'serve', '--config', config, ...options], {
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'koine-compile-cache'), ...env },
  });
  const find = () => /on (http:\S+) \(admin (http:[^)\s]+)\)/.exec(program.output());
  await until('the gateway serves', () => find() !== null || program.isOver());
  const [, url, adminUrl] = find() ?? [];
  if (url === undefined || adminUrl === undefined) throw new Error(`It does not serve: ${program.output()}`);
  return { ...program, url, adminUrl };
};
