import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadRecordings, type Recording } from '../../core/testing/index.ts';

const folder = fileURLToPath(new URL('../fixtures/recordings/', import.meta.url));

/** One folder per server. A case is one of its server and wire. */
export const recordings: readonly Recording[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: server }) =>
    loadRecordings(`${folder}${server}`).map((recording) => ({
      ...recording,
      name: `${server}/${recording.name}`,
      ...(recording.case === undefined ? {} : { case: `${recording.case} of ${server}` }),
    })),
  );
