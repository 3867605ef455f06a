import { decodeFrames } from '../../core/testing/index.ts';
import { clientRulesOf } from '../providers/frame-rules.ts';
import type { Json } from './lines.ts';

const asksForUsage = (request: Json): boolean => ((request['stream_options'] ?? {}) as Json)['include_usage'] === true;

/** The faults of a stream as a client got it: what clients of the wire require beyond what the SDK checks. */
export const checkFrames = (wire: string, stream: string, request: Json): string | undefined => {
  const frames = decodeFrames([Buffer.from(stream)]).map(({ event, data }) => ({ event, data }));
  const problems = clientRulesOf(wire).checkFrames(frames, {
    includeUsage: wire === 'chat-completions' && asksForUsage(request),
  });
  return problems.length === 0 ? undefined : `frames: ${problems.slice(0, 3).join('; ').slice(0, 400)}`;
};
