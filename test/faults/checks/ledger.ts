import { expect } from 'chai';
import { send } from '../../support/http.ts';
import type { Said } from '../scene.ts';

/** Far longer than a row takes to reach the ledger. */
const PATIENCE = 30_000;

const countSettled = async (adminUrl: string): Promise<number> => {
  const { text } = await send(adminUrl, { method: 'GET', path: '/admin/usage', headers: {} });
  return (JSON.parse(text) as { readonly totals: { readonly exchanges: number } }).totals.exchanges;
};

/** Checked after a scene: every admitted exchange is one settled row of the ledger. */
export const holdLedger = async (adminUrl: string, said: readonly Said[]): Promise<void> => {
  const admitted = said.filter(({ text }) => text === 'spy: admitted').length;
  let settled = -1;
  for (
    const deadline = performance.now() + PATIENCE;
    settled !== admitted && performance.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 10))
  )
    settled = await countSettled(adminUrl);
  expect(settled, 'settled rows of the ledger').to.equal(admitted);
};
