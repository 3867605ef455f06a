import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import type { Figure } from './extras/extra.ts';
import { hasWrk, isPinned } from './gateways/machine.ts';
import type { GroupResult } from './measure/run-group.ts';
import { options } from './options.ts';
import { readSources } from './sources.ts';

export interface ExtraResult {
  readonly title: string;
  readonly figures: readonly Figure[];
}

/** All that one run has measured: results.json. */
export interface Run {
  /** Of the checkout, with `-dirty` where it has changes. */
  readonly commit: string;
  /** The sources of the hot path that were measured: a digest for each file. */
  readonly sources: Readonly<Record<string, string>>;
  readonly date: string;
  readonly node: string;
  readonly machine: string;
  /** Gateways have a processor of their own, load and upstream the others. */
  readonly isPinned: boolean;
  readonly loadedBy: 'wrk' | 'autocannon';
  readonly options: typeof options;
  readonly groups: readonly GroupResult[];
  readonly extras: readonly ExtraResult[];
}

const readCommit = (): string => {
  try {
    const words = ['describe', '--always', '--dirty', '--exclude=*'];
    return execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
};

/** Where and how a run is made. */
export const describeRun = (): Omit<Run, 'groups' | 'extras'> => ({
  commit: readCommit(),
  sources: readSources(),
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB`,
  isPinned,
  loadedBy: hasWrk ? 'wrk' : 'autocannon',
  options,
});
