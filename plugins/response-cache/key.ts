import { createHash } from 'node:crypto';
import { allowsModel, type Exchange } from '../../core/api/index.ts';
import { isObject } from '../../core/api/codec.ts';
import { operations } from '../../core/api/internal.ts';
import type { ResponseCacheOptions } from './schema.ts';

/** Headers with which clients choose versions of a wire. */
const VERSION_HEADERS = ['anthropic-version', 'anthropic-beta', 'openai-beta'];

/** Whether equal requests can have the same response. */
export function isCacheable(exchange: Exchange, { when, models }: ResponseCacheOptions): boolean {
  if (models.length > 0 && !allowsModel(models, exchange.model)) return false;
  if (operations[exchange.operation].isRepeatable === true) return true;
  if (exchange.operation !== 'generate') return false;
  const { vendorState = [], deferred, temperature, tools } = exchange.request;
  // What the vendor keeps can change between two requests.
  if (vendorState.length > 0 || deferred !== undefined) return false;
  return when === 'always' || (temperature === 0 && tools.every(({ kind }) => kind !== 'hosted'));
}

/** The body without what only chooses the form of the response. */
const bodyOf = ({ inbound: { body } }: Exchange): unknown => {
  if (!isObject(body)) return body;
  const { stream: _stream, stream_options: _options, ...rest } = body;
  return rest;
};

/** Requests with the same key get the same response. A digest, because requests are long and private. */
export function keyOf(exchange: Exchange, shared: ResponseCacheOptions['shared']): string {
  const { organization, project, key } = exchange.caller;
  const scope = { organization: [organization], project: [organization, project], key: [organization, project, key] };
  const { operation, route, model, losses, hostedTools, request, isRewritten, inbound } = exchange;
  const { alt: _form, ...query } = inbound.query;
  const parts = [
    shared,
    scope[shared],
    operation,
    route.wire,
    model,
    losses,
    hostedTools,
    VERSION_HEADERS.map((name) => inbound.headers[name] ?? ''),
    query,
    // The body does not show what a plugin has changed.
    isRewritten === true ? { ...request, stream: undefined, includeUsage: undefined } : undefined,
    bodyOf(exchange),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
