import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that `remove()` takes away with all that is in it. */
export const createTemporaryFolder = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'koine-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};
