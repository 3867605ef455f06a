import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import type { Mutation } from './mutations.ts';

/** A copy of the checkout in which lines are changed, so that the checkout itself stays as it is. */
export interface MutatedCheckout {
  readonly path: string;
  /** Changes one line. @returns changes it back */
  apply(mutation: Mutation): () => void;
  remove(): void;
}

export const copyCheckout = (): MutatedCheckout => {
  const folder = createTemporaryFolder();
  // Tests start gateways as other users.
  chmodSync(folder.path, 0o755);
  // In a folder of its own: tests look for recordings of vendors beside the checkout.
  const path = join(folder.path, 'checkout');
  mkdirSync(path);
  const { stdout } = spawnSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 1e8 });
  for (const file of stdout.trim().split('\n')) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    cpSync(file, join(path, file));
  }
  // Tests of pages and file names list the files of the repository.
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
  ])
    spawnSync('git', words, { cwd: path });
  symlinkSync(join(process.cwd(), 'node_modules'), join(path, 'node_modules'));
  return {
    path,
    apply: ({ file, line, before, after }) => {
      const target = join(path, file);
      const text = readFileSync(target, 'utf8');
      const lines = text.split('\n');
      if (lines[line - 1] !== before) throw new Error(`${file}:${line} is not the line that was chosen.`);
      writeFileSync(target, lines.with(line - 1, after).join('\n'));
      return () => writeFileSync(target, text);
    },
    remove: () => rmSync(folder.path, { recursive: true, force: true }),
  };
};
