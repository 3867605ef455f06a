import { readMembers, readObject, type WriteContext } from '../../../../../core/api/codec.ts';
import { decodeRequest } from '../request/request.ts';
import { encodeStream } from '../response/stream.ts';
import { parseText } from './message.ts';

/** The events of a response without output, and its id. */
export interface Prewarmed {
  readonly id: string;
  readonly events: readonly string[];
}

/**
 * Answers `generate: false`: the request is checked and kept, and the model is not called. A later turn continues it.
 * @param body of the same request by HTTP
 * @throws GatewayError 400
 */
export function prewarm(body: Buffer, { now, newId }: Pick<WriteContext, 'now' | 'newId'>): Prewarmed {
  const { model, request } = decodeRequest({ raw: body, body: parseText(body.toString()), headers: {}, query: {} });
  const events: string[] = [];
  let id = '';
  const write = (_event: string | undefined, data: string): void => {
    events.push(data);
    id = readMembers(readObject(JSON.parse(data))['response']).string('id') ?? id;
  };
  const encoder = encodeStream({ request, created: now(), now, newId, lose: () => {}, inputEstimate: 0 });
  encoder.push({ type: 'response-start', model }, write);
  encoder.push({ type: 'response-end' }, write);
  return { id, events };
}
