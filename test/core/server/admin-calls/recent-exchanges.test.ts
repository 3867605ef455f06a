import { expect } from 'chai';
import type { AdminHandler } from '../../../../core/contracts/admin.ts';
import { createExchangeReport, createRecentExchanges } from '../../../../core/server/admin-calls/recent-exchanges.ts';
import { adminRequest } from '../../../support/admin.ts';

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
    });
    const shown = async (): Promise<readonly Shown[]> =>
      (
        (await list(adminRequest())).body as {
          readonly exchanges: readonly Shown[];
        }
      ).exchanges;
    return {
      report: (worker: number, ...ats: readonly number[]) =>
        instance.handle?.(
          ats.map((at) => ({ at, fields: `"request_id":"req_${at}"` })),
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
      { endedAt: '1970-01-01T00:00:05.000Z', request_id: 'req_5000' },
      { endedAt: '1970-01-01T00:00:04.000Z', worker: 1, request_id: 'req_4000' },
      { endedAt: '1970-01-01T00:00:03.000Z', worker: 2, request_id: 'req_3000' },
      { endedAt: '1970-01-01T00:00:02.000Z', worker: 2, request_id: 'req_2000' },
      { endedAt: '1970-01-01T00:00:01.000Z', worker: 1, request_id: 'req_1000' },
    ]);
  });

  it('lists at most 200 recent exchanges', async () => {
    const { report, shown } = createScene();
    for (let from = 0; from < 500; from += 100) report(1, ...Array.from({ length: 100 }, (_, index) => from + index));
    const ids = (await shown()).map(({ request_id }) => request_id);
    expect(ids).to.have.length(200);
    expect([ids[0], ids.at(-1)]).to.deep.equal(['req_499', 'req_300']);
  });
});

describe('the exchange report of a process', () => {
  it('sends the latest 200 exchanges in one message, and drops a report that cannot be sent', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly object[]>();
    const sent: unknown[] = [];
    const report = createExchangeReport(
      {
        call: (message) => (
          sent.push(message),
          resolve(message as readonly object[]),
          Promise.reject(new Error('gone'))
        ),
      },
      { now: () => 7, monotonic: () => 0 },
    );
    for (let index = 0; index < 300; index += 1) report(`"index":${index}`);
    const reported = await promise;
    expect(reported).to.have.length(200);
    expect([reported[0], reported.at(-1)]).to.deep.equal([
      { at: 7, fields: '"index":100' },
      { at: 7, fields: '"index":299' },
    ]);
    expect(sent).to.have.length(1);
  });
});
