import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { expect } from 'chai';
import { omitUndefined } from '../../core/api/codec.ts';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** Skips the tests without Chromium, except in CI, where that is an error. Call it in a `before` hook. */
export const requireBrowser = (context: Mocha.Context): void => {
  if (executable !== undefined) return;
  if (process.env['CI'] === 'true') throw new Error('Chromium is missing: install it (apt-get install chromium).');
  context.skip();
};

export const startBrowser = (): Promise<Browser> =>
  chromium.launch(
    omitUndefined({
      executablePath: executable,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    }),
  );

/** A browser window that records every fault. */
export interface Window {
  readonly page: Page;
  /** Console errors, uncaught errors, violations of the policy, requests to other hosts. */
  readonly faults: string[];
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;

/** Resolves when the layout of another size or colour scheme is drawn: charts are drawn again in the next frame. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))');

/** @param url of the only host that the page may call */
export const openWindow = async (
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Window> => {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const faults: string[] = [];
  page.on('console', (message) => {
    const { url: of } = message.location();
    const path = URL.canParse(of) ? ` ${new URL(of).pathname}` : '';
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}${path}`);
  });
  page.on('pageerror', (error) => void faults.push(`uncaught: ${String(error)}`));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== 'data:' && host !== new URL(url).host) faults.push(`request to ${host}`);
  });
  return { page, faults, close: () => context.close() };
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const accessibilityRules = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  /** What another colour scheme of the same page can violate. */
  colors: ['color-contrast', 'link-in-text-block'],
};

/** Expects no violation of accessibility rules. */
export const expectAccessible = async (page: Page, rules: keyof typeof accessibilityRules = 'all'): Promise<void> => {
  // It is half a megabyte, and stays until the page is loaded again.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  const { violations } = (await page.evaluate(
    `axe.run({ resultTypes: ['violations'], runOnly: ${JSON.stringify(accessibilityRules[rules])} })`,
  )) as AxeResults;
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join('; ')}`,
    ),
  ).to.deep.equal([]);
};

const output = fileURLToPath(new URL('../output/', import.meta.url));
/** With KOINE_SCREENSHOTS, saves one for reviewers to test/output, which is not in the repository. */
export const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  if (process.env['KOINE_SCREENSHOTS'] === undefined) return;
  mkdirSync(output, { recursive: true });
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: `${output}${name}.png`, fullPage: true });
};
