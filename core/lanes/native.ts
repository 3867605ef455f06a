import type { Operation } from '../canonical/wire.ts';
import type { Lose } from '../canonical/loss.ts';
import type { BodyEdit, NativePlan } from '../contracts/codec.ts';
import type { AttemptOf } from '../contracts/exchange.ts';
import type { Framing } from '../contracts/framing.ts';
import type { Reply } from '../contracts/reply.ts';
import { isObject } from '../canonical/members.ts';
import { GatewayError } from '../errors.ts';
import { foreignProofsFit } from '../fits/foreign-proofs.ts';
import { parseJson } from '../framing/json.ts';
import { readJsonLayout } from '../framing/json-layout.ts';
import { layoutOf } from '../framing/layout-of.ts';
import { expectStream } from './expect-stream.ts';
import type { Channel } from './channel.ts';
import { createFeed } from './feed.ts';
import { createLossLedger, refuseLosses } from './loss-ledger.ts';
import { createNativeRelay } from './native-relay.ts';
import { createPlainReply } from './plain-reply.ts';
import { spliceBody } from './splice.ts';
import { createStopwatch } from './stopwatch.ts';
import { countEarlyBytes, openStreamReply } from './stream-reply.ts';
import { callUpstream, collectBody } from './upstream-call.ts';

const isStream = (request: object): boolean => 'stream' in request && request.stream === true;

/** The plan's edits, then the provider's, which sees the body as the plan leaves it. */
const editsOf = <O extends Operation>(attempt: AttemptOf<O>, channel: Channel<O>, plan: NativePlan, lose: Lose): readonly BodyEdit[] => {
  const { body, headers } = attempt.exchange.inbound;
  if (channel.speech.edits === undefined || !isObject(body)) return plan.edits;
  const planned = { ...body, ...Object.fromEntries(plan.edits.map(({ member, value }) => [member, value])) };
  return [...plan.edits, ...channel.speech.edits(planned, { stream: isStream(attempt.request), headers, lose })];
};

/** The plan takes proofs of other vendors out of the client's bytes; that they are gone is said by the rule that takes them out on the other lane. */
const nameForeignProofs = <O extends Operation>({ request, signal }: AttemptOf<O>, { profile }: Channel<O>, lose: Lose): void => {
  if ('turns' in request) void foreignProofsFit.fit(request, profile, { lose, signal });
};

/**
 * The lossless lane: the client's bytes go up with only the named edits spliced in, the vendor's bytes come down as they are,
 * and a tap reads what the gateway must know.
 */
export const sendNative = async <O extends Operation>(attempt: AttemptOf<O>, channel: Channel<O>, plan: NativePlan, client: Framing): Promise<Reply> => {
  const { inbound } = attempt.exchange;
  const stream = isStream(attempt.request);
  const stopwatch = createStopwatch();
  const { losses, lose } = createLossLedger(attempt.losses);
  nameForeignProofs(attempt, channel, lose);
  const body = spliceBody(inbound.raw, layoutOf(inbound.raw), editsOf(attempt, channel, plan, lose));
  refuseLosses(attempt.exchange, losses);
  const reply = await callUpstream(attempt, channel, { body, headers: plan.headers, stream }, stopwatch);
  const tap = plan.tap();

  if (stream) {
    await expectStream(reply, channel);
    const relay = createNativeRelay(tap, channel.framing, client);
    const feed = createFeed(reply, channel.framing, relay, 0, stopwatch);
    return openStreamReply({ feed, relay, calls: [reply.call], contentType: client.contentType, lane: 'native', attempt, losses, stopwatch, most: countEarlyBytes(attempt, channel) });
  }
  stopwatch.start();
  const bytes = await collectBody(reply).finally(stopwatch.stop);
  const answer = parseJson(bytes.toString('utf8'));
  if (!isObject(answer)) throw new GatewayError('upstream_bad_response', 'The provider answered with something that is not a JSON object.');
  tap.body(answer);
  if (tap.seen.usage !== undefined) reply.call.usage = tap.seen.usage;
  if (tap.seen.error !== undefined) throw tap.seen.error;
  const additions = plan.addToAnswer?.(answer) ?? [];
  const whole = additions.length === 0 ? bytes : spliceBody(bytes, readJsonLayout(bytes), additions);
  return createPlainReply({ bytes: whole, seen: tap.seen, lane: 'native', attempt, losses, waitedMs: stopwatch.elapsedMs });
};
