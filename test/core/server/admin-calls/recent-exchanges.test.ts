import { expect } from 'chai';
import type { AdminHandler } from '../../../../core/contracts/admin.ts';
import type { Admission, Outcome } from '../../../../core/contracts/outcome.ts';
import { createExchangeReport, createRecentExchanges } from '../../../../core/server/admin-calls/recent-exchanges.ts';
import { adminRequest } from '../../../support/admin.ts';

/** Of each exchange: a tag can have any name. */
const tags = { message: 'a' };
type Shown = Readonly<Record<string, unknown>>;
const refuse = (): never => {
  throw new Error('not here');
};

describe('the recent exchanges of a host', () => {
  const createScene = () => {
    const instance = createRecentExchanges();
    let list: AdminHandler = refuse;
    instance.admin?.({
      get: (_path, answer) => void (list = answer),
      post: refuse,
      patch: refuse,
      delete: refuse,
      page: refuse,
      panel: refuse,
    });
    const shown = async (query: Readonly<Record<string, string>> = {}): Promise<readonly Shown[]> =>
      (
        (await list({ ...adminRequest(), query })).body as {
          readonly exchanges: readonly Shown[];
        }
      ).exchanges;
    return {
      report: (worker: number, ...ats: readonly number[]) =>
        instance.handle?.(
          ats.map((at) => ({
            at,
            line: `{"level":"info","ts":"1970","worker":7,"request_id":"req_${at}","tags":{"message":"a"},"message":"exchange"}\n`,
            life: { startedAt: 0, limits: [], attempts: [], charges: [] },
          })),
          worker,
        ),
      shown,
    };
  };

  it('lists exchanges newest first, in whatever order they were reported, with their worker', async () => {
    const { report, shown } = createScene();
    report(1, 1_000, 4_000);
    report(2, 2_000, 3_000);
    report(0, 5_000);
    expect(await shown()).to.deep.equal([
      { endedAt: '1970-01-01T00:00:05.000Z', request_id: 'req_5000', tags },
      { endedAt: '1970-01-01T00:00:04.000Z', worker: 1, request_id: 'req_4000', tags },
      { endedAt: '1970-01-01T00:00:03.000Z', worker: 2, request_id: 'req_3000', tags },
      { endedAt: '1970-01-01T00:00:02.000Z', worker: 2, request_id: 'req_2000', tags },
      { endedAt: '1970-01-01T00:00:01.000Z', worker: 1, request_id: 'req_1000', tags },
    ]);
  });

  it('shows one exchange with its life, and none for an id that is not there', async () => {
    const { report, shown } = createScene();
    report(1, 1_000, 2_000);
    expect(await shown({ id: 'req_1000' })).to.deep.equal([
      {
        endedAt: '1970-01-01T00:00:01.000Z',
        worker: 1,
        request_id: 'req_1000',
        tags,
        life: { limits: [], attempts: [], charges: [] },
      },
    ]);
    expect(await shown({ id: 'req_100' })).to.deep.equal([]);
  });

  it('lists at most 200 recent exchanges', async () => {
    const { report, shown } = createScene();
    for (let from = 0; from < 500; from += 100) report(1, ...Array.from({ length: 100 }, (_, index) => from + index));
    const ids = (await shown()).map(({ request_id }) => request_id);
    expect(ids).to.have.length(200);
    expect([ids[0], ids.at(-1)]).to.deep.equal(['req_499', 'req_300']);
  });
});

const outcome: Outcome = {
  result: 'ok',
  status: 200,
  endedAt: 7,
  charges: [],
  usage: undefined,
  cost: undefined,
  attempts: [],
  times: { total: 1, own: 1 },
};

describe('the exchange report of a process', () => {
  it('sends the latest 200 exchanges in one message, and drops a report that cannot be sent', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly object[]>();
    const sent: unknown[] = [];
    const report = createExchangeReport({
      call: (message) => (sent.push(message), resolve(message as readonly object[]), Promise.reject(new Error('gone'))),
    });
    let described = 0;
    const limited: Admission = { admitted: () => ((described += 1), []) };
    for (let index = 0; index < 300; index += 1) report({ line: `${index}`, outcome, startedAt: 0, limited });
    const reported = await promise;
    const life = { startedAt: 0, limits: [], attempts: [], charges: [] };
    expect(reported).to.have.length(200);
    expect([reported[0], reported.at(-1)]).to.deep.equal([
      { at: 7, line: '100', life },
      { at: 7, line: '299', life },
    ]);
    expect(sent).to.have.length(1);
    // Those that no report has are not described.
    expect(described).to.equal(200);
  });
});
