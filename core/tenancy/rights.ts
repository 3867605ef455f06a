import type { Caller } from '../contracts/caller.ts';

/** What a key allows. */
export type Rights = Pick<Caller, 'models' | 'limits' | 'losses' | 'vendorState'>;

/** The rights alone of a key in whatever form. */
export const rightsOf = ({ models, limits, losses, vendorState }: Rights): Rights => ({
  models,
  ...(limits === undefined ? {} : { limits }),
  ...(losses === undefined ? {} : { losses }),
  ...(vendorState === undefined ? {} : { vendorState }),
});
