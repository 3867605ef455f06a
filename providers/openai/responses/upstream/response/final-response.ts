import type { Finish, JsonObject } from '../../../../../core/api/index.ts';
import { lookUp, readObject, readText } from '../../../../../core/api/codec.ts';
import { type End, readFinish } from '../../finish-reason.ts';

const statuses: Readonly<Record<string, End['status']>> = {
  incomplete: 'incomplete',
  queued: 'queued',
  in_progress: 'in_progress',
};

/** The response of a terminal event. If it has no status, the name of the event is used (`response.incomplete`). */
export function readFinalResponse(event: Readonly<JsonObject>, type: string): Readonly<JsonObject> {
  const response = readObject(event['response']);
  return readText(response['status']) === '' ? { ...response, status: type.slice(type.indexOf('.') + 1) } : response;
}

/** How a response ended, by its status. A status that is not known means `completed`. */
export function readResponseFinish(
  response: Readonly<JsonObject>,
  held: { readonly calls: boolean; readonly refusal: boolean },
): Finish {
  const status = lookUp(statuses, readText(response['status'])) ?? 'completed';
  return readFinish({ status, reason: readText(readObject(response['incomplete_details'])['reason']) }, held);
}
