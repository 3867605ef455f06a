import type { Charge, ReserveRequest } from './store/store.ts';

/** What a serving process asks of the twin in the primary: the calls of a store, as JSON. */
export type PrimaryMessage =
  | { readonly call: 'reserve'; readonly request: ReserveRequest }
  | { readonly call: 'settle'; readonly tenant: string; readonly id: string; readonly actual: readonly number[] }
  | { readonly call: 'refresh'; readonly tenant: string; readonly ids: readonly string[]; readonly leaseMs: number }
  | { readonly call: 'peek'; readonly tenant: string; readonly charges: readonly Charge[] };
