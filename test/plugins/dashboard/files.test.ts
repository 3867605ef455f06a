import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { loadFiles, loadPage, ownFiles, styles } from '../../../plugins/dashboard/files.ts';

const page = new URL('../../../plugins/dashboard/page/', import.meta.url);

describe('the files of the dashboard', () => {
  it('are all that its folder has, and the packages that it names', async () => {
    expect([...ownFiles, ...styles, 'index.html', 'tsconfig.json'].toSorted()).to.deep.equal(
      readdirSync(page).toSorted(),
    );
    const files = await loadFiles();
    const body = String((await loadPage()).body);
    const named = [...body.matchAll(/"\/dashboard\/([^"]+)"/g)].map(([, name]) => name);
    expect(named.filter((name) => !files.has(String(name)))).to.deep.equal([]);
    const imported = [...files.values()].flatMap((file) =>
      [...String(file.body).matchAll(/^import .* from '\.\/([^']+)';$/gm)].map(([, name]) => String(name)),
    );
    expect(imported.filter((name) => !files.has(name))).to.deep.equal([]);
  });

  it('say what they are', async () => {
    const files = await loadFiles();
    expect(files.get('app.js')?.headers).to.deep.equal({ 'content-type': 'text/javascript; charset=utf-8' });
    expect(files.get('uplot.css')?.headers).to.deep.equal({ 'content-type': 'text/css; charset=utf-8' });
  });

  it('are all that may run: of the page itself the import map alone', async () => {
    const { headers, body } = await loadPage();
    const inline = [...String(body).matchAll(/<script(?![^>]*src)[^>]*>([^<]*)<\/script>/g)].map(
      ([, text]) => text ?? '',
    );
    expect(inline).to.have.length(1);
    const policy = headers?.['content-security-policy'] ?? '';
    expect(policy)
      .to.include(`script-src 'self' 'sha256-${hash('sha256', inline[0] ?? '', 'base64')}';`)
      .and.include("default-src 'none'")
      .and.include("frame-ancestors 'none'");
    expect(policy).to.not.match(/unsafe|https?:|\*/);
    expect(String(body)).to.not.match(/\son\w+=|style=|https?:/);
  });
});
