import { operations } from '../../canonical/operation/operations.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Operation } from '../../canonical/wire.ts';
import { allowsModel } from '../../catalog/model-pattern.ts';
import type { Model } from '../../catalog/catalog.ts';
import type { RouteConfig } from '../../config/gateway-config.ts';
import { describeSuggestion } from '../../config/suggest.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { RequestHead } from '../../contracts/exchange.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { ExchangeState, isStreamed, type ExchangeRoute } from '../../exchange/exchange-state.ts';
import { TAGS_HEADER, USER_HEADER } from '../../exchange/request/attribution.ts';
import { parseRequest } from '../../exchange/read-request.ts';
import { readExchange } from '../../exchange/rewrite.ts';
import type { ExplainRequest } from '../../http/admin/explain.ts';
import type { Serving } from '../serving/serving.ts';
import { writeSample } from './sample-request.ts';

/** A route whose requests become exchanges. */
interface ExchangeRouteConfig extends RouteConfig {
  readonly operation: Operation;
}

const selectModel = ({ catalog }: Serving, { model: name }: ExplainRequest, { key, models }: Caller): Model => {
  const model = catalog.find(name);
  if (model === undefined) {
    const suggestion = describeSuggestion(
      name,
      catalog.models.map(({ id }) => id),
    );
    throw new GatewayError(
      'model_not_found',
      `The configuration has no model and no alias ${JSON.stringify(name)}.${suggestion}`,
      { param: 'model' },
    );
  }
  if (allowsModel(models, model.id)) return model;
  throw new GatewayError(
    'permission_denied',
    `The key ${key} may not use ${model.id}, only ${models.join(', ')}: ` +
      'a request gets the same error as for an unknown model.',
    { param: 'model' },
  );
};

const isSideOperation = ({ operation }: ExchangeRouteConfig): boolean => operations[operation].substitute !== undefined;

const isExchangeRoute = (route: RouteConfig): route is ExchangeRouteConfig => route.operation !== 'models';

const selectRoute = (
  { config: { routes } }: Serving,
  { wire, operation, stream = false }: ExplainRequest,
  model: Model,
): ExchangeRouteConfig => {
  const all = routes.filter(isExchangeRoute);
  // A request without an operation means the main one of the wire.
  const isMain = (candidate: ExchangeRouteConfig): boolean =>
    !isSideOperation(candidate) ||
    (candidate.wire === wire && !all.some((other) => other.wire === wire && !isSideOperation(other)));
  const open = all.filter((candidate) =>
    operation === undefined ? isMain(candidate) : candidate.operation === operation,
  );
  const matching = open.filter((candidate) =>
    wire === undefined ? model.serves(candidate.wire) : candidate.wire === wire,
  );
  const route = matching.find((candidate) => (candidate.stream ?? false) === stream) ?? matching[0];
  if (route !== undefined) return route;
  const wires = [...new Set(open.map((candidate) => candidate.wire))];
  const wanted = operation === undefined ? 'route' : `route for ${operation}`;
  if (wires.length === 0) throw invalidRequest('operation', `The configuration has no ${wanted}.`);
  if (wire === undefined)
    throw new GatewayError(
      'model_not_found',
      `No ${wanted} speaks a wire that ${model.id} is offered on (${model.entry.wires.join(', ')}); ` +
        `the routes speak ${wires.join(', ')}.`,
      { param: 'model' },
    );
  throw invalidRequest(
    'wire',
    `No ${wanted} speaks the wire ${JSON.stringify(wire)}, only ${wires.join(', ')}.${describeSuggestion(wire, wires)}`,
  );
};

const pathsOf = ({ config: { routes } }: Serving, { operation, wire, stream }: RouteConfig): readonly string[] =>
  routes
    .filter((route) => route.operation === operation && route.wire === wire && route.stream === stream)
    .map(({ path }) => path);

/**
 * An exchange as a request would create it, before it is admitted; `paths` are those of all routes of this wire and
 * operation.
 * @throws GatewayError as such a request would be refused
 */
export async function makeExchange(serving: Serving, request: ExplainRequest, caller: Caller) {
  const model = selectModel(serving, request, caller);
  const route = selectRoute(serving, request, model);
  const { operation, wire, path, losses, stream, vendorState, hostedTools } = route;
  if (request.stream === true && operation !== 'generate')
    throw invalidRequest('stream', `stream is for generation, and the route ${path} is for ${operation}.`);
  const { client, traits = {} } = serving.codec(operation, wire) ?? {};
  const sample = writeSample(serving, route, request);
  if (client === undefined || (sample === undefined && request.body === undefined))
    throw invalidRequest(
      'body',
      `The gateway has no encoder for the wire ${wire}; give the body that a client would send.`,
    );

  // Some wires have the model in the path, and separate routes for streams.
  const inPath = path.includes('{model}');
  const streams = request.stream === true && stream === undefined ? { stream: true } : {};
  const body = { ...(request.body ?? sample?.body), ...(inPath ? {} : { model: request.model }), ...streams };
  const head: RequestHead = {
    id: 'explain',
    route: { path, operation, wire },
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      ...sample?.headers,
      ...(request.user === undefined ? {} : { [USER_HEADER]: request.user }),
      ...(request.tags === undefined ? {} : { [TAGS_HEADER]: request.tags }),
    },
    query: {},
    address: '127.0.0.1',
    startedAt: serving.clock.monotonic(),
    signal: new AbortController().signal,
  };
  // Whether a version is allowed depends on headers, which a sample does not have.
  const exchangeRoute: ExchangeRoute = omitUndefined({
    operation,
    wire,
    traits,
    client,
    stream,
    losses,
    vendorState,
    hostedTools,
  });
  const state = new ExchangeState(head, exchangeRoute, inPath ? request.model : undefined);
  const inbound = parseRequest(state, Buffer.from(JSON.stringify(body)));
  const exchange = await readExchange(serving, state, caller, inbound);
  return { exchange, wire, stream: isStreamed(exchange), paths: pathsOf(serving, route), route, model };
}
