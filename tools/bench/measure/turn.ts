import { setTimeout as delay } from 'node:timers/promises';
import { cpuTime } from '../gateways/machine.ts';
import type { Running } from '../gateways/processes.ts';
import type { BenchRequest } from '../load/requests.ts';
import { openStreams } from '../load/streams.ts';
import { load } from '../load/throughput.ts';
import { describeLatency } from './statistics.ts';

/** What one turn of a lane measured. */
export interface Turn {
  /** Requests, or events of streams. */
  readonly units: number;
  readonly perSecond: number;
  /** Processor time of the gateway for each, in microseconds. */
  readonly cpu: number;
  /** Milliseconds: of an answer, or of an event on its way. */
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

/** Loads a gateway for so many seconds. */
export type Play = (gateway: Running, seconds: number) => Promise<Turn>;

const CONNECTIONS = 32;
/** What is written after the answers, such as the rows of the ledger, belongs to them. */
const AFTERWARDS_MS = 250;

export const requestTo = ({ headers }: Running, request: BenchRequest): BenchRequest =>
  headers === undefined ? request : { ...request, headers: { ...request.headers, ...headers } };

/** A closed loop of this request. */
export const playRequests =
  (request: BenchRequest, connections = CONNECTIONS): Play =>
  async (gateway, seconds) => {
    const pids = gateway.pids();
    const before = cpuTime(pids);
    const { requests, ...times } = await load(gateway.url, requestTo(gateway, request), connections, seconds);
    await delay(AFTERWARDS_MS);
    return { units: requests, cpu: (cpuTime(pids) - before) / requests, ...times };
  };

const STREAMS = 100;
const EVENT_MS = 20;
const RAMP_MS = 700;

/**
 * Many streams at once, each with an event every 20 ms. What is measured lies between the beginning of the last and the
 * end of the first, so that it is the cost of events alone.
 */
export const playStreams =
  (requestFor: (events: number) => BenchRequest, streams = STREAMS): Play =>
  async (gateway, seconds) => {
    const pids = gateway.pids();
    const events = Math.ceil((seconds * 1_000 + 2 * RAMP_MS + streams) / EVENT_MS);
    const open = await openStreams(gateway.url, requestTo(gateway, requestFor(events)), streams);
    await delay(RAMP_MS);
    open.takeDelays();
    const [cpu, first, since] = [cpuTime(pids), open.events, performance.now()];
    await delay(seconds * 1_000);
    const [used, units, took] = [cpuTime(pids) - cpu, open.events - first, performance.now() - since];
    const times = describeLatency(open.takeDelays());
    const errors = await open.ended;
    return { units, perSecond: (units / took) * 1_000, cpu: used / units, ...times, errors };
  };
