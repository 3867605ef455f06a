import { setTimeout as delay } from 'node:timers/promises';
import { startGateway } from '../gateways/gateways.ts';
import type { GatewayName } from '../gateways/names.ts';
import type { Running } from '../gateways/processes.ts';
import { streamRequest } from '../load/requests.ts';
import { openStreams } from '../load/streams.ts';
import { requestTo } from '../measure/turn.ts';
import type { Extra, Figure } from './extra.ts';

const PACE_MS = 20;
const RATE = 0.98;
const FIRST = 50;
const STEPS = 7;
const MEASURED_MS = 2_000;
const RAMP_MS = 700;

/** The share of the events due that has come. */
const shareOf = async (gateway: Running, streams: number): Promise<number> => {
  const lasts = streams * 2 + MEASURED_MS + 2 * RAMP_MS;
  const request = requestTo(gateway, streamRequest('openai/bench', Math.ceil(lasts / PACE_MS)));
  const open = await openStreams(gateway.url, request, streams);
  await delay(RAMP_MS);
  const [before, since] = [open.events, performance.now()];
  await delay(MEASURED_MS);
  const share = (open.events - before) / ((performance.now() - since) / PACE_MS) / streams;
  await open.ended;
  return share;
};

const measure = async (name: GatewayName, upstream: Running): Promise<Figure> => {
  const gateway = await startGateway(name, upstream);
  await shareOf(gateway, FIRST);
  let [most, tooMany] = [0, Number.POSITIVE_INFINITY];
  let streams = FIRST;
  for (let step = 0; step < STEPS; step += 1) {
    if ((await shareOf(gateway, streams)) < RATE) tooMany = streams;
    else most = streams;
    streams = tooMany === Number.POSITIVE_INFINITY ? most * 2 : Math.round((most + tooMany) / 2);
  }
  await gateway.stop();
  return { what: `${name}: most streams`, value: most, unit: 'streams' };
};

/** Doubled until too many, then between the last two. */
export const mostStreams: Extra = {
  name: 'most streams',
  title: 'Most streams with 50 events a second each, 98 % of them delivered; reader and upstream share a core',
  run: async (upstream) => [await measure('bare', upstream), await measure('governed', upstream)],
};
