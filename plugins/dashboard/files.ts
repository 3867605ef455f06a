import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { AdminReply } from '../../core/api/index.ts';

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

/** The scripts and styles of the page, by their path in `page/`. Its other files are not served. */
const listFiles = async (): Promise<readonly string[]> =>
  (await readdir(pageUrl(''), { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.(?:js|css)$/.test(name));

/** Reads all files. @returns the reply for each file, by its path under /dashboard */
export async function loadFiles(): Promise<ReadonlyMap<string, AdminReply>> {
  const sources = [
    ...(await listFiles()).map((name) => [name, pageUrl(name)] as const),
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
