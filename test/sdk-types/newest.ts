import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

// `npm run test:sdk-types`: the names that the newest SDKs declare. Before an update of an SDK: see README.md.
const names = ['openai', '@anthropic-ai/sdk', '@google/genai'];

const folder = createTemporaryFolder();
const run = (command: string, ...words: readonly string[]): boolean => {
  const env = { ...process.env, KOINE_SDK_PACKAGES: join(folder.path, 'node_modules') };
  return spawnSync(command, words, { stdio: 'inherit', env }).status === 0;
};
try {
  const newest = names.map((name) => `${name}@latest`);
  const options = ['--prefix', folder.path, '--ignore-scripts', '--no-audit', '--no-fund'];
  const passed =
    run('npm', 'install', ...options, ...newest) &&
    run('npm', 'ls', '--prefix', folder.path, '--depth', '0') &&
    run('npx', 'mocha', join(import.meta.dirname, 'names.test.ts'));
  process.exitCode = passed ? 0 : 1;
} finally {
  folder.remove();
}
