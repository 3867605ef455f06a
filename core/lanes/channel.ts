import { operations } from '../canonical/operation/operations.ts';
import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import { resolveCapabilities } from '../catalog/capabilities.ts';
import type { Model } from '../catalog/catalog.ts';
import type { RequestDefaults } from '../catalog/request-defaults.ts';
import type { CallTimeouts } from '../config/gateway-config.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import type { Capabilities, WireTraits } from '../contracts/capabilities.ts';
import type { TargetProfile } from '../contracts/codec-context.ts';
import type { Codec, UpstreamSide } from '../contracts/codec.ts';
import type { Target } from '../contracts/target.ts';
import type { Fit } from '../contracts/fit.ts';
import type { Framing } from '../contracts/framing.ts';
import type { EndpointWire } from '../contracts/provider.ts';
import type { UpstreamRequest, UpstreamReply } from '../contracts/extension.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { selectFits } from '../fits/support/compose.ts';
import type { Cancellation, Deadlines } from './upstream/deadlines.ts';
import { compileNames, type KnownNames } from '../fits/support/field-name.ts';
import type { ReadOn } from './upstream/read-on.ts';
import type { MediaSource } from '../services/media/media-source.ts';

export type OnResponseHeaders = NonNullable<PluginInstance['onResponseHeaders']>;

/** Sends the requests of a provider that has no transport of its own. */
export type Send = (request: UpstreamRequest, cancellation: Cancellation) => Promise<UpstreamReply>;

/** Everything about one target on one wire, prepared when the target is first used. */
export interface Channel<O extends Operation = Operation> {
  readonly endpointWire: EndpointWire;
  readonly profile: TargetProfile;
  readonly upstream: UpstreamSide<O>;
  /** The field names of the target's wire, for losses and refused members that its codec names. */
  readonly names: KnownNames;
  /** Of the target's streamed responses. */
  readonly framing: Framing;
  /** What the model sets in requests that do not set it. Of generation only. */
  readonly defaults?: RequestDefaults;
  /** The fits that can apply here, those of the core first. */
  readonly fits: readonly Fit[];
  /** A plugin has fits that can apply here, which need the canonical request: the native lane is not taken. */
  readonly pluginFits: boolean;
  readonly send: (request: UpstreamRequest, deadlines: Deadlines) => Promise<UpstreamReply>;
  readonly onResponseHeaders?: OnResponseHeaders;
  /** Of each call: the model's, else the provider's. */
  readonly timeouts: CallTimeouts;
  /** Absent where a call costs nothing after it is cut: it is cut as soon as its client has left. */
  readonly readOn?: ReadOn;
  /** Present where the gateway fetches media by URL for the provider. */
  readonly media?: MediaSource;
}

export interface ChannelParts {
  ownerOf(target: Target): Model | undefined;
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
  framing(name: string): Framing | undefined;
  /** The default transport for a provider of the configuration. */
  transport(provider: string): Send | undefined;
  timeouts(provider: string): CallTimeouts | undefined;
  media?(provider: string): MediaSource | undefined;
  readonly readOn?: ReadOn;
  readonly coreFits: readonly Fit[];
  readonly pluginFits: readonly Fit[];
  /** Absent where no plugin has the hook. */
  readonly onResponseHeaders?: OnResponseHeaders;
}

/** @throws GatewayError `unsupported_parameter` when the target does not speak the wire */
export type FindChannel = <O extends Operation>(target: Target, operation: O, wire: WireName) => Channel<O>;

const keyOf = (operation: Operation, wire: WireName): string => `${operation} ${wire}`;

/** A transport of a provider takes an AbortSignal; the default one takes the deadlines themselves. */
const sendOf = (endpointWire: EndpointWire, target: Target, parts: ChannelParts): Channel['send'] | undefined => {
  const { send } = endpointWire;
  return send === undefined ? parts.transport(target.provider) : (request, { signal }) => send(request, signal);
};

/** What the model can do, without what the server and the wire cannot. */
const capabilitiesOf = (model: Capabilities = {}, { webSearch }: EndpointWire, wire: Capabilities): Capabilities =>
  resolveCapabilities(model, webSearch === false ? { webSearch } : {}, wire);

const NO_TRAITS: WireTraits = {};

/** Of each codec: targets share them. */
const namesByTraits = new WeakMap<WireTraits, KnownNames>();
const namesOf = (traits: WireTraits): KnownNames => {
  let names = namesByTraits.get(traits);
  if (names === undefined) namesByTraits.set(traits, (names = compileNames(traits)));
  return names;
};

const createChannel = (
  endpointWire: EndpointWire,
  target: Target,
  model: Model,
  parts: ChannelParts,
): Channel | undefined => {
  const { upstream, traits = NO_TRAITS } = parts.codec(endpointWire.operation, endpointWire.wire) ?? {};
  const framing = parts.framing(endpointWire.framing ?? 'sse');
  const send = sendOf(endpointWire, target, parts);
  const timeouts = parts.timeouts(target.provider);
  if (upstream === undefined || framing === undefined || send === undefined || timeouts === undefined) return undefined;
  const profile = Object.freeze(
    omitUndefined<TargetProfile>({
      provider: target.provider,
      model: target.model,
      wire: endpointWire.wire,
      origin: { ...target.endpoint.origin, provider: target.provider },
      capabilities: capabilitiesOf(model.capabilities.get(target), endpointWire, upstream.limits),
      traits,
      promptCache: model.promptCache,
      omitsFinish: endpointWire.omitsFinish,
      thinkTags: endpointWire.thinkTags,
      capMember: endpointWire.capMember,
      effortMember: endpointWire.effortMember,
      budgetMember: endpointWire.budgetMember,
      refusesUsageOption: endpointWire.refusesUsageOption,
      keepsUsage: endpointWire.keepsUsage,
      stateless: endpointWire.stateless,
      billsOneSearch: endpointWire.billsOneSearch,
    }),
  );
  const pluginFits = selectFits(parts.pluginFits, profile, endpointWire.operation);
  const media = parts.media?.(target.provider);
  const isFree = operations[endpointWire.operation].isFree === true || target.endpoint.cancelEndsCharges === true;
  return omitUndefined({
    endpointWire,
    profile,
    upstream,
    names: namesOf(traits),
    framing,
    fits: [...selectFits(parts.coreFits, profile, endpointWire.operation), ...pluginFits],
    pluginFits: pluginFits.length > 0,
    defaults: endpointWire.operation === 'generate' ? model.defaults : undefined,
    send,
    onResponseHeaders: parts.onResponseHeaders,
    timeouts: { ...timeouts, ...model.timeouts },
    readOn: isFree ? undefined : parts.readOn,
    media,
  });
};

/**
 * Prepares each target once, when it is first used: ten thousand models have as many targets on several wires each, of
 * which few are used. A lookup costs two map reads.
 */
export function createChannels(parts: ChannelParts): FindChannel {
  const prepared = new WeakMap<Target, ReadonlyMap<string, Channel>>();
  const prepare = (target: Target): ReadonlyMap<string, Channel> | undefined => {
    const model = parts.ownerOf(target);
    if (model === undefined) return undefined;
    const channels = new Map<string, Channel>();
    for (const endpointWire of target.endpoint.wires) {
      const channel = createChannel(endpointWire, target, model, parts);
      if (channel !== undefined) channels.set(keyOf(endpointWire.operation, endpointWire.wire), channel);
    }
    prepared.set(target, channels);
    return channels;
  };
  return <O extends Operation>(target: Target, operation: O, wire: WireName) => {
    const channel = (prepared.get(target) ?? prepare(target))?.get(keyOf(operation, wire));
    if (channel === undefined)
      throw new GatewayError(
        'unsupported_parameter',
        `${target.id} does not speak ${wire} for the operation '${operation}'.`,
      );
    return channel as Channel<O>;
  };
}
