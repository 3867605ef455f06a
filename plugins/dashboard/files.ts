import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AdminReply } from '../../core/index.ts';

/** The whole list of what is served under /dashboard, and nothing else is. */
export const ownFiles = [
  'app.js',
  'ask.js',
  'badge.js',
  'chart.js',
  'circuits.js',
  'colors.js',
  'configuration.js',
  'exchange-row.js',
  'exchanges.js',
  'format.js',
  'header.js',
  'histogram.js',
  'html.js',
  'legend.js',
  'limits.js',
  'measures.js',
  'metrics-text.js',
  'moments.js',
  'now.js',
  'poll.js',
  'prompt-cache.js',
  'providers.js',
  'section.js',
  'table.js',
  'tiles.js',
  'usage-chart.js',
  'usage-controls.js',
  'usage-report.js',
  'usage-table.js',
  'usage.js',
] as const;
export const styles = ['style.css', 'parts.css'];

/** From the packages as they are installed, by the names that the page has for them. */
const packaged: Readonly<Record<string, string>> = {
  'preact.mjs': 'preact',
  'hooks.mjs': 'preact/hooks',
  'htm.mjs': 'htm',
  'uplot.mjs': 'uplot/dist/uPlot.esm.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
};

const typeOf = (name: string): string =>
  name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
const inPage = (name: string): URL => new URL(`page/${name}`, import.meta.url);

/** Each file as it is answered. */
export async function loadFiles(): Promise<ReadonlyMap<string, AdminReply>> {
  const places = [
    ...[...ownFiles, ...styles].map((name) => [name, inPage(name)] as const),
    ...Object.entries(packaged).map(([name, specifier]) => [name, new URL(import.meta.resolve(specifier))] as const),
  ];
  return new Map(
    await Promise.all(
      places.map(
        async ([name, place]) =>
          [name, { headers: { 'content-type': typeOf(name) }, body: await readFile(place, 'utf8') }] as const,
      ),
    ),
  );
}

const IMPORT_MAP = /<script type="importmap">([^<]*)<\/script>/;

/** The page; of what stands within it the import map alone may run. */
export async function loadPage(): Promise<AdminReply> {
  const body = await readFile(inPage('index.html'), 'utf8');
  const importMap = hash('sha256', IMPORT_MAP.exec(body)?.[1] ?? '', 'base64');
  const policy = `default-src 'none'; script-src 'self' 'sha256-${importMap}'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
  return { headers: { 'content-security-policy': policy }, body };
}
