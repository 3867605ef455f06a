import { hash } from 'node:crypto';
import { globSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadFiles, loadPage } from '../../../plugins/dashboard/files.ts';

const page = fileURLToPath(new URL('../../../plugins/dashboard/page/', import.meta.url));

describe('the served files of the dashboard', () => {
  it('serves every file of the page, and the packages that the page imports', async () => {
    const files = await loadFiles();
    const ofPage = globSync('**/*.{js,css}', { cwd: page });
    expect(ofPage).to.include('app.js');
    expect([...files.keys()])
      .to.include.members(ofPage)
      .and.not.include.members(['index.html', 'tsconfig.json']);
    const body = String((await loadPage()).body);
    const named = [...body.matchAll(/"\/dashboard\/([^"]+)"/g)].map(([, name]) => name);
    expect(named.filter((name) => !files.has(String(name)))).to.deep.equal([]);
    const imported = [...files].flatMap(([name, file]) =>
      [...String(file.body).matchAll(/^import .* from '(\.[^']+)';$/gm)].map(([, path = '']) =>
        posix.join(posix.dirname(name), path),
      ),
    );
    expect(imported).to.include('data/api.js');
    expect(imported.filter((name) => !files.has(name))).to.deep.equal([]);
  });

  it('the dashboard serves files with their content type', async () => {
    const files = await loadFiles();
    expect(files.get('app.js')?.headers).to.deep.equal({ 'content-type': 'text/javascript; charset=utf-8' });
    expect(files.get('uplot.css')?.headers).to.deep.equal({ 'content-type': 'text/css; charset=utf-8' });
  });

  it('allows no script but the served files and the import map', async () => {
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
