import { readRecordedChat } from './chat-answer.ts';
import type { Answer } from './answer.ts';
import { responseText, type CorpusLine } from './lines.ts';
import { readRecordedMessage } from './messages-answer.ts';
import { sendChat, sendMessage } from './other-sdk.ts';

type Body = Record<string, unknown>;

/** One file of the corpus: the wire it was recorded on, the wire it is translated to, and how each side is read. */
export interface CorpusFile {
  readonly file: string;
  readonly provider: 'openai' | 'anthropic';
  readonly path: string;
  readonly otherWire: 'messages' | 'chat-completions';
  readonly read: (line: CorpusLine) => Answer;
  /** The named edits that the native lane makes, and nothing else. */
  readonly nativeEdits: (body: Body) => Body;
  /** What a native client gets of a recorded answer: all of it but the usage that it did not ask for. */
  readonly nativeAnswer: (line: CorpusLine) => string;
  /** Sends a translated request with the unmodified SDK of the other wire. */
  readonly send: (url: string, body: Body) => Promise<Answer>;
  /** How the other wire says a finish. */
  readonly finish: (recorded: Answer) => string | null;
}

const chatFinish: Readonly<Record<string, string>> = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use', function_call: 'tool_use', content_filter: 'refusal' };
const messagesFinish: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  compaction: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** A vendor that says `stop` after calls means `tool_calls`, after a refusal a refusal. */
const fromChat = ({ finish, calls, refused }: Answer): string | null => {
  if (finish === 'stop' && calls.length > 0) return 'tool_use';
  if (finish === 'stop' && refused === true) return 'refusal';
  return finish === null ? null : (chatFinish[finish] ?? 'end_turn');
};
const fromMessages = ({ finish }: Answer): string | null => (finish === null ? null : (messagesFinish[finish] ?? 'stop'));

const chatEdits = (body: Body): Body => {
  const options = (body['stream_options'] ?? {}) as Body;
  return body['stream'] === true && options['include_usage'] !== true ? { ...body, stream_options: { ...options, include_usage: true } } : body;
};

/** A stream's last chunk has usage and nothing else; who did not ask for it does not get it. */
const withoutUsage = (line: CorpusLine): string => {
  const options = (line.request.body['stream_options'] ?? {}) as Body;
  const text = responseText(line);
  if (line.response.sse === undefined || options['include_usage'] === true) return text;
  return text
    .split(/(?<=\n\n)/)
    .filter((block) => !/"choices": ?\[\], ?"usage": ?\{/.test(block))
    .join('');
};

const chat = { provider: 'openai', path: '/v1/chat/completions', otherWire: 'messages', read: readRecordedChat, nativeEdits: chatEdits, nativeAnswer: withoutUsage, send: sendMessage, finish: fromChat } as const;
const messages = { provider: 'anthropic', path: '/v1/messages', otherWire: 'chat-completions', read: readRecordedMessage, nativeEdits: (body: Body) => body, nativeAnswer: responseText, send: sendChat, finish: fromMessages } as const;

export const corpusFiles: readonly CorpusFile[] = [
  { file: 'openai-chat.jsonl', ...chat },
  { file: 'openai-chat-stream.jsonl', ...chat },
  { file: 'anthropic-messages.jsonl', ...messages },
  { file: 'anthropic-messages-stream.jsonl', ...messages },
];
