import type { CacheMark } from '../../canonical/part.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import { defineFit, type FitContext } from '../../contracts/fit.ts';
import { collectMarks, hasMarks, isLonger, nearestLifetime, rewriteMarks } from './cache-marks.ts';
import { placeMarks } from './cache-placement.ts';
import { describeField } from '../support/field-name.ts';

/** The maximum of both vendors with marks. */
const MAX_MARKS = 4;

const dropMarks = (request: GenerateRequest, { lose, client }: FitContext): GenerateRequest => {
  lose(describeField(client, 'cache'), 'dropped', 'the target has no cache marks');
  return rewriteMarks(request, () => undefined);
};

/** Converts marks to lifetimes of the target, none longer than one before it. Of too many marks the last are kept. */
const convertMarks = (
  request: GenerateRequest,
  known: readonly CacheMark['ttl'][],
  { lose, client }: FitContext,
): GenerateRequest => {
  const field = describeField(client, 'cache');
  let surplus = collectMarks(request).length - MAX_MARKS;
  if (surplus > 0) lose(field, 'approximated', `the target accepts ${MAX_MARKS} cache marks: the last ones were kept`);
  let shortest: CacheMark['ttl'] | undefined;
  return rewriteMarks(request, (mark) => {
    surplus -= 1;
    if (surplus >= 0) return undefined;
    const nearest = nearestLifetime(mark.ttl, known) ?? mark.ttl;
    const ttl = shortest !== undefined && isLonger(nearest, shortest) ? shortest : nearest;
    shortest = ttl;
    if (ttl === mark.ttl) return mark;
    lose(
      field,
      'approximated',
      'cache marks got the nearest lifetime that the target has, none longer than one before it',
    );
    return { ttl };
  });
};

/**
 * Adapts cache marks to the target. Marks of the client are kept, with other lifetimes where needed. If it has set
 * none, the gateway places them where configured (`models.<id>.promptCache`). Between equal wires marks are unchanged,
 * as on the native lane. Placing marks is not a loss: nothing that the client sent changes.
 */
export const promptCacheFit = defineFit({
  name: 'prompt-cache',
  fit(request, { capabilities: { cacheMarks = [] }, promptCache, wire, traits }, context) {
    if (request.wire === wire) return undefined;
    if (hasMarks(request)) {
      const adapted =
        cacheMarks.length === 0 ? dropMarks(request, context) : convertMarks(request, cacheMarks, context);
      return adapted === request ? undefined : { request: adapted };
    }
    const ttl = promptCache === undefined ? undefined : nearestLifetime(promptCache, cacheMarks);
    return ttl === undefined ? undefined : { request: placeMarks(request, { ttl }, traits) };
  },
});
