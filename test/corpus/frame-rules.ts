import type { Frame } from '../../core/index.ts';
import { checkChatFrames, checkGenerateContentFrames, checkMessagesFrames, checkResponsesFrames, decodeFrames } from '../../core/testing/index.ts';
import type { Json } from './lines.ts';

type Check = (frames: readonly Frame[], request: Json) => readonly string[];

const asksForUsage = (request: Json): boolean => ((request['stream_options'] ?? {}) as Json)['include_usage'] === true;

/** What the clients of each wire demand of a stream, beyond what its SDK happens to look at. */
const rules: Readonly<Record<string, Check>> = {
  'chat-completions': (frames, request) => checkChatFrames(frames, { includeUsage: asksForUsage(request) }),
  'messages': (frames) => checkMessagesFrames(frames),
  'responses': (frames) => checkResponsesFrames(frames),
  'generate-content': (frames) => checkGenerateContentFrames(frames),
};

/** What is wrong with the frames of a stream as a client got it. */
export const checkFrames = (wire: string, stream: string, request: Json): string | undefined => {
  const frames = decodeFrames([Buffer.from(stream)]).map(({ event, data }) => ({ event, data }));
  const problems = rules[wire]?.(frames, request) ?? [];
  return problems.length === 0 ? undefined : `frames: ${problems.slice(0, 3).join('; ').slice(0, 400)}`;
};
