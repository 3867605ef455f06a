import type { Loss } from '../canonical/loss.ts';
import type { Headers } from '../canonical/wire.ts';
import type { Exchange, RequestHead } from '../contracts/exchange.ts';
import type { Reply } from '../contracts/attempt.ts';
import type { ClientConnection } from './client-connection.ts';
import { COST_TRAILERS } from './cost-headers.ts';
import type { ExchangeState } from './exchange-state.ts';

/** Most characters of `x-koine-losses`, since proxies refuse long headers. The access log has all losses. */
const LOSSES_LENGTH = 2_048;

/** Header values are visible ASCII. Any other character, which can come from the client, becomes `?`. */
const printable = (text: string): string => text.replaceAll(/[^\u0021-\u007E]/g, '?');

/** The value of `x-koine-losses`: `logit_bias;dropped, max_tokens;injected`, each field once per kind. */
export function formatLosses(losses: readonly Loss[]): string {
  const named = [...new Set(losses.map(({ field, kind }) => `${printable(field)};${kind}`))];
  let text = '';
  for (const [index, loss] of named.entries()) {
    const next = text === '' ? loss : `${text}, ${loss}`;
    if (next.length > LOSSES_LENGTH) return `${text}${text === '' ? '' : ', '}and ${named.length - index} more`;
    text = next;
  }
  return text;
}

/** The request id under two names: OpenAI's SDKs read the first, Anthropic's the second. */
export const idHeaders = ({ id }: Pick<RequestHead, 'id'>): Record<string, string> => ({
  'x-request-id': id,
  'request-id': id,
});

/**
 * The gateway's own headers, as far as they are known when the headers are sent.
 * @param reply undefined if none has begun: the headers then name the attempt in flight
 */
export function replyHeaders(
  exchange: Exchange,
  { target, provider: tried, attempts, admissions, limits, firstContentMs, waitedMs }: ExchangeState,
  reply: Reply | undefined,
): Record<string, string> {
  const provider = reply?.target.provider ?? tried;
  const headers: Record<string, string> = {
    ...idHeaders(exchange),
    'x-koine-model': printable(exchange.model),
    'x-koine-attempts': String(attempts.length + (target === undefined ? 0 : 1)),
    // The listener would copy the headers to add it.
    'x-content-type-options': 'nosniff',
  };
  if (provider !== undefined) headers['x-koine-provider'] = printable(provider);
  if (firstContentMs !== undefined)
    headers['server-timing'] =
      `koine;dur=${(firstContentMs - waitedMs).toFixed(2)}, upstream;dur=${waitedMs.toFixed(2)}`;
  if (reply !== undefined) headers['x-koine-lane'] = reply.lane;
  if (reply !== undefined && reply.losses.length > 0) headers['x-koine-losses'] = formatLosses(reply.losses);
  if (limits !== undefined) Object.assign(headers, limits);
  for (const admission of admissions) Object.assign(headers, admission.headers);
  return headers;
}

/** Keeps caches and proxies from delaying events. */
export const streamHeaders: Headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };

/** The headers of a response that is sent as it arrives. The cost can follow it as trailers. */
export function openHeaders(
  exchange: Exchange,
  state: ExchangeState,
  reply: Reply | undefined,
  { hasTrailers }: Pick<ClientConnection, 'hasTrailers'>,
): Record<string, string> {
  const headers = { ...replyHeaders(exchange, state, reply), ...streamHeaders, ...reply?.headers };
  if (state.tellsCost && hasTrailers) headers['trailer'] = COST_TRAILERS;
  return headers;
}
