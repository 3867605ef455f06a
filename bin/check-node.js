// Plain JavaScript on purpose: a Node too old to strip types must still be able to say so.
const FLOOR = 24;
const [major] = process.versions.node.split('.').map(Number);
if (major < FLOOR) {
  console.error(
    `koine needs Node ${FLOOR} or newer and was started on Node ${process.versions.node}.\n` +
      `Run it through npm (npm start, npm run koine -- <command>): npm ci brings Node ${FLOOR} along.`,
  );
  process.exit(2);
}
