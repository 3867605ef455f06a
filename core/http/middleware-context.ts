import type { Context } from 'koa';
import type { MiddlewareContext } from '../contracts/exchange.ts';
import type { Clock } from '../contracts/services.ts';
import type { ReadAddress } from './request/client-address.ts';
import { newOrderedId } from '../lanes/new-id.ts';
import { queryOf, readHeaders } from './request/request-head.ts';
import type { GatewayResponse } from './response/gateway-response.ts';
import type { Routes } from './routes.ts';

export interface ContextParts extends Pick<Routes, 'find'> {
  readonly readAddress: ReadAddress;
  readonly clock: Clock;
}

type Getters = { readonly [Name in keyof MiddlewareContext]?: (context: Context) => MiddlewareContext[Name] };

/** Adds what the contract promises to the prototype of Koa's contexts, so that only members that are read cost. */
export function extendContext(prototype: object, { find, readAddress, clock }: ContextParts): void {
  const getters: Getters = {
    headers: ({ req }) => readHeaders(req.headers),
    query: ({ req }) => queryOf(req.url ?? ''),
    ip: ({ req }) => readAddress(req),
    requestId: (context) => {
      const res = context.res as GatewayResponse;
      return res.head?.id ?? (res.requestId ??= newOrderedId('req_', clock.now()));
    },
    route: ({ method, path }) => find(method, path)?.info,
  };
  for (const [name, read] of Object.entries(getters))
    Object.defineProperty(prototype, name, {
      get(this: Context) {
        return read(this);
      },
    });
}
