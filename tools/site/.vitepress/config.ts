import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import { addressOf, listPages, readSections, resolveLink, root, slugify } from '../pages.ts';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const { version, description } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Record<string, string>;
const pages = listPages();
/** The path under which the site is served: a version can be beside others. */
const base = process.env['KOINE_SITE_BASE'] ?? '/';
/** The versions that are beside this one, as `0.2 0.1`. */
const versions = (process.env['KOINE_SITE_VERSIONS'] ?? '').split(' ').filter((name) => name !== '');
/** Where source files can be read, as `https://git.example/koine/blob/main/`. Without it, links to them are text. */
const source = process.env['KOINE_SITE_SOURCE'];

/** Links to pages get their addresses, and links to files that the site does not contain lead to the repository. */
const rewriteLinks = (markdown: Markdown): void => {
  markdown.core.ruler.push('koine-links', ({ tokens, env }) => {
    const { relativePath } = env as { readonly relativePath: string };
    const page = relativePath.replace(/(^|\/)index\.md$/, '$1README.md');
    for (const { children } of tokens) {
      let isText = false;
      for (const token of children ?? []) {
        if (token.type === 'link_close' && isText) [token.type, token.tag, isText] = ['text', '', false];
        if (token.type !== 'link_open') continue;
        const target = resolveLink(pages, page, token.attrGet('href') ?? '');
        if (target.kind === 'page') token.attrSet('href', target.address);
        if (target.kind !== 'source') continue;
        if (source !== undefined) token.attrSet('href', source + target.file);
        else [token.type, token.tag, token.content, isText] = ['text', '', '', true];
      }
    }
  });
};

/** The empty cell above the names of rows is no heading. */
const unmarkEmptyHeadings = (markdown: Markdown): void => {
  markdown.core.ruler.push('koine-tables', ({ tokens }) => {
    for (const [at, token] of tokens.entries())
      if (token.type === 'th_open' && tokens[at + 1]?.content === '')
        for (const cell of [token, tokens[at + 2]]) if (cell !== undefined) cell.tag = 'td';
  });
};

/** Each page is beside its HTML as Markdown, for programs that read it. */
const copyMarkdown = (folder: string): void => {
  for (const page of [...pages, 'llms.txt']) {
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    copyFileSync(join(root, page), join(folder, page));
  }
};

export default defineConfig({
  title: 'Koine',
  description: description ?? '',
  lang: 'en',
  // Without an icon, browsers request one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  base,
  srcDir: '../..',
  srcExclude: ['**/node_modules/**', 'test/**', 'dist/**'],
  outDir: process.env['KOINE_SITE_OUT'] ?? 'dist',
  cleanUrls: false,
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, '$1index.md'),
  markdown: {
    config: (markdown) => void [rewriteLinks, unmarkEmptyHeadings].forEach((rule) => rule(markdown)),
    anchor: { slugify },
    // The default ones have too little contrast on the background of the theme.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Quickstart', link: '/docs/start/quickstart' },
      { text: 'Changelog', link: '/CHANGELOG' },
      {
        text: version ?? '',
        items: [
          { text: 'Upgrade', link: '/docs/operate/upgrade' },
          // Another site: the router of this one has none of its pages.
          ...versions.map((name) => ({ text: name, link: `/../${name}/`, target: '_self' })),
        ],
      },
    ],
    sidebar: readSections().map(({ title, entries }) => ({
      text: title,
      items: entries.map((entry) => ({ text: entry.title, link: `/${addressOf(entry.page)}` })),
    })),
  },
  buildEnd: ({ outDir }) => copyMarkdown(outDir),
});
