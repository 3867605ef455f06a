#!/usr/bin/env node
// Plain JavaScript on purpose: a Node too old to strip types must still be able to say so.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `koine needs Node 24 or newer and was started on ${process.version}.\n` +
      'Run it through npm (`npm start`, `npm run koine -- <command>`): `npm ci` brings Node 24 as a dependency.',
  );
  process.exit(2);
}
await import('../core/main.ts');
