import { builtIns } from '../../../core/built-ins.ts';
import type { BuiltIns } from '../../../core/extensions/extension.ts';
import { runHere } from '../../../test/core/cli/run-here.ts';
import type { CommandJob, CommandResult } from './commands.ts';
import { plantedImporter } from './planted.ts';

// A process that runs commands of `koine`, one after the other, as its parent sends them.

const planted: BuiltIns = { ...builtIns, importers: { litellm: async () => plantedImporter } };

const run = async ({ args, cwd, planted: isPlanted }: CommandJob): Promise<CommandResult> => {
  const begin = process.cpuUsage();
  try {
    const result = await runHere(args, { cwd, builtIns: isPlanted ? planted : builtIns });
    const { user, system } = process.cpuUsage(begin);
    return { ...result, cpuMs: (user + system) / 1_000 };
  } catch (thrown) {
    return { code: null, out: '', err: thrown instanceof Error ? (thrown.stack ?? '') : String(thrown), cpuMs: 0 };
  }
};

process.on('message', (job: CommandJob | 'heap') => {
  if (job === 'heap') {
    globalThis.gc?.();
    process.send?.(process.memoryUsage().heapUsed);
  } else void run(job).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
