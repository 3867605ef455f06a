import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { listFiles, pages, readPage, root, type Page } from './pages.ts';

const byPath = new Map(pages.map((page) => [page.path, page]));
const inDocs = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');

const resolve = (from: string, link: string): string => normalize(join(dirname(from), decodeURI(link.split('#')[0]!)));

/** A link to a file or a heading that does not exist. Addresses of other sites are not checked. */
const isBroken = (from: Page, link: string): boolean => {
  if (/^[a-z]+:/.test(link)) return false;
  const [file, anchor] = link.split('#');
  const path = resolve(from.path, link);
  if (file !== '' && !existsSync(join(root, path))) return true;
  const target = file === '' ? from : byPath.get(path);
  return anchor !== undefined && target !== undefined && !target.anchors.has(anchor);
};

describe('links', () => {
  it('the check of links recognises missing files and missing headings, in code too', () => {
    const text =
      '# A `b`, c\n## A b c\n[1](no.md) [2](README.md) [3](#a-b-c) [4](#a-b-c-1) [5](#d) `[6](no.md)`\n[7]: no.md';
    const page = readPage('test.md', `${text}\n\`\`\`sh\n# d\n[8](no.md)\n\`\`\`\n`);
    expect(page.links.filter((link) => isBroken(page, link))).to.deep.equal(['no.md', '#d', 'no.md']);
    expect([...page.anchors]).to.deep.equal(['a-b-c', 'a-b-c-1']);
  });

  it('every relative link and anchor in every page resolves', () => {
    const broken = pages.flatMap((page) =>
      page.links.filter((link) => isBroken(page, link)).map((link) => `${page.path}: ${link}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it('every page and heading of docs/ that sources, settings and alerts name exists', () => {
    const mentioned = listFiles('*.ts', '*.js', '*.yaml', '*.yml', '*.json', '*.sh').flatMap((path) =>
      Array.from(
        readFileSync(join(root, path), 'utf8').matchAll(/(?<![\w/])docs\/[\w/-]+\.md(?:#[\w-]+)?/g),
        ([link]) => [path, link] as const,
      ),
    );
    const start = readPage('README.md');
    const broken = mentioned.filter(([, link]) => isBroken(start, link)).map(([path, link]) => `${path}: ${link}`);
    expect(broken).to.deep.equal([]);
    expect(mentioned.length).to.be.greaterThan(50);
  });
});

describe('the lists of pages', () => {
  for (const list of ['docs/README.md', 'llms.txt'])
    it(`${list} has a link to every page of docs/`, () => {
      const { links } = readPage(list);
      const linked = new Set(links.map((link) => resolve(list, link)));
      expect(inDocs.filter((path) => !linked.has(path))).to.deep.equal([]);
    });

  it('llms.txt has the form of llmstxt.org: a title, a summary, and sections of links with a description', () => {
    const page = readPage('llms.txt');
    expect(page.text).to.match(/^# Koine\n\n> \S/);
    const [, ...sections] = page.text.split(/^## .+\n\n/m);
    expect(sections.length).to.be.greaterThan(3);
    for (const line of sections.flatMap((section) => section.trim().split('\n')))
      expect(line).to.match(/^- \[[^\]]+\]\([^)]+\): \S.*$/);
    expect(page.links.filter((link) => isBroken(page, link))).to.deep.equal([]);
  });
});
