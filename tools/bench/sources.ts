import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** What a governed request of chat completions runs through. */
const HOT_PATH = [
  'core/exchange',
  'core/http',
  'plugins/{auth,ledger,metrics,rate-limit}',
  'providers/openai/chat-completions',
];

/** A digest of each source file of the hot path, by its path. */
export const readSources = (): Readonly<Record<string, string>> => {
  const files = HOT_PATH.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).toSorted();
  const digestOf = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex')
      .slice(0, 8);
  return Object.fromEntries(files.map((file) => [file, digestOf(file)]));
};

/** The share of files that were changed, added or removed between two states. */
export const shareChanged = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): number => {
  const files = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...files].filter((file) => before[file] !== after[file]).length / files.size;
};
