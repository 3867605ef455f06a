import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slugify } from '../../tools/site/pages.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block, or a comment `<!-- run … -->`: commands that readers do not need to see. */
export interface Block {
  readonly line: number;
  readonly language: string;
  /** What follows the language: test/docs/README.md describes these marks. */
  readonly marks: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Page {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Targets of links, as written. */
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

/** Tracked and new files, without ignored ones. */
export const listFiles = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', ...patterns], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
    .trim()
    .split('\n');

const FENCE = /^( *)(`{3,})([^`\n]*)\n(?:([^]*?)\n)?\1\2 *$/gm;
const HIDDEN = /^<!-- run\n([^]*?)\n-->$/gm;

const readMarks = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?/g)].map(([, name = '', quoted, bare]) => [
      name,
      quoted ?? bare ?? '',
    ]),
  );

/** `<!-- test=PATH -->`: the marks of all blocks of the page that have none. */
const readDefaultMarks = (text: string): Record<string, string> =>
  readMarks(/^<!-- (test=\S+|untested="[^"]*") -->$/m.exec(text)?.[1] ?? '');

const removeIndent = (text: string, indent: string): string =>
  text.replaceAll(new RegExp(`^ {0,${indent.length}}`, 'gm'), '');

const readBlocks = (text: string): readonly Block[] => {
  const defaults = readDefaultMarks(text);
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length;
  const fenced = [...text.matchAll(FENCE)].map(({ index, 1: indent = '', 3: info = '', 4: body = '' }) => {
    const [, language = '', rest = ''] = /^\s*(\S*)(.*)$/.exec(info) ?? [];
    const marks = rest.trim() === '' ? defaults : readMarks(rest);
    return { line: lineAt(index), language, marks, text: removeIndent(body, indent) };
  });
  const hidden = [...text.matchAll(HIDDEN)].map(({ index, 1: body = '' }) => ({
    line: lineAt(index),
    language: 'sh',
    marks: { run: '' },
    text: body,
  }));
  return [...fenced, ...hidden].sort((a, b) => a.line - b.line);
};

/** The anchors of headings, as GitHub forms them. */
const readAnchors = (prose: string): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  const anchors = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = slugify(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set([...anchors, ...[...prose.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id)]);
};

export const readPage = (path: string, text = readFileSync(join(root, path), 'utf8')): Page => {
  const prose = text.replaceAll(FENCE, '').replaceAll(/<!--[^]*?-->/g, '');
  const links = [...prose.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\(\s*([^)\s]+)\s*\)|^\[[^\]]+\]:\s*(\S+)/gm)];
  return {
    path,
    text,
    blocks: readBlocks(text),
    links: links.map(([, inline, reference]) => inline ?? reference ?? ''),
    anchors: readAnchors(prose),
  };
};

export const pages: readonly Page[] = listFiles('*.md').map((path) => readPage(path));

/** README.md has no marks, so that its source stays short. */
const markAsRun = (block: Block): Block => (block.language === 'sh' ? { ...block, marks: { run: '' } } : block);

/** The pages whose blocks are run or checked. */
export const documents: readonly Page[] = pages
  .filter(({ path }) => /^(?:docs\/|deploy\/|README\.md$)/.test(path))
  .map((page) => (page.path === 'README.md' ? { ...page, blocks: page.blocks.map(markAsRun) } : page));
