// Plain JavaScript on purpose: a Node too old to strip types must still be able to say so.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FLOOR = 24;
const [major] = process.versions.node.split('.').map(Number);
if (major < FLOOR) {
  const isCheckout = existsSync(fileURLToPath(new URL('../core/main.ts', import.meta.url)));
  console.error(
    `koine needs Node ${FLOOR} or newer and was started on Node ${process.versions.node}.\n` +
      (isCheckout
        ? `Install Node ${FLOOR}, or run it through npm (npm start, npm run koine -- <command>):\n` +
          `npm ci brings Node ${FLOOR} along on Linux, on Windows and on a Mac with an Intel processor.`
        : `Install Node ${FLOOR} (https://nodejs.org/en/download) and start koine with it.`),
  );
  process.exit(2);
}
