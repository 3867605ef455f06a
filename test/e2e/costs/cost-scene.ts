import { readLedger } from '../../ledger/read-ledger.ts';
import { pluginsWith } from '../../support/failover-scene.ts';
import { KEY } from '../../support/gateway.ts';
import { goodHeaders } from '../../support/http.ts';
import { CHAT, MESSAGES, entryOf, everyWire, sceneModels, startScene, type Scene } from '../../support/scene.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

/** USD per million tokens: a call costs an odd number of nano-dollars. */
const price = { input: 1.234567, output: 7.654321, cacheRead: 0.111111 };

export const UNPRICED = 'house/unpriced';
/** First at OpenAI, then at Anthropic. */
export const TWICE = 'house/twice';

const targetsOf = (id: string): readonly object[] => (entryOf(id) as { readonly targets: readonly object[] }).targets;

const models = {
  ...Object.fromEntries(Object.entries(sceneModels).map(([id, model]) => [id, { ...model, price }])),
  [TWICE]: { wires: everyWire, targets: [...targetsOf(CHAT), ...targetsOf(MESSAGES)], price },
  [UNPRICED]: { wires: everyWire, targets: [{ provider: 'openai', model: 'gpt-unknown' }] },
};

/** The secret of a key without `costHeaders`, and of one that turns them off. */
export const PLAIN_KEY = 'plain-key-0123456789abcdef';
export const OFF_KEY = 'off-key-0123456789abcdef00';

const keys = {
  alice: { key: KEY, costHeaders: 'on' },
  bob: { key: PLAIN_KEY },
  carol: { key: OFF_KEY, costHeaders: 'off' },
};

export const headersOf = (key: string): Readonly<Record<string, string>> => ({
  ...goodHeaders,
  authorization: `Bearer ${key}`,
});

export interface CostScene extends Scene {
  /** What the ledger has charged for an exchange, in nano-dollars; null: it has no price. */
  chargeOf(requestId: string | undefined): Promise<bigint | null>;
}

/** A gateway with a ledger, whose first key sees its costs. */
export const startCostScene = async (settings: Readonly<Record<string, unknown>> = {}): Promise<CostScene> => {
  const folder = createTemporaryFolder();
  const database = `sqlite:${folder.path}/koine.db`;
  const scene = await startScene({
    models,
    store: { database },
    organizations: { acme: { projects: { web: { keys } } } },
    plugins: [...pluginsWith({}), { use: 'ledger' }],
    ...settings,
  });
  const findRow = (id: string) =>
    readLedger(database, (ledger) =>
      ledger.selectFrom('ledger').select('cost').where('id', '=', id).where('state', '=', 'settled').executeTakeFirst(),
    );
  return {
    ...scene,
    chargeOf: async (id = '') => {
      let row: Awaited<ReturnType<typeof findRow>>;
      await until(`the ledger has a settled row for ${id}`, async () => (row = await findRow(id)) !== undefined);
      return typeof row?.cost === 'number' ? BigInt(row.cost) : (row?.cost ?? null);
    },
    stop: async (expected) => {
      await scene.stop(expected);
      folder.remove();
    },
  };
};
