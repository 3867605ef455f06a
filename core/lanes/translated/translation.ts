import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Lose } from '../../canonical/loss.ts';
import type { Headers, Operation } from '../../canonical/wire.ts';
import type { WireTraits } from '../../contracts/capabilities.ts';
import type { ConversationOperation, ReadContext, RequestOf, WriteContext } from '../../contracts/codec-context.ts';
import type { ClientSide } from '../../contracts/codec.ts';
import type { AttemptOf, Guard } from '../../contracts/attempt.ts';
import type { FitContext } from '../../contracts/fit.ts';
import type { Framing } from '../../contracts/framing.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { createClientNames, type ClientNames } from '../../fits/support/client-names.ts';
import type { Channel } from '../channel.ts';
import { setMissing } from '../request-defaults.ts';
import { createLossLedger, refuseLosses } from '../loss-ledger.ts';
import { Stopwatch } from '../upstream/stopwatch.ts';

/** The client's wire, as the translated lane needs it. */
export interface ClientWire<O extends Operation = 'generate'> {
  readonly codec: ClientSide<O>;
  readonly traits: WireTraits;
  readonly framing: Framing;
  /** Time and ids, which codecs do not create themselves. */
  readonly context: Omit<WriteContext<O>, 'request' | 'lose'>;
  /** Inspect the response before it is written. */
  readonly guards: readonly Guard[] | undefined;
}

/** One request translated from the client's wire to the target's, and its response back. */
export interface Translation<O extends Operation = 'generate'> {
  readonly attempt: AttemptOf<O>;
  readonly channel: Channel<O>;
  readonly client: ClientWire<O>;
  /** For losses of the response. */
  readonly lose: Lose;
  readonly loseOfRequest: Lose;
  /** undefined where the request is not a conversation. */
  readonly names: ClientNames | undefined;
  readonly stopwatch: Stopwatch;
}

export const createTranslation = <O extends Operation>(
  attempt: AttemptOf<O>,
  channel: Channel<O>,
  client: ClientWire<O>,
): Translation<O> => ({
  attempt,
  channel,
  client,
  names:
    'turns' in attempt.exchange.request
      ? createClientNames(attempt.exchange.request, client.traits, attempt.exchange.inbound.body)
      : undefined,
  stopwatch: new Stopwatch(),
  ...createLossLedger(attempt.losses, attempt.exchange.inbound.body, client.traits),
});

export const fitContext = ({
  attempt: { exchange, signal },
  channel: { media },
  client: { traits },
  loseOfRequest,
  names,
}: Translation<ConversationOperation>): FitContext =>
  omitUndefined({
    lose: loseOfRequest,
    client: traits,
    signal,
    hostedTools: exchange.hostedTools,
    hostedUses: exchange.hostedUses,
    place: names === undefined ? undefined : names.place,
    media: media === undefined ? undefined : (url: string) => media.open(exchange, exchange.signal)(url),
  });

export const writeContext = <O extends Operation>({ attempt, client, lose }: Translation<O>): WriteContext<O> => ({
  ...client.context,
  request: attempt.exchange.request,
  lose,
});

export const readContext = <O extends Operation>(
  { attempt: { request }, channel: { profile }, lose }: Translation<O>,
  headers?: Headers,
): ReadContext =>
  omitUndefined({
    headers,
    origin: profile.origin,
    omitsFinish: profile.omitsFinish,
    thinkTags: profile.thinkTags,
    billsOneSearch: profile.billsOneSearch,
    turn: 'turns' in request ? request.turns.length : 0,
    lose,
  });

/** Renames the member that a refusal names: from the target's field name to the client's. */
const withClientNames = <T>(write: () => T, rename: (field: string) => string): T => {
  try {
    return write();
  } catch (thrown) {
    if (!GatewayError.is(thrown) || thrown.param === undefined) throw thrown;
    throw new GatewayError(thrown.code, thrown.message, { param: rename(thrown.param), cause: thrown });
  }
};

/**
 * The request in the target's wire, final except for URL and credentials.
 * @throws GatewayError `unsupported_parameter` under `losses: reject` if something is lost
 */
export function writeRequest<O extends Operation>(
  { attempt, channel, loseOfRequest, names }: Translation<O>,
  request: RequestOf<O>,
) {
  const rename = (field: string): string =>
    'turns' in request && names !== undefined ? names.translate(field, channel.names, request) : field;
  const lose: Lose = (field, kind, detail) => loseOfRequest(rename(field), kind, detail);
  const { body, headers } = withClientNames(
    () => channel.upstream.encodeRequest(request, channel.profile, lose),
    rename,
  );
  if (channel.defaults !== undefined) setMissing(body, channel.defaults);
  const stream = 'stream' in request && request.stream;
  const edits = channel.endpointWire.edits?.(body, { stream, headers: attempt.exchange.inbound.headers, lose }) ?? [];
  for (const { member, value } of edits) body[member] = value;
  refuseLosses(attempt.exchange, attempt.losses);
  return { body: Buffer.from(JSON.stringify(body)), headers, stream };
}
