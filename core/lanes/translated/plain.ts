import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { foldEvents } from '../../canonical/fold.ts';
import { textOf, unfoldResponse } from '../../canonical/unfold.ts';
import type { GenerateEvent } from '../../canonical/event.ts';
import type { Choice, GenerateResponse } from '../../canonical/response.ts';
import { weighText } from '../../canonical/text/text-weight.ts';
import type { EventFilter } from '../../contracts/codec.ts';
import type { Reply } from '../../contracts/attempt.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { estimateResponse } from '../../outcome/charges.ts';
import { parseExactJson } from '../../framing/exact-json.ts';
import { readContext, writeContext, type Translation } from './translation.ts';
import type { SeenResponse } from '../ending.ts';
import { guardResponse, type GuardedResponse } from './content-guard.ts';
import { mergeResponses, type Spent } from './merge-choices.ts';
import { createPlainReply } from '../plain-reply.ts';
import { collectJson } from '../upstream/collect.ts';
import type { UpstreamResponse } from '../upstream/call.ts';

/** Filters of fits work on events, so a plain response is unfolded into events, filtered, and folded again. */
const unfoldInto = (filter: EventFilter, response: GenerateResponse): readonly GenerateEvent[] => {
  const events: GenerateEvent[] = [];
  unfoldResponse(response, (event) => filter.push(event, (filtered) => events.push(filtered)));
  return events;
};

const refold = (response: GenerateResponse, events: readonly GenerateEvent[]): GenerateResponse => {
  const folded = foldEvents(events);
  return {
    ...response,
    ...folded,
    choices: folded.choices.map((choice, index) => ({ ...response.choices[index], ...choice })),
  };
};

/** Extra members of a changed choice, such as log probabilities, can contain the model's own text. */
const applyGuard = async (response: GenerateResponse, guard: GuardedResponse): Promise<GenerateResponse> => {
  const events = unfoldInto(guard.filter, response);
  for (let waiting = guard.waiting(); waiting !== undefined; waiting = guard.waiting()) await waiting;
  if (guard.failure !== undefined) throw guard.failure.thrown;
  const { changed } = guard;
  const guarded = refold(response, events);
  const choices = guarded.choices.map(({ parts, finish, extra }, index) =>
    omitUndefined<Choice>({ parts, finish, extra: changed.has(index) ? undefined : extra }),
  );
  return { ...guarded, choices };
};

const charsOf = ({ choices }: GenerateResponse): number =>
  choices.flatMap(({ parts }) => parts).reduce((sum, part) => sum + weighText(textOf(part)), 0);

const seenIn = (response: GenerateResponse, spent: Spent): SeenResponse => ({
  outputChars: charsOf(response),
  ...spent,
  ...(response.model === undefined ? {} : { model: response.model }),
  ...(response.choices[0] === undefined ? {} : { finish: response.choices[0].finish }),
});

/** Reads the response of one call. Its usage is recorded at once: it is paid for even if another call fails. */
export async function readResponse(
  translation: Translation,
  reply: UpstreamResponse,
  filter: EventFilter | undefined,
  maxBytes: number,
): Promise<GenerateResponse> {
  const { channel, stopwatch } = translation;
  const response = channel.upstream.decodeResponse(
    await collectJson(reply, stopwatch, parseExactJson, maxBytes),
    readContext(translation, reply.headers),
  );
  if (response.usage !== undefined) reply.call.usage = response.usage;
  return filter === undefined ? response : refold(response, unfoldInto(filter, response));
}

/** What is sent in place of a response, and how it was found. */
interface ShownResponse {
  readonly shown: GenerateResponse;
  readonly seen: SeenResponse;
  readonly isEstimated: boolean;
}

const encodeReply = (translation: Translation, { shown, seen, isEstimated }: ShownResponse): Reply => {
  const { attempt, client, stopwatch } = translation;
  return createPlainReply({
    bytes: JSON.stringify(client.codec.encodeResponse(shown, writeContext(translation))),
    seen,
    lane: 'translated',
    ...(isEstimated ? { estimated: 'usage' } : {}),
    attempt,
    waitedMs: stopwatch.elapsedMs,
  });
};

const encodeGuarded = async (
  translation: Translation,
  { shown: whole, seen, isEstimated }: ShownResponse,
  guard: GuardedResponse,
): Promise<Reply> => {
  const shown = await applyGuard(whole, guard);
  return encodeReply(translation, { shown, seen: guard.isRefused ? { ...seen, refused: 'read' } : seen, isEstimated });
};

/** Writes the whole response in the client's wire. Each of several responses becomes one choice. */
export function writeResponse(
  translation: Translation,
  [first, ...others]: readonly GenerateResponse[],
): Reply | Promise<Reply> {
  const { client } = translation;
  if (first === undefined) throw new GatewayError('internal_error', 'No call was made.');
  const { response, spent } = mergeResponses([first, ...others]);
  const isEstimated = response.usage === undefined && response.choices[0]?.finish.unfinished !== true;
  const shown = isEstimated
    ? { ...response, usage: estimateResponse(client.context.inputEstimate, charsOf(response)) }
    : response;
  const whole: ShownResponse = { shown, seen: seenIn(response, spent), isEstimated };
  return client.guards === undefined
    ? encodeReply(translation, whole)
    : encodeGuarded(translation, whole, guardResponse(client.guards, true));
}
