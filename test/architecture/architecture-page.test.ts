import { expect } from 'chai';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawFolders } from './folder-graph.ts';
import { root, sourceFiles } from './source-files.ts';

const PAGE = join(root, 'ARCHITECTURE.md');
const DRAWING = /(?<=<!-- folders -->\n```mermaid\n).*?(?=\n```\n)/s;

describe('ARCHITECTURE.md', () => {
  it('the architecture page draws the folders of core as they import each other', () => {
    const drawing = drawFolders(sourceFiles);
    let page = readFileSync(PAGE, 'utf8');
    if (process.env['KOINE_WRITE_ARCHITECTURE'] === '1') {
      page = page.replace(DRAWING, drawing);
      writeFileSync(PAGE, page);
    }
    expect(DRAWING.exec(page)?.[0], 'stale: run `npm run docs:architecture`').to.equal(drawing);
  });

  it('the architecture page names files and folders that exist', () => {
    const names = [...readFileSync(PAGE, 'utf8').matchAll(/`((?:core|docs|plugins|providers|test)\/[\w./-]*)`/g)];
    const missing = names.map(([, name = '']) => name).filter((name) => !existsSync(join(root, name)));
    expect(names.length).to.be.greaterThan(20);
    expect(missing).to.deep.equal([]);
  });
});
