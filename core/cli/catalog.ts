import { loadConfig } from '../config/load.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { listModels, listUnused } from './catalog-list.ts';
import { formatCatalog } from './catalog-table.ts';
import { DEFAULT_CONFIG, MisuseError, parseOptions, type Command } from './command.ts';

const printCatalog = async (file: string, format: string, all: boolean, builtIns: BuiltIns): Promise<number> => {
  const loaded = await loadConfig(file, builtIns, process.env);
  const models = listModels(loaded);
  const unused = all ? listUnused(loaded) : [];
  console.log(format === 'json' ? JSON.stringify({ models, ...(all ? { unused } : {}) }, undefined, 2) : formatCatalog(models, unused));
  return 0;
};

export const catalog: Command = {
  name: 'catalog',
  summary: 'lists the models with their targets, limits and prices (USD per million tokens), and where each price comes from',
  usage: '[--all] [--config FILE] [--format text|json]',
  run: (args, builtIns) => {
    const { config, format, all } = parseOptions(args, {
      config: { type: 'string', default: DEFAULT_CONFIG },
      format: { type: 'string', default: 'text' },
      all: { type: 'boolean', default: false },
    });
    if (format !== 'text' && format !== 'json') throw new MisuseError(`--format must be text or json, not "${format}".`);
    return printCatalog(config, format, all, builtIns);
  },
};
