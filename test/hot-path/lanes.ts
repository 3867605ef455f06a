import { chatRequest, embeddingsRequest, messagesRequest, type BenchRequest } from '../../tools/bench/load/requests.ts';
import type { Rules } from '../../tools/bench/gateways/settings.ts';

/** A kind of request whose cost is counted. */
export interface Lane {
  readonly name: string;
  /** Lanes with the same configuration share a process. */
  readonly gateway: Rules;
  readonly request: BenchRequest;
  /** Limits are stored in a Redis. */
  readonly hasRedis?: true;
  /** Content events of a streamed response. */
  readonly events?: number;
  /** Counts the cost per event beyond this shorter stream. */
  readonly beyond?: string;
}

/** One sentence: work per character is not what is counted here. */
const BYTES = 1;
const native = chatRequest('openai/bench', false, BYTES);
const streamed = chatRequest('openai/bench', true, BYTES);

export const lanes: readonly Lane[] = [
  { name: 'ungoverned', gateway: 'ungoverned', request: native },
  { name: 'governed', gateway: 'governed', request: native },
  { name: 'translated', gateway: 'governed', request: messagesRequest('openai/bench', false, BYTES) },
  { name: 'embeddings', gateway: 'governed', request: embeddingsRequest('openai/embed', BYTES) },
  { name: 'stream', gateway: 'governed', request: streamed, events: 4 },
  { name: 'stream event', gateway: 'governed', request: streamed, events: 24, beyond: 'stream' },
  { name: 'redis', gateway: 'governed', request: native, hasRedis: true },
  { name: 'everything', gateway: 'everything', request: native },
];
