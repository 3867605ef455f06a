import type { Headers, JsonObject, Operation, WireName } from '../../canonical/wire.ts';
import { allowsModel } from '../../catalog/model-pattern.ts';
import type { Model } from '../../catalog/catalog.ts';
import type { RouteConfig } from '../../config/gateway-config.ts';
import { describeSuggestion } from '../../config/suggest.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { TargetProfile } from '../../contracts/codec.ts';
import type { Exchange, RequestHead } from '../../contracts/exchange.ts';
import { GatewayError, invalidRequest } from '../../errors.ts';
import { prepareExchange } from '../../exchange/prepare.ts';
import { createProgress } from '../../exchange/progress.ts';
import type { AppParts } from '../../http/app.ts';
import type { ExplainQuestion } from '../../http/admin/explain.ts';

export type Serving = Omit<AppParts, 'health'>;
/** A route that makes an exchange. */
interface ExchangeRouteConfig extends RouteConfig {
  readonly operation: Operation;
}

/** What a client that says hello sends. */
const HELLO = 'Hello';
const SAMPLE_CAP = 256;

const selectModel = ({ catalog }: Serving, { model: name }: ExplainQuestion, { key, models }: Caller): Model => {
  const model = catalog.find(name);
  if (model === undefined) {
    const suggestion = describeSuggestion(name, catalog.models.map(({ id }) => id));
    throw new GatewayError('model_not_found', `The configuration has no model and no alias ${JSON.stringify(name)}.${suggestion}`, { param: 'model' });
  }
  if (allowsModel(models, model.id)) return model;
  throw new GatewayError('permission_denied', `The key ${key} may not use ${model.id}, only ${models.join(', ')}: a request is answered as if there were no such model.`, { param: 'model' });
};

const isExchangeRoute = (route: RouteConfig): route is ExchangeRouteConfig => route.operation !== 'models' && route.operation !== 'count-tokens';

const selectRoute = ({ config: { routes } }: Serving, { wire }: ExplainQuestion, model: Model): ExchangeRouteConfig => {
  const open = routes.filter(isExchangeRoute);
  const route = open.find((candidate) => (wire === undefined ? model.serves(candidate.wire) : candidate.wire === wire));
  if (route !== undefined) return route;
  const wires = [...new Set(open.map((candidate) => candidate.wire))];
  if (wire === undefined) throw new GatewayError('model_not_found', `No route speaks a wire that ${model.id} is offered on (${model.entry.wires.join(', ')}); the routes speak ${wires.join(', ')}.`, { param: 'model' });
  throw invalidRequest('wire', `No route speaks the wire ${JSON.stringify(wire)}, only ${wires.join(', ')}.${describeSuggestion(wire, wires)}`);
};

interface Sample {
  readonly body: JsonObject;
  readonly headers: Headers;
}

/** The smallest request of a wire, as its own codec writes it. */
const writeSample = ({ codec }: Serving, { operation, wire }: ExchangeRouteConfig, model: string): Sample | undefined => {
  const profile: TargetProfile = { provider: '', model, wire, origin: { provider: '', family: '' }, capabilities: {} };
  const rest = { wire, members: {} };
  const ignore = (): void => {};
  if (operation === 'embed') return codec('embed', wire)?.upstream?.encodeRequest({ inputs: [HELLO], encoding: 'float', rest }, profile, ignore);
  const turns = [{ role: 'user', parts: [{ type: 'text', text: HELLO }] }] as const;
  const request = { wire, turns, tools: [], choices: 1, maxTokens: SAMPLE_CAP, stream: false, includeUsage: false, rest };
  return codec('generate', wire)?.upstream?.encodeRequest(request, profile, ignore);
};

const pathsOf = ({ config: { routes } }: Serving, { operation, wire }: RouteConfig): readonly string[] =>
  routes.filter((route) => route.operation === operation && route.wire === wire).map(({ path }) => path);

/** An exchange as a request would make it, up to where it would be admitted. */
export interface SampleExchange {
  readonly exchange: Exchange;
  readonly wire: WireName;
  /** Of all routes that lead there. */
  readonly paths: readonly string[];
}

/** @throws GatewayError what such a request would be refused with */
export const makeExchange = async (serving: Serving, question: ExplainQuestion, caller: Caller): Promise<SampleExchange> => {
  const model = selectModel(serving, question, caller);
  const route = selectRoute(serving, question, model);
  const { operation, wire, path, losses } = route;
  const client = serving.codec(operation, wire)?.client;
  const sample = writeSample(serving, route, question.model);
  if (client === undefined || (sample === undefined && question.body === undefined)) throw invalidRequest('body', `The wire ${wire} cannot write a request by itself; give the body that a client would send.`);

  // Some wires have the model in the path.
  const inPath = path.includes('{model}');
  const body = { ...(question.body ?? sample?.body), ...(inPath ? {} : { model: question.model }) };
  const head: RequestHead = {
    id: 'explain',
    route: { path, operation, wire },
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...sample?.headers },
    query: {},
    address: '127.0.0.1',
    startedAt: serving.clock.monotonic(),
    signal: new AbortController().signal,
  };
  const door = { readBody: async () => Buffer.from(JSON.stringify(body)), begin: () => {}, write: () => undefined, end: () => {}, cut: () => {}, begun: false, sent: 0 };
  // What versions a route allows is about headers, which a sample cannot know.
  const exchangeRoute = { operation, wire, client, ...(inPath ? { model: question.model } : {}), ...(losses === undefined ? {} : { losses }) };
  const exchange = await prepareExchange({ catalog: serving.catalog, identify: () => caller }, head, exchangeRoute, door, createProgress());
  return { exchange, wire, paths: pathsOf(serving, route) };
};
