// Plain JavaScript: a Node that is too old to strip types must still print this message.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

/** What to do depends on how this copy was installed. */
const advise = () => {
  const isCheckout = existsSync(fileURLToPath(new URL('../core/main.ts', import.meta.url)));
  // There is no package of Node for a Mac with Apple silicon.
  if (isCheckout && !(process.platform === 'darwin' && process.arch === 'arm64'))
    return 'run npm ci, then npm start or npm run koine -- <command>, which use the Node 24 that npm ci installs.';
  if (isCheckout || process.env.npm_lifecycle_event === 'npx')
    return 'install Node 24 (https://nodejs.org/en/download), and repeat the command.';
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv')
    ? 'build the image of this container from node:24-slim.'
    : 'install Node 24 (https://nodejs.org/en/download), and start koine with it.';
};

// package.json has the same versions as "engines". Node 23 is no longer maintained.
if (!(major >= 24 || (major === 22 && minor >= 19))) {
  console.error(
    `koine needs Node 24, or 22.19 or later of Node 22, and this is Node ${process.versions.node}: ${advise()}`,
  );
  process.exit(2);
}
