import { type Finish, type JsonObject, lookUp, readObject, readText } from '../../../../../core/index.ts';
import { readFinish, type End } from '../../finish-reason.ts';

const statuses: Readonly<Record<string, End['status']>> = {
  incomplete: 'incomplete',
  queued: 'queued',
  in_progress: 'in_progress',
};

/** The response of a last event. Where it leaves out its status, the event's own name tells it: `response.incomplete`. */
export function readFinalResponse(event: Readonly<JsonObject>, type: string): Readonly<JsonObject> {
  const response = readObject(event['response']);
  return readText(response['status']) === '' ? { ...response, status: type.slice(type.indexOf('.') + 1) } : response;
}

/** How an answer ended, by its status. Servers of this wire have words of their own for `completed`. */
export function readResponseFinish(
  response: Readonly<JsonObject>,
  held: { readonly calls: boolean; readonly refusal: boolean },
): Finish {
  const status = lookUp(statuses, readText(response['status'])) ?? 'completed';
  return readFinish({ status, reason: readText(readObject(response['incomplete_details'])['reason']) }, held);
}
