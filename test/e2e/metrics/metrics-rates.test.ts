import { expect } from 'chai';
import { appendFileSync } from 'node:fs';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { callOf } from '../../support/calls.ts';
import { send } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import type { Step } from '../../../plugins/metrics/recent-rates.ts';

interface Answer {
  readonly stepSeconds: number;
  readonly inFlight: number;
  readonly rates: readonly Step[];
}

describe('GET /admin/rates', () => {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine({ server: { workers: 2 }, plugins: [{ use: 'metrics' }, { use: 'auth' }] });
  });
  after(() => koine?.end());

  it('has the requests of all workers within the step that follows, also after a reload', async function () {
    this.timeout(120_000);
    const calls = [
      ...Array.from({ length: 6 }, () => callOf('chat', 'simulator/chat')),
      callOf('chat', 'no/such-model'),
      callOf('chat', 'simulator/chat?status=500'),
    ];
    const replies = await Promise.all(calls.map((call) => send(koine.url, call)));
    appendFileSync(koine.file, 'aliases: { fast: simulator/chat }\n');
    await until('a reload', () => koine.lines().some(({ trigger }) => trigger === 'file'));
    const read = async (): Promise<Answer> =>
      JSON.parse((await send(koine.adminUrl, { method: 'GET', path: '/admin/rates', headers: {} })).text) as Answer;
    const sumOf = ({ rates }: Answer, name: 'success' | 'client_error' | 'failure'): number =>
      rates.reduce((total, step) => total + step[name], 0);
    let answer = await read();
    await until(
      'a step with all requests',
      async () => {
        answer = await read();
        return (
          answer.rates.reduce((all, step) => all + step.success + step.client_error + step.failure, 0) === calls.length
        );
      },
      100,
    );
    const good = replies.filter(({ status }) => status === 200).length;
    expect([sumOf(answer, 'success'), sumOf(answer, 'client_error')]).to.deep.equal([good, calls.length - good]);
    expect(answer).to.deep.include({ stepSeconds: 10, inFlight: 0 });
    const step = answer.rates.find(({ success }) => success > 0);
    expect(step?.p50Ms).to.be.greaterThan(-1);
    expect(step?.tokens).to.be.greaterThan(0);
  });
});
