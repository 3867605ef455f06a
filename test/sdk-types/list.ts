import { readFileSync, writeFileSync } from 'node:fs';
import type { Treatment } from './treatment.ts';
import { listedWires, type ListedWire } from './wires.ts';

/** Names that the gateway treats in the same way, for the same reason. */
export interface Entry {
  readonly treatment: Treatment;
  readonly reason: string;
  readonly names: readonly string[];
}
/** The entries of one wire, by surface, and what is before the first one. */
export interface Page {
  readonly introduction: string;
  readonly sections: ReadonlyMap<string, readonly Entry[]>;
}

const ENTRY = /^- (named|passed on|left out): (\S[^]*?):\s+((?:`[^`]+`\s*)+)$/;

const parseEntry = (text: string): Entry => {
  const [, treatment, reason = '', names = ''] = ENTRY.exec(text) ?? [];
  if (treatment === undefined) throw new Error(`Not '- <treatment>: <reason>: \`<name>\`': ${text}`);
  return {
    treatment: treatment as Treatment,
    reason: reason.replaceAll(/\s+/g, ' '),
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  };
};

/** @throws Error for an entry without treatment, reason or names, and for a name that is listed twice */
export function parsePage(text: string): Page {
  const [introduction = '', ...parts] = text.split(/^## /m);
  const sections = parts.map((part): readonly [string, readonly Entry[]] => {
    const [title = '', ...lines] = part.split('\n');
    const entries = lines.join('\n').split(/^(?=- )/m);
    return [title, entries.filter((entry) => entry.trim() !== '').map((entry) => parseEntry(entry.trim()))];
  });
  for (const [title, entries] of sections) {
    const names = entries.flatMap((entry) => entry.names);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`'${twice}' is listed twice under '${title}'.`);
  }
  return { introduction, sections: new Map(sections) };
}

const WIDTH = 118;
const writeEntry = ({ treatment, reason, names }: Entry): string =>
  `- ${treatment}: ${reason}: ${names.map((name) => `\`${name}\``).join(' ')}`
    .split(' ')
    .reduce<readonly string[]>((lines, word) => {
      const line = lines.at(-1);
      if (line === undefined) return [word];
      const joined = `${line} ${word}`;
      return joined.length <= WIDTH ? [...lines.slice(0, -1), joined] : [...lines, `  ${word}`];
    }, [])
    .join('\n');

export const writePage = ({ introduction, sections }: Page): string =>
  introduction +
  [...sections]
    .filter(([, entries]) => entries.length > 0)
    .map(([title, entries]) => `## ${title}\n\n${entries.map(writeEntry).join('\n')}\n`)
    .join('\n');

const fileOf = (wire: ListedWire): URL => new URL(`lists/${wire}.md`, import.meta.url);
export const readPages = (): ReadonlyMap<ListedWire, Page> =>
  new Map(listedWires.map((wire) => [wire, parsePage(readFileSync(fileOf(wire), 'utf8'))]));
export const savePage = (wire: ListedWire, page: Page): void => writeFileSync(fileOf(wire), writePage(page));

/** What is wrong with entries: names of the SDK that they lack, and names that are treated in another way. */
export function compare(found: ReadonlyMap<string, Treatment>, entries: readonly Entry[]): readonly string[] {
  const listed = new Map(entries.flatMap(({ treatment, names }) => names.map((name) => [name, treatment])));
  const unlisted = [...found]
    .filter(([path, treatment]) => treatment !== 'known' && !listed.has(path))
    .map(([path, treatment]) => `${path}: the SDK declares it, and the gateway does not know it (${treatment})`);
  const untrue = [...listed].flatMap(([path, treatment]) => {
    const is = found.get(path);
    if (is === treatment) return [];
    if (is === undefined) return [`${path}: the SDK does not declare it, or it is inside something on the list`];
    return [`${path}: listed as '${treatment}', and it is ${is === 'known' ? 'known' : `'${is}'`}`];
  });
  return [...unlisted, ...untrue];
}

/** The entries without names that are known or gone. A name that is treated in another way keeps its reason. */
export const correct = (found: ReadonlyMap<string, Treatment>, entries: readonly Entry[]): readonly Entry[] =>
  entries.flatMap(({ reason, names }) =>
    (['named', 'passed on', 'left out'] as const)
      .map((treatment) => ({ treatment, reason, names: names.filter((name) => found.get(name) === treatment) }))
      .filter((entry) => entry.names.length > 0),
  );
