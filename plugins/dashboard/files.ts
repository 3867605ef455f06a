import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AdminReply } from '../../core/api/index.ts';

/** Every script that is served under /dashboard, by its path in `page/`. Files that are not listed are not served. */
export const scripts = [
  'app.js',
  'charts/chart.js',
  'charts/colors.js',
  'charts/legend.js',
  'components/badge.js',
  'components/expand-button.js',
  'components/header.js',
  'components/html.js',
  'components/section.js',
  'components/table.js',
  'components/tiles.js',
  'data/api.js',
  'data/format.js',
  'data/histogram.js',
  'data/metrics-text.js',
  'data/poll.js',
  'data/snapshots.js',
  'data/usage-report.js',
  'sections/circuits.js',
  'sections/configuration.js',
  'sections/exchange-row.js',
  'sections/exchanges.js',
  'sections/limits.js',
  'sections/measures.js',
  'sections/now.js',
  'sections/prompt-cache.js',
  'sections/providers.js',
  'sections/usage-chart.js',
  'sections/usage-controls.js',
  'sections/usage-table.js',
  'sections/usage.js',
] as const;
export const styles = ['style.css', 'components.css'];

/** Files of installed packages, by the names in the import map of the page. */
const packageFiles: Readonly<Record<string, string>> = {
  'preact.mjs': 'preact',
  'hooks.mjs': 'preact/hooks',
  'htm.mjs': 'htm',
  'uplot.mjs': 'uplot/dist/uPlot.esm.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
};

const typeOf = (name: string): string =>
  name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
const pageUrl = (name: string): URL => new URL(`page/${name}`, import.meta.url);

/** Reads all files. @returns the reply for each file, by its path under /dashboard */
export async function loadFiles(): Promise<ReadonlyMap<string, AdminReply>> {
  const sources = [
    ...[...scripts, ...styles].map((name) => [name, pageUrl(name)] as const),
    ...Object.entries(packageFiles).map(
      ([name, specifier]) => [name, new URL(import.meta.resolve(specifier))] as const,
    ),
  ];
  return new Map(
    await Promise.all(
      sources.map(
        async ([name, url]) =>
          [name, { headers: { 'content-type': typeOf(name) }, body: await readFile(url, 'utf8') }] as const,
      ),
    ),
  );
}

const IMPORT_MAP = /<script type="importmap">([^<]*)<\/script>/;

/** Reads the page. Its content-security-policy allows one inline script: the import map. */
export async function loadPage(): Promise<AdminReply> {
  const body = await readFile(pageUrl('index.html'), 'utf8');
  const importMap = hash('sha256', IMPORT_MAP.exec(body)?.[1] ?? '', 'base64');
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'sha256-${importMap}'`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return { headers: { 'content-security-policy': policy.join('; ') }, body };
}
