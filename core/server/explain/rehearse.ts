import type { Loss } from '../../canonical/loss.ts';
import type { WireName } from '../../canonical/wire.ts';
import type { Attempt, Exchange, Lane, Target } from '../../contracts/exchange.ts';
import type { UpstreamRequest } from '../../contracts/provider.ts';
import { chooseWire } from '../../dispatch/choose-wire.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import type { FindChannel } from '../../lanes/channel.ts';
import { createLane } from '../../lanes/lane.ts';
import { planNative, type Obstacle } from '../../lanes/native/plan.ts';
import type { MediaSource } from '../../services/media/media-source.ts';
import type { Serving } from '../serving.ts';

/** An attempt that went all the way but for the last step. */
export interface Rehearsal {
  readonly wire?: WireName;
  readonly lane?: Lane;
  /** Why it is not the native one. */
  readonly obstacle?: Obstacle;
  readonly losses: readonly Loss[];
  /** What would have been sent: the first of several calls. */
  readonly request?: UpstreamRequest;
  /** What ended it before that. */
  readonly error?: GatewayError;
}

/** Makes an attempt as the dispatcher would, interceptors aside: what they do is for calls that are made. */
export type Rehearse = (exchange: Exchange, target: Target, credential: string) => Promise<Rehearsal>;

/** Ends every attempt where its bytes would leave. */
const CURTAIN = new GatewayError('internal_error', 'Nothing is sent while a request is explained.');
const media: MediaSource = {
  open: () => () =>
    Promise.reject(
      new GatewayError(
        'service_unavailable',
        'It holds what the gateway would have to fetch first, and nothing is fetched while a request is explained.',
      ),
    ),
};

/** The same lanes, fits, codecs and addresses as of an exchange, with nothing behind them. */
export const createRehearse =
  ({ findChannel, clock, codec, framing }: Pick<Serving, 'findChannel' | 'clock' | 'codec' | 'framing'>): Rehearse =>
  async (exchange, target, credential) => {
    const losses: Loss[] = [];
    let facts: Pick<Rehearsal, 'wire' | 'lane' | 'obstacle' | 'request'> = {};
    const findDeadEnd: FindChannel = (of, operation, wire) => {
      const channel = findChannel(of, operation, wire);
      const send = (request: UpstreamRequest): Promise<never> => {
        facts = { request, ...facts };
        return Promise.reject(CURTAIN);
      };
      return { ...channel, send, ...(channel.media === undefined ? {} : { media }) };
    };
    try {
      const wire = chooseWire(exchange, target);
      facts = { wire };
      const { operation, request, signal } = exchange;
      // The operation of an exchange and its request belong together; the union cannot say so across a spread.
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
      const isCounted =
        operation !== 'count-tokens' || target.endpoint.speaks.some((speech) => speech.operation === operation);
      if (isCounted) {
        const plan = planNative(attempt, findDeadEnd(target, operation, wire));
        facts = typeof plan === 'string' ? { wire, lane: 'translated', obstacle: plan } : { wire, lane: 'native' };
      }
      await createLane({ findChannel: findDeadEnd, clock, codec, framing })(attempt);
      return { ...facts, losses };
    } catch (thrown) {
      return { ...facts, losses, ...(thrown === CURTAIN ? {} : { error: toGatewayError(thrown) }) };
    }
  };
