import { expect } from 'chai';
import { copyFileSync, symlinkSync } from 'node:fs';
import { extname, join } from 'node:path';
import { KEY } from '../../support/gateway.ts';
import { idOf, targets } from '../../support/strict-vendors/targets.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { run } from '../run.ts';

const programs = join(import.meta.dirname, 'programs');
/** A program has up to 50 loops. */
const PROGRAM_LIMIT_MS = 420_000;

/** How a program is run. */
export interface Interpreter {
  readonly command: string;
  /** A folder of packages that it needs beside it. */
  readonly link?: string;
}

/** How one loop of a program ended. */
export interface Ended {
  readonly wire: string;
  readonly model: string;
  readonly mode: string;
  readonly text: string;
  /** The calls that were run. */
  readonly calls: readonly string[];
}

/** The name of a model in the catalog of the strict vendors. @throws Error if it is not there */
export const modelAt = (provider: string, model: string): string => {
  const target = targets.find((each) => each.provider === provider && each.model === model);
  if (target === undefined) throw new Error(`no target ${provider}/${model}`);
  return idOf(target);
};

/** Runs a program of `programs/` against the gateway, beside nothing but its packages. */
export async function runProgram(
  { command, link }: Interpreter,
  program: string,
  url: string,
  models: readonly string[],
): Promise<readonly Ended[]> {
  const folder = createTemporaryFolder();
  try {
    for (const file of [program, `loop${extname(program)}`])
      copyFileSync(join(programs, file), join(folder.path, file));
    if (link !== undefined) symlinkSync(link, join(folder.path, 'node_modules'));
    const env = {
      PATH: process.env['PATH'],
      HOME: folder.path,
      NO_PROXY: '127.0.0.1',
      KOINE_URL: url,
      KOINE_KEY: KEY,
      MODELS: models.join(' '),
      // None of them reports to its maker.
      DO_NOT_TRACK: '1',
      OPENAI_AGENTS_DISABLE_TRACING: '1',
    };
    const { code, output } = await run(command, [program], folder.path, env, PROGRAM_LIMIT_MS);
    expect(code, output).to.equal(0);
    const lines = output.split('\n').filter((line) => line.startsWith('{"wire"'));
    return lines.map((line) => JSON.parse(line) as Ended);
  } finally {
    folder.remove();
  }
}
