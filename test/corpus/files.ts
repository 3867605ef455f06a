import { readRecordedChat } from './chat-answer.ts';
import type { Answer } from './answer.ts';
import type { CorpusLine } from './lines.ts';
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

/** A vendor that says `stop` after calls means `tool_calls`. */
const fromChat = ({ finish, calls }: Answer): string | null => (finish === null ? null : calls.length > 0 && finish === 'stop' ? 'tool_use' : (chatFinish[finish] ?? 'end_turn'));
const fromMessages = ({ finish }: Answer): string | null => (finish === null ? null : (messagesFinish[finish] ?? 'stop'));

const chatEdits = (body: Body): Body => {
  const options = (body['stream_options'] ?? {}) as Body;
  return body['stream'] === true && options['include_usage'] !== true ? { ...body, stream_options: { ...options, include_usage: true } } : body;
};

const chat = { provider: 'openai', path: '/v1/chat/completions', otherWire: 'messages', read: readRecordedChat, nativeEdits: chatEdits, send: sendMessage, finish: fromChat } as const;
const messages = { provider: 'anthropic', path: '/v1/messages', otherWire: 'chat-completions', read: readRecordedMessage, nativeEdits: (body: Body) => body, send: sendChat, finish: fromMessages } as const;

export const corpusFiles: readonly CorpusFile[] = [
  { file: 'openai-chat.jsonl', ...chat },
  { file: 'openai-chat-stream.jsonl', ...chat },
  { file: 'anthropic-messages.jsonl', ...messages },
  { file: 'anthropic-messages-stream.jsonl', ...messages },
];
