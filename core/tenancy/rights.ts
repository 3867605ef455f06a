import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { Caller } from '../contracts/caller.ts';

/** What a key allows. */
export type Rights = Pick<Caller, 'models' | 'limits' | 'losses' | 'vendorState'>;

/** The rights alone of a key in whatever form. */
export const rightsOf = ({ models, limits, losses, vendorState }: Rights): Rights =>
  omitUndefined({
    models,
    limits,
    losses,
    vendorState,
  });
