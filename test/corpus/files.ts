import type { GenerationWire } from './wires.ts';

/** The recorded answers of each vendor, by the wire that they are written in. */
export const generationFiles: readonly { readonly file: string; readonly wire: GenerationWire }[] = [
  { file: 'openai-chat.jsonl', wire: 'chat-completions' },
  { file: 'openai-chat-stream.jsonl', wire: 'chat-completions' },
  { file: 'anthropic-messages.jsonl', wire: 'messages' },
  { file: 'anthropic-messages-stream.jsonl', wire: 'messages' },
  { file: 'openai-responses.jsonl', wire: 'responses' },
  { file: 'openai-responses-stream.jsonl', wire: 'responses' },
  { file: 'gemini-generate.jsonl', wire: 'generate-content' },
  { file: 'gemini-stream.jsonl', wire: 'generate-content' },
];
