import { operations } from '../../canonical/operation/operations.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Loss } from '../../canonical/loss.ts';
import type { WireName } from '../../canonical/wire.ts';
import type { Lane } from '../../contracts/attempt-record.ts';
import type { Attempt } from '../../contracts/attempt.ts';
import type { Exchange } from '../../contracts/exchange.ts';
import type { Target } from '../../contracts/target.ts';
import type { UpstreamRequest } from '../../contracts/extension.ts';
import { chooseWire } from '../../dispatch/choose-wire.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import type { FindChannel } from '../../lanes/channel.ts';
import { createLane, type LaneParts } from '../../lanes/lane.ts';
import { planNative, type Obstacle } from '../../lanes/native/plan.ts';
import type { MediaSource } from '../../services/media/media-source.ts';
import type { Serving } from '../serving/serving.ts';

/** An attempt up to the moment at which its call would be sent. */
export interface CallPlan {
  readonly wire?: WireName;
  readonly lane?: Lane;
  /** Why it is not the native lane. */
  readonly obstacle?: Obstacle;
  readonly losses: readonly Loss[];
  /** The call that would be sent; of several, the first. */
  readonly request?: UpstreamRequest;
  /** Why there is no call. */
  readonly error?: GatewayError;
}

/** Makes an attempt as the dispatcher would, without interceptors, which run only for calls that are made. */
export type PlanCall = (exchange: Exchange, target: Target, credential: string) => Promise<CallPlan>;

/** Ends every attempt at the moment at which it would send its call. */
const NOT_SENT = new GatewayError('internal_error', 'Nothing is sent while a request is explained.');
const media: MediaSource = {
  open: () => () =>
    Promise.reject(
      new GatewayError(
        'service_unavailable',
        'The request refers to media that must be fetched first, and nothing is fetched while a request is explained.',
      ),
    ),
};

/** Uses the lanes, fits, codecs and addresses of real exchanges, on channels that send nothing. */
export const createPlanCall =
  ({
    findChannel,
    clock,
    codec,
    framing,
    findGuards,
  }: Pick<Serving, Exclude<keyof LaneParts, 'keepItems'>>): PlanCall =>
  async (exchange, target, credential) => {
    const losses: Loss[] = [...(exchange.edits ?? [])];
    let facts: Pick<CallPlan, 'wire' | 'lane' | 'obstacle' | 'request'> = {};
    const findUnsentChannel: FindChannel = (of, operation, wire) => {
      const channel = findChannel(of, operation, wire);
      const send = (request: UpstreamRequest): Promise<never> => {
        facts = { request, ...facts };
        return Promise.reject(NOT_SENT);
      };
      return omitUndefined({ ...channel, send, media: channel.media && media });
    };
    try {
      const wire = chooseWire(exchange, target);
      facts = { wire };
      const { operation, request, signal } = exchange;
      // The operation and the request belong together; the type of the union is lost in the object literal.
      const attempt = {
        operation,
        exchange,
        target,
        credential,
        wire,
        request,
        headers: {},
        signal,
        calls: [],
        losses,
      } as Attempt;
      const isSent =
        operations[operation].substitute !== 'estimate' ||
        target.endpoint.wires.some((own) => own.operation === operation);
      if (isSent) {
        const isGuarded = findGuards?.(exchange) !== undefined;
        const plan = planNative(attempt, findUnsentChannel(target, operation, wire), isGuarded);
        facts = typeof plan === 'string' ? { wire, lane: 'translated', obstacle: plan } : { wire, lane: 'native' };
      }
      await createLane({ findChannel: findUnsentChannel, clock, codec, framing, findGuards })(attempt);
      return { ...facts, losses };
    } catch (thrown) {
      return { ...facts, losses, ...(thrown === NOT_SENT ? {} : { error: toGatewayError(thrown) }) };
    }
  };
