import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommands } from '../../core/cli/commands.ts';
import { listPluginCommands } from '../../core/cli/plugin-command.ts';
import { loadPresets } from '../../core/extensions/built-in.ts';
import { builtIns } from '../support/gateway.ts';
import { documents, pages, readPage, root, type Page } from './pages.ts';

/** Pages about the present; decisions describe the time when they were made. */
const present = pages.filter(({ path }) => !path.startsWith('core/decisions/') && path !== 'CHANGELOG.md');

/** Code within sentences, and the lines of commands. */
const readCode = ({ text, blocks }: Page): readonly string[] => [
  ...[...text.replaceAll(/^ *```[^]*?^ *```$/gm, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
  ...blocks.filter(({ language }) => language === 'sh').flatMap((block) => block.text.split('\n')),
];

const commands = [
  ...createCommands(builtIns),
  ...listPluginCommands(Object.values((await loadPresets(builtIns)).plugin), builtIns),
];
const usages = new Map(
  commands.map(({ name, forms }) => [
    name,
    forms.flatMap(({ options }) => Object.keys(options).map((each) => `--${each}`)),
  ]),
);
/** At the beginning of a command: helm's `koine` is the name of a release. */
const COMMAND = /(?<=(?:^|[|&(;]) *(?:\w+=\S+ )*)(?:npm run koine --|koine) ([a-z][\w-]*)([^|#;&)]*)/gm;

const findWrongCommands = (page: Page): readonly string[] =>
  readCode(page).flatMap((code) =>
    [...code.matchAll(COMMAND)].flatMap(([, name = '', rest = '']) => {
      const usage = usages.get(name);
      if (usage === undefined) return [`${page.path}: koine ${name}`];
      return [...rest.matchAll(/(?<!\S)--[a-z][\w-]*/g)]
        .filter(([option]) => ![...usage, '--config', '--help'].includes(option))
        .map(([option]) => `${page.path}: koine ${name} ${option}`);
    }),
  );

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}
const schema = JSON.parse(readFileSync(join(root, 'gateway.schema.json'), 'utf8')) as Schema;

const isSetting = ({ properties, anyOf = [] }: Schema, path: readonly string[]): boolean => {
  const [name = '', ...rest] = path;
  const found = properties?.[name];
  if (path.length === 0 || anyOf.some((branch) => isSetting(branch, path))) return true;
  return found !== undefined && isSetting(found, rest);
};

const findWrongSettings = (page: Page): readonly string[] =>
  readCode(page).flatMap((code) => {
    const [, setting] = /^((?:server|admin|store|stream|accessLog)(?:\.[A-Za-z]+)+)(?::.*)?$/.exec(code) ?? [];
    return setting === undefined || isSetting(schema, setting.split('.')) ? [] : [`${page.path}: ${setting}`];
  });

describe('names in the pages', () => {
  const wrong = readPage(
    'page.md',
    '`koine check --audit --fix`, `A=1 koine chek`, `helm koine up`, `server.port`, `server.drain.delay: 5s`, `server.prot`\n',
  );

  it('every command of koine in a page exists, with its options', () => {
    expect(findWrongCommands(wrong)).to.deep.equal(['page.md: koine check --fix', 'page.md: koine chek']);
    expect(present.flatMap(findWrongCommands)).to.deep.equal([]);
  });

  it('README.md and the quickstart set KOINE_KEY before a command uses it', () => {
    for (const path of ['README.md', 'docs/start/quickstart.md']) {
      const { text = '' } = present.find((page) => page.path === path) ?? {};
      const used = text.indexOf('$KOINE_KEY');
      expect(used, path).to.be.greaterThan(0);
      expect(text.slice(0, used), path).to.match(/`export KOINE_KEY=koine_\.\.\.`/);
    }
  });

  it('every setting of the gateway in a page exists', () => {
    expect(findWrongSettings(wrong)).to.deep.equal(['page.md: server.prot']);
    expect(documents.flatMap(findWrongSettings)).to.deep.equal([]);
  });
});
