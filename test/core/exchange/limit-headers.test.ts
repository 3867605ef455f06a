import { expect } from 'chai';
import { describeLimits } from '../../../core/exchange/limit-headers.ts';
import type { Admission, LimitFigure, LimitFigures } from '../../../core/api/index.ts';
import { plainClient, runExchange } from './pipeline-scene.ts';
import { createTestTarget } from '../../../core/testing/index.ts';
import { createReply } from './sample-exchange.ts';

const figure = (limit: number, remaining: number): LimitFigure => ({ limit, remaining, resetMs: 1_000 });
const described = (admissions: readonly Admission[]): unknown => {
  let given: unknown;
  describeLimits([...admissions], {
    ...plainClient,
    encodeLimits: (figures: LimitFigures) => ((given = figures), {}),
  } as never);
  return given;
};

describe('the limit headers of an admitted exchange', () => {
  it("adds the limits to the response headers, with the names of the client's wire", async () => {
    const plugins = [{ admit: () => ({ limits: { requests: figure(60, 59) }, headers: { 'x-own': 'yes' } }) }];
    for (const body of ['{"model":"vendor/model"}', '{"model":"vendor/model","stream":true}']) {
      const { connection } = await runExchange({
        body,
        plugins,
        parts: { dispatch: () => Promise.resolve(createReply(createTestTarget('vendor/m'))) },
      });
      expect(connection.headers).to.include({ 'x-limit': '60', 'x-own': 'yes' });
    }
  });

  it('adds the limits to the response of a failed upstream', async () => {
    const { connection } = await runExchange({
      plugins: [{ admit: () => ({ limits: { requests: figure(60, 59) } }) }],
    });
    expect(connection.status).to.equal(500);
    expect(connection.headers).to.include({ 'x-limit': '60' });
  });

  it('reports the tightest limit per unit of several plugins', () => {
    expect(
      described([
        { limits: { requests: figure(60, 5), tokens: figure(1_000, 10) } },
        {},
        { limits: { requests: figure(600, 500), tokens: figure(500, 2) } },
      ]),
    ).to.deep.equal({
      requests: figure(60, 5),
      tokens: figure(500, 2),
    });
  });

  it('adds no limits if no plugin has any, or if the wire has no names for them', () => {
    expect(described([{}, { headers: {} }])).to.equal(undefined);
    const { encodeLimits: _encodeLimits, ...mute } = plainClient;
    expect(describeLimits([{ limits: { requests: figure(1, 1) } }], mute as never)).to.deep.equal({});
  });
});
