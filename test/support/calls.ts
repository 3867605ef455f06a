import { goodDay, hello } from '../matrix/sample-bodies.ts';
import { textOf } from '../matrix/vendors/vendors.ts';
import type { Json, Wire } from '../matrix/wires.ts';
import type { TestUpstream, UpstreamCall } from './upstream.ts';

export interface CallOptions {
  readonly stream?: boolean;
  /** Other members of the body, or what takes their place. */
  readonly more?: Json;
}

const fixedPaths: Readonly<Record<Exclude<Wire, 'google'>, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
};

/** Where a client of the wire calls. Google's have the model and the stream in the path. */
export const pathOf = (client: Wire, model: string, stream = false): string =>
  client === 'google'
    ? `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
    : fixedPaths[client];

/** The members that name the model and ask for a stream, where they stand in the body. */
export const headOf = (client: Wire, model: string, stream = false): Json =>
  client === 'google' ? {} : { model, ...(stream ? { stream } : {}) };

/** The smallest request of a wire. */
export const helloFor = (client: Wire, model: string, { stream = false, more = {} }: CallOptions = {}): Json => ({
  ...hello[client],
  ...headOf(client, model, stream),
  ...more,
});

/** The smallest call of a wire, as it goes over the network. */
export const callOf = (
  client: Wire,
  model: string,
  options: CallOptions = {},
): { readonly path: string; readonly body: string } => ({
  path: pathOf(client, model, options.stream),
  body: JSON.stringify(helloFor(client, model, options)),
});

/** The wire of the vendor that was called. */
export const wireAt = (path: string): Wire => {
  if (path.startsWith('/v1beta/')) return 'google';
  return path === '/v1/messages' ? 'messages' : path === '/v1/responses' ? 'responses' : 'chat';
};
export const isStreamed = ({ path, body }: UpstreamCall): boolean =>
  body['stream'] === true || path.includes(':stream');

/** Every vendor answers `Good day.` in its own wire, streamed where that was asked for. */
export const greet: TestUpstream['answer'] = (response, call) => {
  const streamed = isStreamed(call);
  response
    .writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
    .end(textOf(wireAt(call.path), streamed ? 'streamed' : 'plain', goodDay));
};

/** How a good stream ends, as the client of each wire sees it. */
export const streamEnds: Readonly<Record<Wire, RegExp>> = {
  chat: /data: \[DONE\]\n\n$/,
  messages: /event: message_stop\n.*\n\n$/,
  responses: /event: response\.completed\n.*\n\n$/,
  google: /"finishReason":"STOP".*(?:\r\n|\n){2}$/,
};
