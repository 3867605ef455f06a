import type { AdminRouter } from '../contracts/admin.ts';
import { addExplainCall } from '../http/admin/explain.ts';
import { addKeyCalls } from '../http/admin/keys.ts';
import type { LinkPrimary } from '../process/link.ts';
import { createKeyRegister } from '../tenancy/key-register.ts';
import type { Serving } from './explain/exchange.ts';
import { createExplain } from './explain/explain.ts';
import type { House } from './house.ts';
import { startServing } from './serving.ts';

/**
 * Plugins explain in a set of instances of their own, which serves nobody and is started by the first question: the process of this listener may
 * have no other (its workers serve), and what counts for all of them is asked of the primary halves, which are here.
 */
const startOnce = (house: House, link: LinkPrimary): (() => Promise<Serving>) => {
  let serving: Promise<Serving> | undefined;
  return () => {
    serving ??= startServing(house, link).catch((thrown: unknown) => {
      serving = undefined;
      throw thrown;
    });
    return serving;
  };
};

/** What the core itself answers on the admin listener: docs/admin.md. */
export const addCoreCalls = (router: AdminRouter, house: House, link: LinkPrimary): void => {
  const { loaded, table, clock } = house;
  addKeyCalls(router, createKeyRegister({ config: loaded.config, table, clock }));
  addExplainCall(router, createExplain(house, startOnce(house, link)));
};
