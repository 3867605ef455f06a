import { expect } from 'chai';
import { KEY } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { parseMetrics, sumOf } from '../../support/parse-metrics.ts';
import { secrets } from '../models.ts';
import type { FaultScene, Said } from '../scene.ts';

/** Far longer than anything here takes; the rest of a complete response is awaited for a second. */
const PATIENCE = 30_000;

/** Checks repeatedly until there is no error. */
export const settles = async (look: () => unknown): Promise<void> => {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    try {
      await look();
      return;
    } catch (thrown) {
      if (performance.now() > deadline) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
};

export const exchangesOf = (scene: FaultScene): readonly Said['fields'][] =>
  scene
    .said()
    .filter(({ text }) => text === 'exchange')
    .map(({ fields }) => fields);

/** The log line of the exchange with this response. */
export const lineOf = async (scene: FaultScene, { headers }: HttpReply): Promise<Said['fields']> => {
  const find = (): Said['fields'] | undefined =>
    exchangesOf(scene).find(({ request_id }) => request_id === headers['x-request-id']);
  await settles(() => expect(find(), 'a line in the access log').to.not.equal(undefined));
  return find() ?? {};
};

/** The trail of the last exchange. */
export const lastAttempts = (scene: FaultScene): readonly Said['fields'][] =>
  (exchangesOf(scene).at(-1)?.['attempts'] ?? []) as readonly Said['fields'][];

const idsOf = (said: readonly Said[], text: string): readonly string[] =>
  said
    .filter((line) => line.text === text)
    .map(({ fields }) => String(fields['request_id']))
    .toSorted();

const countInFlight = async ({ adminUrl }: FaultScene): Promise<number> => {
  const { text } = await send(adminUrl, { method: 'GET', path: '/metrics', headers: {} });
  return sumOf(parseMetrics(text), 'koine_requests_in_flight');
};

/** How many lines and responses of a scene were searched for secrets. */
const searched = new WeakMap<FaultScene, { said: number; replies: number }>();

/** Neither logs nor responses, headers included, contain a key. */
const findSecrets = (scene: FaultScene): void => {
  const [said, { replies }] = [scene.said(), scene];
  const from = searched.get(scene) ?? { said: 0, replies: 0 };
  const shown = JSON.stringify([
    said.slice(from.said),
    replies.slice(from.replies).map((reply) => (reply instanceof Error ? reply.message : reply)),
  ]);
  for (const secret of [...Object.values(secrets), KEY]) expect(shown, 'a secret').to.not.include(secret);
  searched.set(scene, { said: said.length, replies: replies.length });
};

/** Checked after every test, whatever happened to the gateway. */
export const holdInvariants = async (scene: FaultScene): Promise<void> => {
  const { replies, upstream } = scene;
  expect(scene.complaints()).to.deep.equal([]);
  // A test that has already checked, and made no call since, need not wait again.
  if (searched.get(scene)?.replies === replies.length) return;
  await settles(() =>
    expect(exchangesOf(scene), 'one line in the access log for each exchange').to.have.length(replies.length),
  );
  const ids = idsOf(scene.said(), 'exchange');
  expect(new Set(ids).size).to.equal(ids.length);
  await settles(() =>
    expect(idsOf(scene.said(), 'spy: settled'), 'every admission is settled once').to.deep.equal(
      idsOf(scene.said(), 'spy: admitted'),
    ),
  );
  await settles(async () => expect(await countInFlight(scene), 'in flight').to.equal(0));
  await settles(() =>
    expect(
      upstream.lines.filter(({ raw, idle }) => !raw.closed && !idle),
      'connections to the upstream that are neither closed nor idle',
    ).to.have.length(0),
  );
  expect(scene.isAlive(), 'every process is alive').to.equal(true);
  expect(scene.complaints()).to.deep.equal([]);
  findSecrets(scene);
  expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
};
