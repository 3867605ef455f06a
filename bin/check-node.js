// Plain JavaScript on purpose: a Node too old to strip types must still be able to say so.
const FLOOR = 24;
const [major] = process.versions.node.split('.').map(Number);
if (major < FLOOR) {
  console.error(
    `koine needs Node ${FLOOR} or newer and was started on Node ${process.versions.node}.\n` +
      `Install Node ${FLOOR}, or run it through npm (npm start, npm run koine -- <command>):\n` +
      `npm ci brings Node ${FLOOR} along on Linux, on Windows and on a Mac with an Intel processor.`,
  );
  process.exit(2);
}
