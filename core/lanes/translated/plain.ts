import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { foldEvents } from '../../canonical/fold.ts';
import { unfoldResponse } from '../../canonical/unfold.ts';
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
const filterResponse = (response: GenerateResponse, filter: EventFilter | undefined): GenerateResponse => {
  if (filter === undefined) return response;
  const events: GenerateEvent[] = [];
  unfoldResponse(response, (event) => filter.push(event, (filtered) => events.push(filtered)));
  const folded = foldEvents(events);
  return {
    ...response,
    ...folded,
    choices: folded.choices.map((choice, index) => ({ ...response.choices[index], ...choice })),
  };
};

/** Extra members of a changed choice, such as log probabilities, can contain the model's own text. */
const applyGuard = (response: GenerateResponse, { filter, changed }: GuardedResponse): GenerateResponse => {
  const guarded = filterResponse(response, filter);
  const choices = guarded.choices.map(({ parts, finish, extra }, index) =>
    omitUndefined<Choice>({ parts, finish, extra: changed.has(index) ? undefined : extra }),
  );
  return { ...guarded, choices };
};

const charsOf = (response: GenerateResponse): number =>
  response.choices.reduce(
    (sum, { parts }) =>
      sum +
      parts.reduce(
        (chars, part) =>
          chars + ('text' in part ? weighText(part.text) : part.type === 'tool-call' ? weighText(part.input) : 0),
        0,
      ),
    0,
  );

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
  return filterResponse(response, filter);
}

/** Writes the whole response in the client's wire. Each of several responses becomes one choice. */
export function writeResponse(translation: Translation, [first, ...others]: readonly GenerateResponse[]): Reply {
  const { attempt, client, losses, stopwatch } = translation;
  if (first === undefined) throw new GatewayError('internal_error', 'No call was made.');
  const { response, spent } = mergeResponses([first, ...others]);
  const isEstimated = response.usage === undefined && response.choices[0]?.finish.unfinished !== true;
  const whole = isEstimated
    ? { ...response, usage: estimateResponse(client.context.inputEstimate, charsOf(response)) }
    : response;
  const guard = client.guards && guardResponse(client.guards, true);
  const shown = guard === undefined ? whole : applyGuard(whole, guard);
  const bytes = JSON.stringify(client.codec.encodeResponse(shown, writeContext(translation)));
  return createPlainReply({
    bytes,
    seen: { ...seenIn(response, spent), ...(guard?.isRefused === true ? { refused: 'read' } : {}) },
    lane: 'translated',
    ...(isEstimated ? { estimated: 'usage' } : {}),
    attempt,
    losses,
    waitedMs: stopwatch.elapsedMs,
  });
}
