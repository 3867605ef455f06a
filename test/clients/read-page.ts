import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/release/lockfile.ts';

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The file that a line above the block names, such as `~/.codex/config.toml`. */
  readonly file: string | undefined;
}

/** A client on a page. */
export interface Section {
  /** The headings: `Python: OpenAI`. */
  readonly title: string;
  /** The wires that the page states. */
  readonly wires: readonly string[];
  /** The hosts that the client contacts beside the gateway, as the page states. */
  readonly hosts: readonly string[];
  readonly blocks: readonly Block[];
}

const BLOCK = /(?:^`([^`]+)`[^`\n]*:\n+)?^```(\w+)\n(.*?)^```$/gms;

const readNames = (text: string, line: RegExp): readonly string[] =>
  [...(line.exec(text)?.[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const readSection = (chapter: string, text: string): Section => ({
  title: `${chapter}: ${text.slice(0, text.indexOf('\n'))}`,
  wires: readNames(text, /^Wires? `[^.;]+/m),
  hosts: readNames(text, /^Other hosts: `[^.;]+(?:\.[a-z][^.;]*)*/m),
  blocks: [...text.matchAll(BLOCK)].map(([, file, language = '', code = '']) => ({ language, text: code, file })),
});

/** The sections (`###`) of a page that have blocks of code. */
export function readPage(path: string): readonly Section[] {
  const [, ...chapters] = readFileSync(join(root, path), 'utf8').split(/^## /m);
  return chapters
    .flatMap((chapter) => {
      const [head = '', ...sections] = chapter.split(/^### /m);
      return sections.map((section) => readSection(head.slice(0, head.indexOf('\n')), section));
    })
    .filter(({ blocks }) => blocks.length > 0);
}

/** The settings of the gateway that a page requires: its first block of YAML. */
export const readSettings = (path: string): string =>
  /^```yaml\n(.*?)^```$/ms.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? '';
