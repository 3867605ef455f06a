import { loadConfig } from '../../config/load.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { listModels, listUnused } from './list-models.ts';
import { formatCatalog } from './format-table.ts';
import { checkFormat, type Command, MisuseError, parseOptions } from '../command.ts';
import { catalogOptions } from '../options/configuration.ts';

const print = (format: string, data: unknown, text: () => string): void =>
  console.log(format === 'json' ? JSON.stringify(data, undefined, 2) : text());

const run = async (
  file: string,
  { format, all, changes }: { readonly format: string; readonly all: boolean; readonly changes: boolean },
  builtIns: BuiltIns,
): Promise<number> => {
  const loaded = await loadConfig(file, builtIns, process.env);
  if (changes) {
    // Imported on demand: only this option needs the database.
    const { formatChanges, readChanges } = await import('./price-changes.ts');
    const found = await readChanges(loaded);
    print(format, { changes: found }, () => formatChanges(found));
  } else {
    const models = listModels(loaded);
    const unused = all ? listUnused(loaded) : [];
    print(format, { models, ...(all ? { unused } : {}) }, () => formatCatalog(models, unused));
  }
  return 0;
};

export const catalog: Command['run'] = (args, builtIns) => {
  if (args[0] === 'sync') return import('./sync.ts').then(({ syncCatalog }) => syncCatalog(args.slice(1), builtIns));
  const { config, ...options } = parseOptions(args, catalogOptions);
  checkFormat(options.format);
  if (options.all && options.changes)
    throw new MisuseError('--all lists prices and --changes lists price changes: give only one of them.');
  return run(config, options, builtIns);
};
