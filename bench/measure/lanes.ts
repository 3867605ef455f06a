import type { Rules } from '../gateways/settings.ts';
import {
  chatRequest,
  generateContentRequest,
  messagesRequest,
  streamRequest,
} from '../load/requests.ts';
import { playRequests, playStreams, type Play } from './turn.ts';

/** A gateway of the benchmark by its name. Lanes that name the same one share its process. */
export type GatewayName = 'upstream' | 'bare' | 'portkey' | 'litellm' | Rules;

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
  readonly lanes: readonly Lane[];
}

const MODEL = 'openai/bench';
const native = playRequests(chatRequest(MODEL));
const governed = { gateway: 'governed', of: 'governed' } as const;
const streams = playStreams((events) => streamRequest(MODEL, events));

export const groups: readonly Group[] = [
  {
    title: 'Plain requests of 1 kB over 32 connections',
    unit: 'request',
    lanes: [
      { name: 'direct', gateway: 'upstream', play: playRequests(chatRequest('bench')) },
      { name: 'bare', gateway: 'bare', play: playRequests(chatRequest('bench')) },
      { name: 'ungoverned', gateway: 'ungoverned', play: native, of: 'bare' },
      { name: 'governed', gateway: 'governed', play: native, of: 'bare' },
      { name: 'everything', gateway: 'everything', play: native, of: 'bare' },
      { name: 'messages to chat', ...governed, play: playRequests(messagesRequest(MODEL)) },
      { name: 'chat to messages', ...governed, play: playRequests(chatRequest('anthropic/bench')) },
      { name: 'generate-content to chat', ...governed, play: playRequests(generateContentRequest(MODEL)) },
    ],
  },
  {
    title: '100 streams at once, each with an event every 20 ms',
    unit: 'event',
    lanes: [
      { name: 'bare stream', gateway: 'bare', play: streams },
      { name: 'ungoverned stream', gateway: 'ungoverned', play: streams, of: 'bare stream' },
      { name: 'governed stream', gateway: 'governed', play: streams, of: 'bare stream' },
      { name: 'everything stream', gateway: 'everything', play: streams, of: 'bare stream' },
    ],
  },
];
