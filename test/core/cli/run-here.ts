import { runCli } from '../../../core/cli/index.ts';
import { builtIns as allBuiltIns } from './all-built-ins.ts';
import type { BuiltIns } from '../../../core/extensions/extension.ts';
import { root, type Run, type RunOptions } from './run-koine.ts';

const replaceEnvironment = (env: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
};

/** Warnings of Node about this process, in which other tests run too. */
const isWarning = (chunk: string | Uint8Array): boolean => String(chunk).startsWith(`(node:${process.pid})`);

/** @returns restores the stream */
const capture = (stream: NodeJS.WriteStream, take: (text: string) => void): (() => void) => {
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array): boolean => {
    if (isWarning(chunk)) return write.call(stream, chunk);
    take(String(chunk));
    return true;
  };
  return () => {
    stream.write = write;
  };
};

/**
 * Runs a command in this process, since starting one takes longer than most commands. One test of each command runs the
 * real program.
 */
export const runHere = async (
  args: readonly string[],
  { cwd = root, env = {}, builtIns = allBuiltIns }: Omit<RunOptions, 'input'> & { readonly builtIns?: BuiltIns } = {},
): Promise<Run> => {
  const [folder, environment] = [process.cwd(), { ...process.env }];
  let [out, err] = ['', ''];
  process.chdir(cwd);
  replaceEnvironment(env);
  // A person cannot answer in a test.
  const { isTTY } = process.stdin;
  process.stdin.isTTY = false;
  const release = [capture(process.stdout, (text) => (out += text)), capture(process.stderr, (text) => (err += text))];
  try {
    const code = await runCli(args, builtIns);
    return { code, out, err };
  } finally {
    for (const end of release) end();
    process.stdin.isTTY = isTTY;
    replaceEnvironment(environment);
    process.chdir(folder);
  }
};
