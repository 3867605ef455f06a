import type { ServerResponse } from 'node:http';
import { answerJson, type UpstreamCall } from '../../support/upstream.ts';

/** The usage that the vendor reports. */
export interface Reported {
  readonly input: number;
  readonly output: number;
}

const usageOf = ({ input, output }: Reported): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});
const envelope = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1' };
const frame = (chunk: object): string => `data: ${JSON.stringify({ ...envelope, ...chunk })}\n\n`;
const delta = (content: string): string =>
  frame({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });

export const answerPlain = (response: ServerResponse, reported: Reported): void =>
  answerJson(response, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4.1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
    usage: usageOf(reported),
  });

/** A stream with its first content, and without an end. */
export const beginStream = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta('Good'));

export const endStream = (response: ServerResponse, reported: Reported): void =>
  void response.end(
    [
      delta(' day.'),
      frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      frame({ choices: [], usage: usageOf(reported) }),
      'data: [DONE]\n\n',
    ].join(''),
  );

/** The last text of the user. */
export const saidIn = ({ body }: UpstreamCall): string =>
  (body['messages'] as readonly { readonly content: string }[]).at(-1)?.content ?? '';
