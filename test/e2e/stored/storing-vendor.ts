import type { ServerResponse } from 'node:http';
import { textAnswer } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import { isStreamed } from '../../support/calls.ts';
import { answerJson, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

/** The secret that an upstream was called with. */
export const secretOf = ({ headers }: UpstreamCall): string =>
  String(headers['x-api-key'] ?? headers.authorization).replace('Bearer ', '');

/** What the upstreams share: ids never repeat. */
let made = 0;

/** A vendor that stores responses and containers for the key that created them, and finds them for no other key. */
export interface StoringVendor {
  /** The secrets by the ids that were created with them. */
  readonly held: ReadonlyMap<string, string>;
  readonly answer: TestUpstream['answer'];
}

/** A stream whose end arrives after the gateway has sent its first content. */
const answerStream = (response: ServerResponse, text: string): void => {
  const end = text.indexOf('\n\n', text.indexOf('delta')) + 2;
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text.slice(0, end));
  setTimeout(() => response.end(text.slice(end)), 20);
};

const answerResponse = (held: Map<string, string>, response: ServerResponse, call: UpstreamCall): void => {
  const { previous_response_id: previous, input, store = true } = call.body;
  const items = Array.isArray(input) ? (input as { readonly type?: string; readonly id?: string }[]) : [];
  const ids = [previous, ...items.map(({ type, id }) => (type === 'item_reference' ? id : undefined))];
  const lost = ids.find((id) => typeof id === 'string' && held.get(id) !== secretOf(call));
  if (lost !== undefined)
    return answerJson(
      response,
      { error: { message: `Previous response with id '${String(lost)}' not found.`, type: 'invalid_request_error' } },
      400,
    );
  made += 1;
  if (store === true) for (const id of [`resp_${made}`, `msg_of_${made}`]) held.set(id, secretOf(call));
  const streamed = isStreamed(call);
  const text = textOf('responses', streamed ? 'streamed' : 'plain', textAnswer('Good day.'))
    .replaceAll('resp_vendor', `resp_${made}`)
    .replaceAll('msg_0', `msg_of_${made}`)
    .replaceAll('"store":false', `"store":${String(store)}`);
  if (streamed) answerStream(response, text);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
};

const answerMessage = (held: Map<string, string>, response: ServerResponse, call: UpstreamCall): void => {
  const { container } = call.body;
  if (typeof container === 'string' && held.get(container) !== secretOf(call))
    return answerJson(response, { type: 'error', error: { type: 'not_found_error', message: 'No container.' } }, 404);
  made += 1;
  const id = typeof container === 'string' ? container : `container_${made}`;
  held.set(id, secretOf(call));
  const expiring = { id, expires_at: '2027-01-01T00:00:00Z' };
  if (!isStreamed(call))
    return answerJson(response, {
      ...(JSON.parse(textOf('messages', 'plain', textAnswer('Good day.'))) as object),
      container: expiring,
    });
  const text = textOf('messages', 'streamed', textAnswer('Good day.'));
  answerStream(
    response,
    text.replace('"delta":{"stop_reason"', `"delta":{"container":${JSON.stringify(expiring)},"stop_reason"`),
  );
};

export const createStoringVendor = (): StoringVendor => {
  const held = new Map<string, string>();
  return {
    held,
    answer: (response, call) =>
      (call.path.endsWith('/messages') ? answerMessage : answerResponse)(held, response, call),
  };
};
