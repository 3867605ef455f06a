import { spawnSync } from 'node:child_process';

/** @returns undefined if the command fails */
const git = (...words: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8', maxBuffer: 1e8 });
  return status === 0 ? stdout.trim() : undefined;
};

/** What the branch starts from: its upstream branch, or without one the last commit but one. */
const findBase = (): string | undefined =>
  git('merge-base', 'HEAD', '@{upstream}') ?? git('merge-base', 'HEAD', 'origin/main') ?? git('rev-parse', 'HEAD~1');

/**
 * The files that differ from the base of the branch, committed or not.
 * @returns undefined where that is not known: outside of a repository, or in one with a single commit
 */
export const listChangedFiles = (): readonly string[] | undefined => {
  const base = findBase();
  if (base === undefined) return undefined;
  const changed = git('diff', '--name-only', '--no-renames', base);
  const added = git('ls-files', '--others', '--exclude-standard');
  if (changed === undefined || added === undefined) return undefined;
  return `${changed}\n${added}`.split('\n').filter((path) => path !== '');
};
