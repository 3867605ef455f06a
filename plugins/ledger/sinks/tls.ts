import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TlsFiles } from './schema.ts';

/** Reads PEM files. @param folder that relative paths start from @throws Error if one cannot be read */
export const readTls = (
  files: TlsFiles,
  folder: string,
): { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer } =>
  Object.fromEntries(Object.entries(files).map(([name, path]) => [name, readFileSync(resolve(folder, String(path)))]));
