import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Pages of the site, relative to the root of the repository: every Markdown file but those of tests. */
export const listPages = (): ReadonlySet<string> =>
  new Set(globSync('**/*.md', { cwd: root, exclude: ['**/node_modules/**', '.*/**', 'test/**', '**/dist/**'] }));

/** The address of a page, without the base: `docs/start/quickstart`, and `docs/` for a README. */
export const addressOf = (page: string): string => page.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '');

/** The anchor of a heading, as GitHub forms it: links to it work in the repository and on the site. */
export const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/** A section of `llms.txt`, which lists the documentation by reader. */
export interface Section {
  readonly title: string;
  readonly entries: readonly { readonly title: string; readonly page: string }[];
}

/** The sections of `llms.txt`. */
export function readSections(): readonly Section[] {
  const [, ...parts] = readFileSync(`${root}llms.txt`, 'utf8').split(/^## /m);
  return parts.map((part) => ({
    title: part.slice(0, part.indexOf('\n')),
    entries: [...part.matchAll(/^- \[([^\]]+)\]\(([^)]+\.md)\)/gm)].map(([, title = '', page = '']) => ({
      title,
      page,
    })),
  }));
}

/** What a link in a page of the site leads to. */
export type LinkTarget =
  | { readonly kind: 'page'; readonly address: string }
  | { readonly kind: 'image' | 'elsewhere' }
  /** A source file: the site does not contain it. */
  | { readonly kind: 'source'; readonly file: string };

/** @param page that contains the link */
export function resolveLink(pages: ReadonlySet<string>, page: string, href: string): LinkTarget {
  const [path = '', anchor] = href.split('#');
  if (path === '' || /^[a-z]+:|^\/\//.test(href)) return { kind: 'elsewhere' };
  const file = posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '');
  const found = [file, posix.join(file, 'README.md')].find((name) => pages.has(name));
  if (found !== undefined)
    return { kind: 'page', address: `/${addressOf(found)}${anchor === undefined ? '' : `#${anchor}`}` };
  return /\.(png|svg)$/.test(file) ? { kind: 'image' } : { kind: 'source', file };
}
