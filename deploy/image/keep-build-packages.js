// Removes from package.json what the build does not use, such as the packages of tests: `npm ci` then installs a
// quarter of the files, still at the versions of the lockfile.
import { readFileSync, writeFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
for (const name of Object.keys(manifest.devDependencies))
  if (!/^(?:rolldown|typescript|@types\/.+)$/.test(name)) delete manifest.devDependencies[name];
writeFileSync('package.json', JSON.stringify(manifest));
