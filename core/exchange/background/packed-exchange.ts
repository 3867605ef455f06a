import { isObject } from '../../canonical/json/members.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { ExchangeOf, RequestHead } from '../../contracts/exchange.ts';
import type { Target } from '../../contracts/target.ts';
import type { BackgroundRecord } from '../../services/background/records.ts';
import { unmetered } from '../overload/overload.ts';

/** What is kept of an exchange until its background response has ended: JSON without text of the request. */
type PackedExchange = Pick<ExchangeOf<'generate'>, 'id' | 'route' | 'path' | 'address' | 'caller' | 'model'> &
  Pick<ExchangeOf<'generate'>, 'attribution' | 'estimate' | 'headers'> & {
    readonly request: Pick<ExchangeOf<'generate'>['request'], 'stream' | 'reasoning' | 'deferred'>;
    readonly target: Pick<Target, 'id' | 'provider' | 'model' | 'price'>;
    /** Unix milliseconds. */
    readonly openedAt: number;
  };

/** The headers by which a request is found. */
const KEPT = ['traceparent', 'x-request-id', 'user-agent'] as const;
const MOST_CHARACTERS = 256;
/** The member of an object in place of a bigint. */
const BIGINT = 'bigint';

const headersOf = ({ headers }: RequestHead): RequestHead['headers'] =>
  Object.fromEntries(
    KEPT.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name].slice(0, MOST_CHARACTERS)]])),
  );

/** @param openedAt when the request arrived, in unix milliseconds */
export const packExchange = (exchange: ExchangeOf<'generate'>, target: Target, openedAt: number): string => {
  const { id, route, path, address, caller, model, attribution, estimate } = exchange;
  const { stream, reasoning, deferred } = exchange.request;
  const packed = {
    id,
    route,
    path,
    address,
    caller,
    model,
    attribution,
    estimate,
    openedAt,
    headers: headersOf(exchange),
    request: { stream, reasoning, deferred },
    target: { id: target.id, provider: target.provider, model: target.model, price: target.price },
  } satisfies PackedExchange;
  return JSON.stringify(packed, (_key, value: unknown) =>
    typeof value === 'bigint' ? { [BIGINT]: String(value) } : value,
  );
};

const parsePacked = (text: string): PackedExchange =>
  JSON.parse(text, (_key, value: unknown) =>
    isObject(value) && typeof value[BIGINT] === 'string' ? BigInt(value[BIGINT]) : value,
  ) as PackedExchange;

export interface UnpackedExchange {
  readonly exchange: ExchangeOf<'generate'>;
  readonly target: Target;
  /** When its request arrived, in unix milliseconds. */
  readonly openedAt: number;
}

/** A background response that is not settled. */
export interface OpenResponse extends UnpackedExchange {
  readonly record: BackgroundRecord;
}

const NOTHING = new Uint8Array();
/** Nothing ends it: its client has the id, and may come back at any time. */
const neverAborts = new AbortController().signal;

/** A target that the configuration has no more: it has the price of its creation. */
const goneTarget = (known: PackedExchange['target']): Target => ({
  ...known,
  endpoint: { wires: [], origin: { provider: known.provider, family: known.provider } },
  credentials: [],
});

/**
 * The exchange as hooks get it after its request: with its caller, its estimate and its target, and without turns.
 * @param now unix and monotonic milliseconds
 */
export function unpackExchange(
  text: string,
  catalog: Pick<Catalog, 'find'>,
  now: { readonly unix: number; readonly monotonic: number },
): UnpackedExchange {
  const packed = parsePacked(text);
  const { request, target: known, openedAt, headers, ...facts } = packed;
  const target = catalog.find(facts.model)?.targets.find(({ id }) => id === known.id) ?? goneTarget(known);
  const { wire } = facts.route;
  const exchange: ExchangeOf<'generate'> = {
    ...facts,
    headers,
    operation: 'generate',
    method: 'POST',
    query: {},
    startedAt: now.monotonic - (now.unix - openedAt),
    signal: neverAborts,
    inbound: { raw: NOTHING, body: {}, headers, query: {} },
    request: { ...request, wire, turns: [], tools: [], choices: 1, includeUsage: true, extra: { wire, members: {} } },
    framing: 'sse',
    targets: [target],
    losses: 'allow',
    hostedTools: 'refuse',
    work: unmetered,
    attempts: [],
  };
  return { exchange, target, openedAt };
}
