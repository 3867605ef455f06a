import { expect } from 'chai';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { findProblems } from '../../core/cli/check/find-problems.ts';
import { formatProblem } from '../../core/config/problem.ts';
import { builtIns } from '../support/gateway.ts';
import { createAuthority } from '../support/certificates.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { documents, pages, type Block } from './pages.ts';

type Settings = Readonly<Record<string, unknown>>;

const base = parse(readFileSync(new URL('gateway.yaml', import.meta.url), 'utf8')) as Settings & {
  readonly plugins: readonly { readonly use: string }[];
};

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const configured = [...documents, ...pages.filter(({ path }) => /^(?:plugins|providers|examples|core)\//.test(path))];

/**
 * Settings of the excerpt replace those of the base, entry by entry; plugins of the base follow those it names. The
 * ledger is started only where it is named: it takes longer than all of the others.
 */
const mergeIntoBase = (excerpt: Settings): Settings => {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(excerpt))
    merged[name] = isObject(value) && isObject(base[name]) ? { ...base[name], ...value } : value;
  const named = (excerpt['plugins'] ?? []) as readonly { readonly use: string }[];
  const others = base.plugins.filter(({ use }) => use !== 'ledger' && !named.some((plugin) => plugin.use === use));
  return { ...merged, plugins: [...named, ...others] };
};

const readWhole = ({ marks, text }: Block): string => {
  if (marks['file'] !== undefined) return text;
  const excerpt: unknown = parse(text);
  return stringify(mergeIntoBase(Array.isArray(excerpt) ? { limits: excerpt } : (excerpt as Settings)));
};

const STUB = `import { definePlugin } from 'koine-gateway';
export default definePlugin({ kind: 'plugin', apiVersion: 1, name: 'mine', schema: { type: 'object' }, create: () => ({}) });
`;

/** A secret of any form, or of 32 bytes in base64. */
const valueOf = (name: string): string =>
  name === 'PROMPT_LOG_KEY' ? Buffer.alloc(32, 1).toString('base64') : `${name}-0123456789-abcdef-0123456789-ghijkl`;

/** Writes the certificates of a listener that the text names. */
const writeCertificates = (folder: string, text: string): void => {
  for (const [, cert = '', key = ''] of text.matchAll(/cert: (\.\/\S+)\s+key: (\.\/\S+)/g)) {
    const issued = createAuthority(folder).issue('localhost');
    for (const path of [cert, key]) mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, cert), issued.cert);
    writeFileSync(join(folder, key), issued.key);
  }
};

/**
 * Errors of the excerpt as `koine check` prints them. Variables are set, and extensions and certificates of the reader
 * exist.
 */
const findErrors = async (block: Block): Promise<readonly string[]> => {
  const folder = createTemporaryFolder();
  try {
    const text = readWhole(block);
    const file = join(folder.path, 'gateway.yaml');
    writeFileSync(file, text);
    for (const [, path = ''] of text.matchAll(/use: (\.\/\S+\.ts)/g)) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true });
      if (!existsSync(join(folder.path, path))) writeFileSync(join(folder.path, path), STUB);
    }
    writeCertificates(folder.path, text);
    const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
    const env = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
    const { problems } = await findProblems({ file, audit: false, builtIns, env });
    return problems.filter(({ severity }) => severity === 'error').map(formatProblem);
  } catch (error) {
    return [String(error)];
  } finally {
    folder.remove();
  }
};

describe('configurations in the pages', () => {
  it('the check of configurations reports an unknown setting in an excerpt, and what a whole file lacks', async () => {
    const block = { line: 1, language: 'yaml', marks: {}, text: 'server: { prot: 1 }' };
    expect(await findErrors({ ...block, text: 'server: { port: 1 }' })).to.deep.equal([]);
    expect((await findErrors(block)).join('\n')).to.include('unknown-key');
    expect(
      (await findErrors({ ...block, marks: { file: 'gateway.yaml' }, text: 'plugins: [{ use: no }]' })).length,
    ).to.be.greaterThan(0);
  });

  for (const { path, blocks } of configured)
    for (const block of blocks.filter(({ language, marks: { file, test, untested } }) => {
      const isExcerpt = (file ?? test ?? untested) === undefined;
      return language === 'yaml' && (isExcerpt || file?.endsWith('gateway.yaml') === true);
    }))
      it(`the configuration at ${path}:${block.line} passes koine check`, async () => {
        expect(await findErrors(block)).to.deep.equal([]);
      });
});
