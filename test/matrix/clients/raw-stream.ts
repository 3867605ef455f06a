import { goodHeaders } from '../../support/http.ts';
import { hello } from '../sample-bodies.ts';
import type { Wire } from '../wires.ts';

const paths: Readonly<Record<Wire, (model: string) => string>> = {
  chat: () => '/v1/chat/completions',
  messages: () => '/v1/messages',
  responses: () => '/v1/responses',
  google: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
};

/** The smallest request for a stream. Google's has the model and the stream flag in its path. */
export const streamRequest = (client: Wire, model: string): { readonly path: string; readonly body: string } => ({
  path: paths[client](model),
  body: JSON.stringify(client === 'google' ? hello.google : { ...hello[client], model, stream: true }),
});

/** Fetches the bytes of a streamed response. */
export const fetchStream = (client: Wire, url: string, model: string): Promise<Response> => {
  const { path, body } = streamRequest(client, model);
  return fetch(url + path, { method: 'POST', headers: goodHeaders, body });
};

/** What ends a good stream, or makes a client run a call that was cut off. */
export const goodEnds: Readonly<Record<Wire, RegExp>> = {
  chat: /\[DONE\]|"finish_reason":"/,
  messages: /message_stop|message_delta|content_block_stop/,
  responses: /response\.(?:completed|incomplete|function_call_arguments\.done)"/,
  google: /"finishReason"/,
};
/** The error frame of a stream. */
export const errorFrames: Readonly<Record<Wire, RegExp>> = {
  chat: /data: \{"error":/g,
  messages: /event: error\ndata: \{"type":"error"/g,
  responses: /event: response\.failed\ndata: \{/g,
  google: /data: \{"error":\{"code":[45]\d\d,/g,
};
