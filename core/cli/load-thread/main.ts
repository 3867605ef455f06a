import { parentPort, workerData } from 'node:worker_threads';
import { builtIns } from '../../built-ins.ts';
import { loadConfig } from '../../config/load.ts';
import { packConfig } from '../../config/pack.ts';
import { ConfigError } from '../../config/problem.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { carryError } from '../../server/link/carried-error.ts';
import type { FromLoadThread } from './load-in-thread.ts';

// The program of the thread that loads a large configuration. It ends with its one message.

const load = async (file: string): Promise<FromLoadThread> => {
  try {
    return { parts: await packConfig(await loadConfig(file, builtIns, process.env)) };
  } catch (thrown) {
    if (thrown instanceof ConfigError) return { problems: thrown.problems, files: thrown.files };
    if (GatewayError.is(thrown)) return { error: carryError(thrown) };
    throw thrown;
  }
};

const message = await load(workerData as string);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
parentPort?.postMessage(message, 'parts' in message ? message.parts.map(({ buffer }) => buffer as ArrayBuffer) : []);
