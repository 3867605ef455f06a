import { expect } from 'chai';
import { askAdmin, readJson } from '../../../support/admin.ts';
import { greet } from '../../../support/calls.ts';
import { MESSAGES } from '../../../support/scene.ts';
import { until } from '../../../support/until.ts';
import { startServed, type Served } from './served.ts';

const TOKENS = 100_000;
const OUTPUT = 20;

interface Explanation {
  readonly request: { readonly estimate: { readonly inputTokens: number } };
  readonly plugins: readonly {
    readonly use: string;
    readonly says?: { readonly limits: readonly { readonly unit: string; readonly remaining: number }[] };
  }[];
}

describe('rate-limit: a request for several responses of a vendor with one per call', () => {
  let served: Served;
  before(async () => {
    served = await startServed({
      alice: [{ requests: 10, per: '1h' }, { concurrent: 5 }, { tokens: TOKENS, per: '1h' }],
    });
  });
  after(() => served.stop());

  const left = async (): Promise<ReadonlyMap<string, number>> => {
    const { plugins } = readJson<Explanation>(
      await askAdmin(served.gateway, 'POST', '/admin/explain', { key: 'alice', model: MESSAGES }),
    );
    return new Map(
      plugins.find(({ use }) => use === 'rate-limit')?.says?.limits.map(({ unit, remaining }) => [unit, remaining]),
    );
  };

  it('counts a request for several responses as one request and one place, with the tokens of every call', async () => {
    const release = Promise.withResolvers<void>();
    served.upstream.answer = async (response, call) => {
      await release.promise;
      await greet(response, call);
    };
    const answer = served.ask('chat', MESSAGES, { more: { n: 16, max_tokens: OUTPUT } });
    await until('all calls are made', () => served.upstream.calls.length === 16);
    const during = await left();
    expect([during.get('requests'), during.get('concurrent')]).to.deep.equal([9, 4]);
    const reserved = TOKENS - Number(during.get('tokens'));
    expect(reserved % 16, 'the same for each call').to.equal(0);
    expect(reserved).to.be.above(16 * OUTPUT);
    release.resolve();
    expect((await answer).status).to.equal(200);
    await served.gateway.settled(1);
    const after = await left();
    expect([after.get('requests'), after.get('concurrent')]).to.deep.equal([9, 5]);
    const [line] = served.gateway.exchanges();
    expect(TOKENS - Number(after.get('tokens'))).to.equal(Number(line?.['tokens_in']) + Number(line?.['tokens_out']));
  });
});
