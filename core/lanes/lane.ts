import type { Codec } from '../contracts/codec.ts';
import type { Operation, WireName, JsonObject } from '../canonical/wire.ts';
import type { Part } from '../canonical/part.ts';
import type { Attempt, AttemptOf, Guard, Send, Reply } from '../contracts/attempt.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { Framing } from '../contracts/framing.ts';
import type { Clock } from '../contracts/services.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { createClientNames } from '../fits/support/client-names.ts';
import { hasOnlyText } from '../fits/support/only-text.ts';
import { unsupportedParameter } from '../fits/support/unsupported.ts';
import { mediaFit } from '../fits/media/media.ts';
import type { Channel, FindChannel } from './channel.ts';
import type { FindGuards } from './translated/content-guard.ts';
import { estimateCount, sendConversation, sendConverted } from './translated/converted.ts';
import type { ClientWire } from './translated/translation.ts';
import { sendNative } from './native/send-native.ts';
import { newId } from './new-id.ts';
import { planNative } from './native/plan.ts';
import { sendTranslated } from './translated/send-translated.ts';
import { sendSummary } from './translated/summary.ts';
import { isObject } from '../canonical/json/members.ts';
import type { WriteContext } from '../contracts/codec-context.ts';
import type { KeptReferences } from '../contracts/request-members.ts';

/** Keeps items of responses, by their ids. */
type KeepItems = (exchange: Exchange, items: readonly (readonly [id: string, text: string])[]) => void;

/** A longer conversation is not kept: its items are. */
const MAX_CONVERSATION = 8_388_608;

/** The items to which later requests can refer. */
const named = (items: readonly JsonObject[], texts: readonly string[]): readonly (readonly [string, string])[] =>
  items.flatMap(({ id }, index) => (typeof id === 'string' && id !== '' ? [[id, texts[index] ?? ''] as const] : []));

/** Keeps the conversation of a response, and its items by their ids, unless the client asked that nothing is stored. */
const createKeep = (
  { exchange }: Attempt,
  kept: KeptReferences | undefined,
  keepItems: KeepItems | undefined,
): WriteContext['keep'] => {
  const { body } = exchange.inbound;
  if (kept === undefined || keepItems === undefined || exchange.operation !== 'generate') return undefined;
  if (exchange.request.store === false || !isObject(body)) return undefined;
  return (response, items) => {
    const texts = items.map((item) => JSON.stringify(item));
    const conversation = [kept.input(body), ...texts].filter((text) => text !== '').join(',');
    keepItems(exchange, [
      ...(kept.items === true ? named(items, texts) : []),
      ...(conversation.length > MAX_CONVERSATION ? [] : [[response, conversation] as const]),
    ]);
  };
};

export interface LaneParts {
  readonly findChannel: FindChannel;
  readonly clock: Clock;
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
  framing(name: string): Framing | undefined;
  /** Undefined if no plugin has guards. */
  readonly findGuards: FindGuards | undefined;
  /** Absent: nothing is kept. */
  readonly keepItems?: KeepItems | undefined;
}

/**
 * The media rule applies on the native lane too: a model without vision would answer anyway, without the image. Both
 * wires are the same here.
 */
const checkMedia = ({ exchange, request, signal }: AttemptOf<'generate'>, { profile }: Channel<'generate'>): void => {
  if (hasOnlyText(request.turns)) return;
  const place = (part: Part): string | undefined =>
    createClientNames(exchange.request, profile.traits, exchange.inbound.body).place(part);
  void mediaFit.fit(request, profile, { lose: () => {}, client: profile.traits, signal, place });
};

/** The last check of a strategy and of interceptors: no other credential gets what one credential has stored. */
const checkPlace = ({ exchange: { stored }, target, credential }: Attempt): void => {
  const place = stored?.place;
  if (place === undefined || (place.provider === target.provider && place.credential === credential)) return;
  throw unsupportedParameter(
    place.path,
    `'${place.path}' refers to something that is stored at ${place.provider}, and ${target.id} with this credential ` +
      'does not have it.',
  );
};

/** Whether the target has the operation. If not, the gateway estimates tokens, or lets the model write a summary. */
const serves = ({ operation, target: { endpoint } }: Attempt): boolean =>
  endpoint.wires.some((wire) => wire.operation === operation);

const findFraming = (framing: LaneParts['framing'], name: string): Framing => {
  const found = framing(name);
  if (found === undefined) throw new GatewayError('internal_error', `There is no framing '${name}'.`);
  return found;
};

/** The innermost Send: chooses the lane of an attempt and sends it there. See README.md. */
export function createLane({ findChannel, clock, codec, framing, findGuards, keepItems }: LaneParts): Send {
  const now = (): number => Math.floor(clock.now() / 1_000);
  const clientWire = <O extends Operation>(attempt: AttemptOf<O>, guards?: readonly Guard[]): ClientWire<O> => {
    const { operation, exchange } = attempt;
    const { route, estimate, framing: name } = exchange;
    const { client, traits = {} } = codec(operation, route.wire) ?? {};
    if (client === undefined) throw new GatewayError('internal_error', `The wire '${route.wire}' has no client side.`);
    const keep = createKeep(attempt as Attempt, client.kept, keepItems);
    const context = { created: now(), now, newId, inputEstimate: estimate.inputTokens, ...(keep && { keep }) };
    return { codec: client, traits, framing: findFraming(framing, name), context, guards };
  };
  /** Native if there is a plan for it, else translated. @param check a further condition of the native lane */
  const send = <O extends Operation>(
    attempt: AttemptOf<O>,
    translate: (attempt: AttemptOf<O>, channel: Channel<O>, client: ClientWire<O>) => Promise<Reply>,
    check?: (attempt: AttemptOf<O>, channel: Channel<O>) => void,
  ): Promise<Reply> => {
    const channel = findChannel<O>(attempt.target, attempt.operation, attempt.wire);
    const guards = findGuards?.(attempt.exchange as Exchange);
    const plan = planNative(attempt, channel, guards !== undefined);
    if (typeof plan === 'string') return translate(attempt, channel, clientWire(attempt, guards));
    check?.(attempt, channel);
    return sendNative(attempt, channel, plan, findFraming(framing, attempt.exchange.framing));
  };

  const choose = (attempt: Attempt): Promise<Reply> => {
    switch (attempt.operation) {
      case 'generate':
        return send(attempt, sendTranslated, checkMedia);
      case 'count-tokens':
        return serves(attempt) ? send(attempt, sendConversation) : estimateCount(attempt, clientWire(attempt));
      case 'compact': {
        if (serves(attempt)) return send(attempt, sendConversation);
        const guards = findGuards?.(attempt.exchange);
        return sendSummary(attempt, findChannel(attempt.target, 'generate', attempt.wire), clientWire(attempt, guards));
      }
      default:
        return send(attempt, sendConverted);
    }
  };
  return (attempt) => {
    try {
      if (attempt.exchange.stored !== undefined) checkPlace(attempt);
      return choose(attempt);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  };
}
