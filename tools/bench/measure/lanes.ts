import { manyKeyTexts } from '../gateways/many-keys.ts';
import type { GatewayName } from '../gateways/names.ts';
import {
  chatRequest,
  embeddingsRequest,
  generateContentRequest,
  messagesRequest,
  streamRequest,
} from '../load/requests.ts';
import { playRequests, playStreams, type Play } from './turn.ts';

/** A load on a gateway. */
export interface Lane {
  readonly name: string;
  readonly gateway: GatewayName;
  readonly play: Play;
  /** The lane that this one is set against: its processor time is divided by that of this one. */
  readonly of?: string;
}

/** Lanes that are measured in one run, their gateways alive side by side. */
export interface Group {
  readonly title: string;
  /** What is counted: `request` or `event`. */
  readonly unit: string;
  /** At most so long is a turn; other groups have the length that is chosen for the run. */
  readonly seconds?: number;
  /** Gateways restart after some of the turns: one process can be slower than another of the same kind. */
  readonly isRestarted?: true;
  readonly lanes: readonly Lane[];
}

const MODEL = 'openai/bench';
const native = playRequests(chatRequest(MODEL));
const direct = playRequests(chatRequest('bench'));
const streams = playStreams((events) => streamRequest(MODEL, events));
const governed = { gateway: 'governed', of: 'governed' } as const;

const core: Group = {
  title: 'Plain requests of 1 kB over 32 connections',
  unit: 'request',
  isRestarted: true,
  lanes: [
    { name: 'direct', gateway: 'upstream', play: direct },
    { name: 'floor', gateway: 'floor', play: direct, of: 'bare' },
    { name: 'bare', gateway: 'bare', play: direct },
    { name: 'ungoverned', gateway: 'ungoverned', play: native, of: 'bare' },
    { name: 'governed', gateway: 'governed', play: native, of: 'bare' },
    { name: 'everything', gateway: 'everything', play: native, of: 'bare' },
    { name: 'messages to chat', gateway: 'governed', play: playRequests(messagesRequest(MODEL)), of: 'bare' },
    { name: 'chat to messages', ...governed, play: playRequests(chatRequest('anthropic/bench')) },
    { name: 'generate-content to chat', ...governed, play: playRequests(generateContentRequest(MODEL)) },
    { name: 'embeddings', ...governed, play: playRequests(embeddingsRequest('openai/embed')) },
    { name: 'portkey', gateway: 'portkey', play: native, of: 'bare' },
    { name: 'litellm', gateway: 'litellm', play: native, of: 'bare' },
  ],
};

const eventLanes: Group = {
  title: '100 streams at once, each with an event every 20 ms',
  unit: 'event',
  lanes: [
    { name: 'bare stream', gateway: 'bare', play: streams },
    { name: 'governed stream', gateway: 'governed', play: streams, of: 'bare stream' },
    { name: 'portkey stream', gateway: 'portkey', play: streams, of: 'bare stream' },
  ],
};

const parts: Group = {
  title: 'Single plugins, other stores and two workers',
  unit: 'request',
  seconds: 2,
  lanes: [
    { name: 'bare', gateway: 'bare', play: direct },
    { name: 'keys and metrics', gateway: 'metrics', play: native, of: 'bare' },
    { name: 'keys and limits', gateway: 'limits', play: native, of: 'bare' },
    { name: 'keys and ledger', gateway: 'ledger', play: native, of: 'bare' },
    { name: 'keys and failover', gateway: 'failover', play: native, of: 'bare' },
    {
      name: 'first target dead',
      gateway: 'failover',
      play: playRequests(chatRequest('openai/dead-first')),
      of: 'keys and failover',
    },
    { name: 'governed', gateway: 'governed', play: native, of: 'bare' },
    { name: 'two workers', gateway: 'two workers', play: native, of: 'governed' },
    { name: 'limits in Redis', gateway: 'redis', play: native, of: 'governed' },
    { name: 'ledger in Postgres', gateway: 'postgres', play: native, of: 'governed' },
    { name: 'large catalog', gateway: 'large catalog', play: native, of: 'governed' },
    {
      name: 'many keys',
      gateway: 'many keys',
      play: playRequests({ ...chatRequest(MODEL), keys: manyKeyTexts }),
      of: 'governed',
    },
  ],
};

const KB = 1_000;
const sized = (model: string, bytes: number): Play => playRequests(chatRequest(model, false, bytes), 8);
const large: Group = {
  title: 'Large prompts over 8 connections',
  unit: 'request',
  seconds: 2,
  lanes: [
    { name: 'bare 100 kB', gateway: 'bare', play: sized('bench', 100 * KB) },
    { name: 'governed 100 kB', gateway: 'governed', play: sized(MODEL, 100 * KB), of: 'bare 100 kB' },
    { name: 'bare 1 MB', gateway: 'bare', play: sized('bench', 1_000 * KB) },
    { name: 'governed 1 MB', gateway: 'governed', play: sized(MODEL, 1_000 * KB), of: 'bare 1 MB' },
  ],
};

export const groups: readonly Group[] = [core, eventLanes, parts, large];
