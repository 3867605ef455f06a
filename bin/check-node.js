// Plain JavaScript: a Node that is too old to strip types must still print this message.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MIN_MAJOR = 24;
const [major] = process.versions.node.split('.').map(Number);
if (major < MIN_MAJOR) {
  const isCheckout = existsSync(fileURLToPath(new URL('../core/main.ts', import.meta.url)));
  console.error(
    `koine needs Node ${MIN_MAJOR} or newer and was started on Node ${process.versions.node}.\n` +
      (isCheckout
        ? `Install Node ${MIN_MAJOR}, or run it through npm (npm start, npm run koine -- <command>):\n` +
          `npm ci installs Node ${MIN_MAJOR} on Linux, on Windows and on a Mac with an Intel processor.`
        : `Install Node ${MIN_MAJOR} (https://nodejs.org/en/download) and start koine with it.`),
  );
  process.exit(2);
}
