import type { GenerateRequest } from '../../../../../core/api/index.ts';
import { isRawNumber, type Members } from '../../../../../core/api/codec.ts';
import { invalidMember } from '../../../request-members.ts';
import { readOutputCap } from '../../output-cap.ts';

const MAX_STOPS = 4;
const MAX_CHOICES = 128;

/** One string or a list of up to four. */
const decodeStop = (body: Members): readonly string[] | undefined => {
  if (typeof body.value('stop') === 'string') return [body.requiredString('stop')];
  const stop = body.strings('stop');
  if (stop !== undefined && stop.length > MAX_STOPS) {
    throw invalidMember('stop', `may hold at most ${MAX_STOPS} sequences; this request has ${stop.length}.`);
  }
  return stop === undefined || stop.length === 0 ? undefined : stop;
};

/** A seed of 64 bits keeps its digits, as on the native lane. */
const decodeSeed = (body: Members): GenerateRequest['seed'] => {
  const seed = body.number('seed');
  if (seed === undefined || Number.isSafeInteger(seed)) return seed;
  const exact = body.value('seed');
  if (isRawNumber(exact)) return exact;
  if (Number.isInteger(seed)) return seed;
  throw invalidMember('seed', 'must be an integer.');
};

/** Servers that take `best_of` generate and charge that many choices and send `n` of them. It stays in `extra`. */
const decodeChoices = (body: Members): number => {
  const choices = body.number('n', { integer: true, min: 1, max: MAX_CHOICES }) ?? 1;
  const bestOf = body.unread()['best_of'];
  // `Number` throws for an object with a `toString` of its own, also inside a list.
  const isNested = typeof bestOf === 'object' && bestOf !== null;
  if (body.has('best_of') && (isNested || !(Number(bestOf) <= choices))) {
    throw invalidMember(
      'best_of',
      "must not be larger than 'n': choices that are generated and not sent cannot be counted. Leave it out.",
    );
  }
  return choices;
};

/** Sampling parameters, within the limits of this gateway. */
export const decodeSampling = (body: Members) => ({
  ...readOutputCap(body),
  temperature: body.number('temperature', { min: 0, max: 2 }),
  topP: body.number('top_p'),
  topK: body.number('top_k', { integer: true }),
  seed: decodeSeed(body),
  presencePenalty: body.number('presence_penalty', { min: -2, max: 2 }),
  frequencyPenalty: body.number('frequency_penalty', { min: -2, max: 2 }),
  stop: decodeStop(body),
  choices: decodeChoices(body),
});
