import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { addressOf, listPages, readSections, root } from '../../tools/site/pages.ts';
import { expectAccessible, openWindow, requireBrowser, saveScreenshot, startBrowser } from '../dashboard/browser.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** The site of one version is in a folder of its own. */
const BASE = '/0.1/';
/** Another version, beside it. */
const OTHER = '/0.0/';
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Serves a folder as a plain file server does. */
const startFileServer = (folder: string): Promise<Server> => {
  const server = createServer(({ url = '' }, response) => {
    const path = new URL(url, 'http://localhost').pathname.replace(BASE, '');
    const file = join(folder, path === '' || path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
};

interface HtmlPage {
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
}
const readHtml = (html: string): HtmlPage => ({
  ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
  links: [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')),
});

/** The links between pages that lead nowhere. */
const findDeadLinks = (folder: string): readonly string[] => {
  const files = globSync('**/*.html', { cwd: folder });
  const read = new Map(files.map((file) => [file, readHtml(readFileSync(join(folder, file), 'utf8'))]));
  return [...read].flatMap(([file, { links }]) =>
    links
      .filter((link) => !/^(?:https?|mailto):/.test(link) && !link.endsWith(OTHER))
      .filter((link) => {
        const { pathname, hash } = new URL(link, `http://localhost${BASE}${file}`);
        const path = pathname.replace(BASE, '').replace(/(^|\/)$/, '$1index.html');
        const target = read.get(decodeURI(path));
        if (target === undefined) return !existsSync(join(folder, path));
        return hash !== '' && !target.ids.has(decodeURIComponent(hash.slice(1)));
      })
      .map((link) => `${file}: ${link}`),
  );
};

describe('the site of the documentation', () => {
  const folder = createTemporaryFolder();
  let browser: Browser;
  let server: Server;
  let url: string;
  before(async function () {
    this.timeout(600_000);
    requireBrowser(this);
    execFileSync(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build', 'tools/site'], {
      cwd: root,
      env: { ...process.env, KOINE_SITE_BASE: BASE, KOINE_SITE_VERSIONS: '0.0', KOINE_SITE_OUT: folder.path },
      stdio: 'pipe',
    });
    [browser, server] = await Promise.all([startBrowser(), startFileServer(folder.path)]);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await browser.close();
    server.close();
    folder.remove();
  });

  /** Expects no error, no call of another host and no violation of accessibility rules. */
  const visit = async (page: string, width: number, look: (opened: Page) => Promise<void>): Promise<void> => {
    const window = await openWindow(browser, url, { viewport: { width, height: 900 } });
    await window.page.goto(`${BASE}${page}`, { waitUntil: 'networkidle' });
    await look(window.page);
    expect(window.faults).to.deep.equal([]);
    await window.close();
  };

  it('has a page for each page of Markdown, and that page as Markdown', () => {
    const addresses = [...listPages()].map((page) => [page, addressOf(page).replace(/(^|\/)$/, '$1index')] as const);
    expect(addresses.length).to.be.greaterThan(150);
    expect(addresses.filter(([, address]) => !existsSync(join(folder.path, `${address}.html`)))).to.deep.equal([]);
    for (const page of ['llms.txt', 'README.md', 'docs/start/quickstart.md'])
      expect(readFileSync(join(folder.path, page), 'utf8'), page).to.equal(readFileSync(join(root, page), 'utf8'));
  });

  it('has no link that leads nowhere', () => {
    expect(findDeadLinks(folder.path)).to.deep.equal([]);
  });

  for (const width of [390, 820, 1440])
    it(`is accessible at ${width} pixels, and no page is wider than the window`, async () => {
      for (const page of [
        '',
        'docs/start/quickstart.html',
        'docs/operate/configuration.html',
        'docs/reference/errors.html',
      ])
        await visit(page, width, async (opened) => {
          await saveScreenshot(opened, `site-${page.replaceAll('/', '-')}-${width}`);
          expect(await opened.evaluate('document.documentElement.scrollWidth - innerWidth'), page).to.be.at.most(0);
          await expectAccessible(opened);
        });
    });

  it('lists the documentation by reader', async () => {
    await visit('docs/start/quickstart.html', 1440, async (opened) => {
      const shown = await opened.locator('.VPSidebar .group h2').allTextContents();
      expect(shown.map((title) => title.trim())).to.deep.equal(readSections().map(({ title }) => title));
    });
  });

  it('has a menu of the versions beside this one', async () => {
    await visit('docs/start/quickstart.html', 1440, async (opened) => {
      await opened.locator('.VPNavBarMenu button', { hasText: '0.1.0' }).hover();
      const other = opened.locator('.VPNavBarMenu a', { hasText: /^0\.0$/ });
      await opened.route(`**${OTHER}`, (route) => route.fulfill({ body: 'the other version' }));
      await other.click();
      await opened.getByText('the other version').waitFor();
      expect(new URL(opened.url()).pathname).to.equal(OTHER);
    });
  });

  it('finds a page by a word of its text', async () => {
    await visit('', 1440, async (opened) => {
      await opened.locator('#local-search button').click();
      await opened.locator('.search-input').fill('prompt cache marks');
      await opened.locator('.results .result').first().click();
      await opened.waitForURL((found) => found.pathname.startsWith(`${BASE}docs/`) || found.hash !== '');
      expect(await opened.locator('main').innerText()).to.match(/cache/i);
    });
  });
});
