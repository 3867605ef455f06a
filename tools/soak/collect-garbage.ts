/** Imported into the gateway under test, which runs with `--expose-gc`: its heap is measured after a collection. */
process.on('SIGUSR2', () => void globalThis.gc?.());
