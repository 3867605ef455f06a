import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { damage } from '../damage.ts';
import { collectDonors, mutate } from '../mutate.ts';
import type { Random } from '../random.ts';

/** The other gateways, with the ends of the names of their configurations. */
export const importerNames = ['litellm', 'portkey', 'bifrost'] as const;
export type ImporterName = (typeof importerNames)[number];

/** The configurations of the importer tests, parsed. */
const sources: Readonly<Record<ImporterName, readonly unknown[]>> = (() => {
  const read = (name: ImporterName): readonly unknown[] => {
    const folder = fileURLToPath(new URL(`../../../test/fixtures/${name}/`, import.meta.url));
    return globSync('*.{yaml,json}', { cwd: folder })
      .filter((file) => !file.endsWith('.gateway.yaml') && ['.yaml', '.json'].includes(extname(file)))
      .toSorted()
      .map((file) => parse(readFileSync(join(folder, file), 'utf8'), { merge: true }) as unknown);
  };
  return { litellm: read('litellm'), portkey: read('portkey'), bifrost: read('bifrost') };
})();
const donors = collectDonors(Object.values(sources).flat());

/** Not a form of any vendor, so that it is recognised by its place alone. */
export const SECRET = 'fuzz-marker-of-a-secret-0123456789';
const SECRET_NAME = /^(?:api_?key|master_?key|password|secret|token|.*_(?:password|secret|token|api_key))$/i;

/** Replaces the texts under names of secrets. */
const markSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(markSecrets);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && SECRET_NAME.test(name) ? SECRET : markSecrets(inner),
    ]),
  );
};

const bombs: readonly (() => string)[] = [
  () =>
    ['a0: &a0 [x, x]', ...Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`)].join(
      '\n',
    ),
  () => `model_list: ${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  () => `model_list: ${'{a: '.repeat(3_000)}1${'}'.repeat(3_000)}`,
  () => `a: &a { b: *a }`,
  () => `model_list:\n${'  - model_name: x\n'.repeat(20_000)}`,
  () => `providers:\n${Array.from({ length: 5_000 }, (_, at) => `  p${at}: { keys: [] }`).join('\n')}`,
  () => `<<: &x { <<: *x }`,
  () => `"__proto__": { "polluted": true }\nconstructor: { prototype: { polluted: true } }`,
  () => `? [complex, key]\n: value\n? { a: 1 }\n: 2`,
  () => `%YAML 9.9\n---\na: 1\n---\nb: 2`,
  () => `a: !!binary |\n  AAAA\nb: !!js/function 'x'\nc: !<tag:evil> d`,
  () => `model_list: ${'9'.repeat(100_000)}`,
  () => `a: "${'\\u0000'.repeat(1_000)}"`,
  () => `${'# comment\n'.repeat(100_000)}a: 1`,
  () => '\u0000\u0001',
  () => '',
];

const MOST_BYTES = 1_000_000;

/** A configuration of the other gateway with random changes, as the bytes of a file. */
export function makeSource(name: ImporterName, random: Random): Buffer {
  if (random.chance(0.06)) return Buffer.from(random.pick(bombs)());
  const source = random.pick(sources[random.chance(0.97) ? name : random.pick(importerNames)]);
  const changed = markSecrets(random.chance(0.9) ? mutate(source, random, donors) : source);
  const text = JSON.stringify(changed) ?? 'null';
  // Values that JSON alone can write stay as they are.
  const isYaml = random.chance(0.5) && !/\\ud[89a-f]/i.test(text);
  const written = isYaml ? stringify(JSON.parse(text)) : text;
  // What is larger takes longer than a command may, and above 4 MB it is refused before it is read.
  const bytes = Buffer.from(written).subarray(0, MOST_BYTES);
  return random.chance(0.85) ? bytes : damage(bytes.toString(), random);
}
