import type { Operation } from '../../canonical/wire.ts';
import type { Lose } from '../../canonical/loss.ts';
import type { Part } from '../../canonical/part.ts';
import type { BodyEdit, NativePlan } from '../../contracts/native.ts';
import type { AttemptOf, Reply } from '../../contracts/attempt.ts';
import type { Framing } from '../../contracts/framing.ts';
import { isObject } from '../../canonical/json/members.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { createClientNames, type ClientNames } from '../../fits/support/client-names.ts';
import { hasOnlyText } from '../../fits/support/only-text.ts';
import { foreignProofsFit } from '../../fits/reasoning/foreign-proofs.ts';
import { parseJson } from '../../framing/json.ts';
import { layoutOf } from '../../framing/layout-of.ts';
import { expectStream } from '../upstream/expect-stream.ts';
import type { Channel } from '../channel.ts';
import { MAX_RESPONSE_BYTES, collectBody } from '../upstream/collect.ts';
import { Feed } from '../feed.ts';
import { createLossLedger, refuseLosses } from '../loss-ledger.ts';
import { NativeRelay } from './relay.ts';
import { editDefaults } from '../request-defaults.ts';
import { createPlainReply } from '../plain-reply.ts';
import { passFile } from './pass-file.ts';
import { spliceBody, spliceResponse } from './splice.ts';
import { Stopwatch } from '../upstream/stopwatch.ts';
import { countEarlyBytes, openStreamReply } from '../stream-reply.ts';
import { callUpstream, type UpstreamResponse } from '../upstream/call.ts';
import { estimateResponse } from '../../outcome/charges.ts';

const noEdits: readonly BodyEdit[] = [];

const isStream = (request: object): boolean => 'stream' in request && request.stream === true;

/**
 * The edits of the plan, then the defaults of the model, then the edits of the provider, which sees the body with those
 * before applied.
 */
const editsOf = <O extends Operation>(
  { exchange: { inbound }, request }: AttemptOf<O>,
  channel: Channel<O>,
  plan: NativePlan,
  lose: Lose,
): readonly BodyEdit[] => {
  const { body, headers } = inbound;
  const { endpointWire, defaults } = channel;
  if (!isObject(body)) return plan.edits;
  const edits =
    defaults === undefined || !('turns' in request)
      ? plan.edits
      : [...plan.edits, ...editDefaults(request, channel as Channel<'generate'>, body, lose)];
  if (endpointWire.edits === undefined) return edits;
  const planned = { ...body };
  for (const { member, value } of edits) planned[member] = value;
  return [...edits, ...endpointWire.edits(planned, { stream: isStream(request), headers, lose })];
};

/** The plan removes proofs of other vendors from the body. The fit of the translated lane names them as losses. */
const nameForeignProofs = <O extends Operation>(
  { exchange, request, signal }: AttemptOf<O>,
  { profile }: Channel<O>,
  lose: Lose,
): void => {
  if (!('turns' in request) || hasOnlyText(request.turns)) return;
  let names: ClientNames | undefined;
  const place = (part: Part): string | undefined =>
    (names ??= createClientNames(request, profile.traits, exchange.inbound.body)).place(part);
  void foreignProofsFit.fit(request, profile, { lose, client: profile.traits, signal, place });
};

/** One attempt on this lane. */
interface NativeCall<O extends Operation> {
  readonly attempt: AttemptOf<O>;
  readonly channel: Channel<O>;
  readonly plan: NativePlan;
  readonly client: Framing;
  readonly stopwatch: Stopwatch;
}

const openStream = <O extends Operation>(call: NativeCall<O>, response: UpstreamResponse): Promise<Reply> => {
  const { attempt, channel, plan, client, stopwatch } = call;
  const { framing } = channel;
  const relay = new NativeRelay(plan.tap(), framing, client, attempt.exchange.estimate.inputTokens);
  return openStreamReply({
    attempt,
    relay,
    stopwatch,
    feeds: [new Feed({ ...response, framing, relay, stopwatch })],
    calls: [response.call],
    contentType: client.contentType,
    lane: 'native',
    maxEarlyBytes: countEarlyBytes(attempt, channel),
  });
};

/** A response that is no JSON is sent as it came. */
const readPlain = <O extends Operation>(native: NativeCall<O>, { call }: UpstreamResponse, bytes: Buffer): Reply => {
  const { attempt, plan, stopwatch } = native;
  const { contentType } = plan;
  const tap = plan.tap();
  const text = bytes.toString('utf8');
  const json = contentType === undefined ? parseJson(text) : undefined;
  const body = isObject(json) ? json : undefined;
  if (contentType === undefined && body === undefined) {
    throw new GatewayError('upstream_bad_response', 'The response of the provider is not a JSON object.');
  }
  tap.inspectBody(body ?? text);
  const { observed } = tap;
  if (observed.usage !== undefined) call.usage = observed.usage;
  if (observed.error !== undefined) throw observed.error;
  const added =
    observed.usage === undefined && body !== undefined
      ? tap.complete?.(estimateResponse(attempt.exchange.estimate.inputTokens, observed.outputChars), () => {})
      : undefined;
  const own = body && plan.addToResponse?.(body);
  const ofTap = body && tap.edits;
  const edits = (own ?? ofTap ?? added) === undefined ? noEdits : [...(own ?? []), ...(ofTap ?? []), ...(added ?? [])];
  return createPlainReply({
    bytes: edits.length === 0 ? bytes : spliceResponse(bytes, edits),
    ...(added === undefined || added.length === 0 ? {} : { estimated: 'usage' }),
    contentType,
    seen: observed,
    lane: 'native',
    attempt,
    waitedMs: stopwatch.elapsedMs,
  });
};

/**
 * The lossless lane: the client's bytes go up with only the edits spliced in, the vendor's bytes come back unchanged,
 * and a tap reads what the gateway must know. See README.md.
 */
export async function sendNative<O extends Operation>(
  attempt: AttemptOf<O>,
  channel: Channel<O>,
  plan: NativePlan,
  client: Framing,
): Promise<Reply> {
  const { raw, body: sent } = attempt.exchange.inbound;
  const stream = isStream(attempt.request);
  const stopwatch = new Stopwatch();
  const { loseOfRequest: lose } = createLossLedger(attempt.losses, sent, channel.profile.traits);
  nameForeignProofs(attempt, channel, lose);
  for (const { field, kind, detail } of plan.losses ?? []) lose(field, kind, detail);
  const body = spliceBody(raw, layoutOf(raw), editsOf(attempt, channel, plan, lose));
  refuseLosses(attempt.exchange, attempt.losses);
  const response = await callUpstream(attempt, channel, { body, headers: plan.headers, stream }, stopwatch);
  const call = { attempt, channel, plan, client, stopwatch };
  if (stream) {
    const refusal = expectStream(response, channel);
    if (refusal !== undefined) await refusal;
    return openStream(call, response);
  }
  const { file: kind, contentType = 'application/octet-stream' } = plan;
  if (kind !== undefined)
    return passFile(attempt, channel, response, { kind, contentType, tap: plan.tap(), stopwatch });
  const bytes = collectBody(response, MAX_RESPONSE_BYTES, stopwatch);
  return readPlain(call, response, bytes instanceof Promise ? await bytes : bytes);
}
