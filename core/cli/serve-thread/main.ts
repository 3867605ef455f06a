import { builtIns } from '../../built-ins.ts';
import { unpackConfig, type PackedConfig } from '../../config/pack.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { startWorker } from '../../gateway.ts';
import { assignment, runWorker, sendToMain } from '../../server/run-worker.ts';
import { systemClock } from '../../services/clock.ts';
import { createLog } from '../../services/log/log.ts';
import { HostLoad } from '../../services/shared-memory/host-load.ts';
import { PipeLock } from '../../services/log/pipe-lock.ts';

// The program of a worker thread of `koine serve`.

const { worker, port, pipe, hostLoad, place } = assignment;
const lock = pipe && new PipeLock(worker, pipe, (rest) => sendToMain({ koine: 'rest-of-line', rest }));
const log = createLog('info', lock).child({ worker });

/** The port of the file can be 0, and that of the command line is in the packed configuration. */
const unpack = async (packed: PackedConfig, live?: LoadedConfig): Promise<LoadedConfig> => {
  const loaded = await unpackConfig(packed, builtIns, live);
  const { server } = loaded.config;
  return { ...loaded, config: { ...loaded.config, server: { ...server, port } } };
};

runWorker(log, async ({ generation, config }, link) =>
  startWorker(await unpack(config), generation, {
    log,
    clock: systemClock,
    unpack,
    link,
    hostLoad: new HostLoad(hostLoad, place),
  }),
);
