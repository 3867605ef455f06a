import { setTimeout as delay } from 'node:timers/promises';
import { startGateway } from '../gateways/gateways.ts';
import type { GatewayName } from '../gateways/names.ts';
import { residentMemory } from '../gateways/machine.ts';
import type { Running } from '../gateways/processes.ts';
import { streamRequest } from '../load/requests.ts';
import { openStreams } from '../load/streams.ts';
import type { Extra, Figure } from './extra.ts';

const STREAMS = 1_000;
const PACE_MS = 500;
/** A stream lasts until all have been open for a while. */
const EVENTS = 12;
const OPEN_MS = 3_000;

const measure = async (name: GatewayName, upstream: Running): Promise<Figure> => {
  const gateway = await startGateway(name, upstream);
  const request = streamRequest('openai/bench', EVENTS, PACE_MS);
  // What the first streams bring along, such as compiled code, is not memory per stream.
  await (
    await openStreams(gateway.url, request, STREAMS / 5)
  ).ended;
  const before = residentMemory(gateway.pids());
  const open = await openStreams(gateway.url, request, STREAMS);
  await delay(OPEN_MS);
  const bytes = residentMemory(gateway.pids()) - before;
  await open.ended;
  await gateway.stop();
  return { what: `${name}: memory per open stream`, value: bytes / STREAMS / 1e3, unit: 'kB' };
};

/** By how much the resident memory grows with a thousand open streams. */
export const streamMemory: Extra = {
  name: 'stream memory',
  title: 'Resident memory per stream, with 1,000 open streams',
  run: async (upstream) => [await measure('bare', upstream), await measure('governed', upstream)],
};
