import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { drawn, openWindow, startBrowser, type Window } from './browser.ts';
import { inventHistory, makeTraffic, startDashboard, TOKEN, type DashboardScene } from './scene.ts';

/** A gateway with traffic of every kind, and a browser that has signed in. */
export interface OpenDashboard {
  readonly browser: Browser;
  readonly scene: DashboardScene;
  readonly window: Window;
  readonly page: Page;
  /** Calls the admin API with the token. */
  call<T>(path: string, options?: { readonly method?: string; readonly body?: unknown }): Promise<T>;
  close(): Promise<void>;
}

export const signIn = async (page: Page): Promise<void> => {
  await page.getByLabel('Admin token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
};

/** @param shared a browser that stays open. Default: one of its own */
export const openDashboard = async (
  settings: Readonly<Record<string, unknown>> = {},
  shared?: Browser,
): Promise<OpenDashboard> => {
  const browser = shared ?? (await startBrowser());
  const scene = await startDashboard({ admin: { port: 0, token: TOKEN }, ...settings });
  await makeTraffic(scene);
  inventHistory(scene);
  const window = await openWindow(browser, scene.url);
  await window.page.goto('/');
  await signIn(window.page);
  return {
    browser,
    scene,
    window,
    page: window.page,
    call: async <T>(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}): Promise<T> => {
      const response = await fetch(scene.url + path, {
        method,
        headers: { 'authorization': `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.status, path).to.be.lessThan(300);
      return (await response.json()) as T;
    },
    close: async () => {
      await (shared === undefined ? browser : window).close();
      await scene.gateway.stop();
    },
  };
};

/** Opens a page by its address, as a shared link does, and waits for its data. */
export const show = async (page: Page, address: string): Promise<void> => {
  await page.goto(`/#/${address}`);
  // After another fragment, goto returns while the former page is still shown.
  await drawn(page);
  await page.locator('main h1').waitFor();
  await page.locator('main section[aria-busy=true]').first().waitFor({ state: 'detached' });
};

/** Every part of the page reads its data, which it does on its own every few seconds. */
export const readAgain = (page: Page): Promise<unknown> =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

/** The text of the cells of a table body, by row. */
export const readRows = async (page: Page, caption: string): Promise<readonly (readonly string[])[]> => {
  const rows = await page.getByRole('table', { name: caption, exact: true }).locator('tbody tr').all();
  return Promise.all(rows.map(async (row) => (await row.locator('> *').allInnerTexts()).map((text) => text.trim())));
};

/** The figure with this name. */
export const figure = (page: Page, section: string, name: string): Locator =>
  page.locator(`#${section} .tile`, { has: page.getByText(name, { exact: true }) }).locator('.figure');

/** Waits until the figure has this value. */
export const expectFigure = (page: Page, section: string, name: string, value: string): Promise<void> =>
  figure(page, section, name).getByText(value, { exact: true }).waitFor();
