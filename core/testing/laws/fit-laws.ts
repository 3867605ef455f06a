import { GatewayError, type GenerateRequest } from '../../api/index.ts';
import type { Fit, Fitted, GenerateEvent, TargetProfile } from '../../api/codec.ts';
import { expectNone, expectSame, type Check } from '../check.ts';
import { createLossList } from '../contexts.ts';
import { checkEventGrammar } from './event-grammar.ts';
import { interleavedEvents, sampleResponses } from '../sample-responses.ts';
import { sampleRequests } from '../samples.ts';
import { comparableEvents, filterEvents, listEvents } from '../streams.ts';

const media = (url: string) =>
  Promise.reject(new GatewayError('invalid_request', `Nothing is fetched from ${url} here.`));

const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    for (const child of Object.values(Object.freeze(value))) freeze(child);
  return value;
};

/**
 * The fitted request; undefined if nothing had to change, or the target was refused.
 * @throws Error for a throw that is not a GatewayError
 */
const run = async (fit: Fit, request: GenerateRequest, profile: TargetProfile): Promise<Fitted | undefined> => {
  try {
    return await fit.fit(freeze(request), profile, {
      lose: createLossList().lose,
      client: request.wire === profile.wire ? profile.traits : {},
      media,
      signal: new AbortController().signal,
    });
  } catch (thrown) {
    if (GatewayError.is(thrown) && thrown.status >= 400 && thrown.status < 500) return undefined;
    throw new Error(`${fit.name} throws ${String(thrown)}`, { cause: thrown });
  }
};

/** Fitting a fitted request changes nothing. The request is frozen, so a fit that modifies it fails too. */
const isIdempotent = async (fit: Fit, request: GenerateRequest, profile: TargetProfile): Promise<void> => {
  const once = await run(fit, request, profile);
  if (once === undefined) return;
  const twice = await run(fit, once.request, profile);
  expectSame(twice?.request ?? once.request, once.request, `${fit.name} is not idempotent`);
};

const failed: GenerateEvent = { type: 'error', error: new GatewayError('upstream_truncated') };
/** A filter preserves the event grammar, wherever the stream breaks off, and is created anew for each response. */
const keepsGrammar = async (fit: Fit, request: GenerateRequest, profile: TargetProfile): Promise<void> => {
  const reply = (await run(fit, request, profile))?.reply;
  if (reply === undefined) return;
  for (const events of [interleavedEvents, ...sampleResponses.map(([, response]) => listEvents(response))]) {
    const passed = filterEvents(reply(), events);
    expectNone(checkEventGrammar(passed), `${fit.name}: the events passed on`);
    expectSame(
      comparableEvents(filterEvents(reply(), events)),
      comparableEvents(passed),
      `${fit.name}: the second response is filtered differently from the first`,
    );
    for (const [count] of events.entries()) {
      expectNone(
        checkEventGrammar(filterEvents(reply(), [...events.slice(0, count), failed])),
        `${fit.name}: the events passed on when the stream fails after ${count}`,
      );
    }
  }
};

/**
 * The laws of a fit, for each given target. `requests` are tested in addition to the samples, which have every
 * canonical member.
 */
export const fitLaws = (
  fit: Fit,
  profiles: readonly TargetProfile[],
  requests: readonly (readonly [name: string, request: GenerateRequest])[] = [],
): Check[] =>
  profiles
    .filter((profile) => fit.applies?.(profile) !== false)
    .flatMap((profile) =>
      [...sampleRequests(profile.wire), ...sampleRequests('elsewhere'), ...requests].flatMap(([name, request]) => {
        const about = `${profile.wire} ${JSON.stringify(profile.capabilities)}, ${request.wire} request with ${name}`;
        return [
          {
            name: `${fit.name}: fitting twice equals fitting once (${about})`,
            run: () => isIdempotent(fit, request, profile),
          },
          {
            name: `${fit.name}: the response keeps its grammar (${about})`,
            run: () => keepsGrammar(fit, request, profile),
          },
        ];
      }),
    );
