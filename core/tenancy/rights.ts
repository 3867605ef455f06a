import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { Caller } from '../contracts/caller.ts';

/** What a key is allowed to do. */
export type Rights = Pick<
  Caller,
  'models' | 'limits' | 'losses' | 'vendorState' | 'costHeaders' | 'hostedTools' | 'tags'
>;

/** Extracts the rights of a key. */
export const rightsOf = ({ models, limits, losses, vendorState, costHeaders, hostedTools, tags }: Rights): Rights =>
  omitUndefined({
    models,
    limits,
    losses,
    vendorState,
    costHeaders,
    hostedTools,
    tags,
  });
