import { closureOf } from './imports.ts';

/** Files that apply laws to every recording, or run every recording through a gateway. */
const RECORDED = [
  /^test\/providers\/.*\blaws\.test\.ts$/,
  /^test\/recordings\/(?:laws|rechunking|replay)\.test\.ts$/,
  /^test\/corpus\/(?:every-line|bill\/ledger)\.test\.ts$/,
];

const RECORDINGS = 'test/fixtures/recordings/';
/** The gateway around lanes and codecs: it would make every change a change of every wire. */
const AROUND = /^core\/(?:testing\/gateway|cli|config|http|server|services|tenancy)\/|^plugins\/(?!ledger\/)/;

/** What a recording runs through in a gateway, behind what is around it. */
const INSIDE = /^core\/(?:catalog|dispatch|exchange|fits|lanes|outcome)\//;

const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/');

export const isRecorded = (file: string): boolean => RECORDED.some((pattern) => pattern.test(file));

/**
 * Whether a file of recorded laws has to run: its recordings, or code that it imports, have changed.
 * @param changed paths relative to the checkout
 */
export const isAffected = (file: string, changed: readonly string[]): boolean => {
  const code = closureOf(file, (path) => AROUND.test(path));
  const folders = new Set([...code.keys()].map(folderOf).filter((folder) => folder.startsWith('providers/')));
  return changed.some(
    (path) =>
      code.has(path) ||
      (code.has('core/gateway.ts') && INSIDE.test(path)) ||
      path.startsWith(RECORDINGS) ||
      path === 'package-lock.json' ||
      // Data beside the code of a provider.
      (!path.endsWith('.ts') && !path.endsWith('.md') && folders.has(folderOf(path))),
  );
};
