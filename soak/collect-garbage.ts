/** Imported into the gateway under test, which runs with `--expose-gc`: a heap is read only after what nobody holds has gone. */
process.on('SIGUSR2', () => void globalThis.gc?.());
