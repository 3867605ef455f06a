import { expect } from 'chai';
import ledger from '../../plugins/ledger/index.ts';
import rateLimit from '../../plugins/rate-limit/index.ts';
import { callOf } from '../support/calls.ts';
import { KEY } from '../support/gateway.ts';
import { send, type HttpReply } from '../support/http.ts';
import { modelIds } from '../support/scene.ts';
import { answerJson, answerSse } from '../support/upstream.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { framesOf, textOf } from '../matrix/vendors/vendors.ts';
import { someTokens, type Json } from '../matrix/wires.ts';
import { until } from '../support/until.ts';
import { startWatched, type WatchedScene } from './support/witness.ts';

const CAP = 100;

describe('a response that the vendor produces in the background', () => {
  let scene: WatchedScene;
  const start = async (settings: Json, status = 'queued'): Promise<void> => {
    scene = await startWatched({ settings, plugins: [{ definition: rateLimit }, { definition: ledger }] });
    scene.upstream.answer = (response) =>
      answerJson(response, {
        ...(JSON.parse(textOf('responses', 'plain', goodDay)) as Json),
        status,
        output: [],
        usage: null,
      });
  };
  const ask = (more: Json = {}): Promise<HttpReply> =>
    send(scene.gateway.url, callOf('responses', modelIds.responses, { more: { background: true, ...more } }));
  const outcome = () => [...scene.outcomes.values()].at(-1)?.[0];
  afterEach(async () => {
    await scene.check();
    await scene.stop();
  });

  const limits: Readonly<Record<string, Json>> = {
    'a key of the gateway': { limits: [{ cost: 5, per: 'day' }] },
    'an organization': {
      organizations: {
        acme: { limits: [{ tokens: 100_000, per: '1m' }], projects: { web: { keys: { alice: { key: KEY } } } } },
      },
    },
    'a project': {
      organizations: {
        acme: { projects: { web: { limits: [{ outputTokens: 100_000, per: '1m' }], keys: { alice: { key: KEY } } } } },
      },
    },
  };
  for (const [holder, settings] of Object.entries(limits)) {
    it(`charges its reservation under a token or cost limit of ${holder}, where the vendor does not keep it`, async () => {
      await start(settings);
      expect((await ask()).status).to.equal(200);
      await until('it is settled', () => outcome() !== undefined);
      expect(outcome()?.usage).to.include({ source: 'estimated', output: CAP });
      expect(outcome()).to.not.have.property('continues');
    });
  }

  for (const status of ['queued', 'in_progress']) {
    it(`charges a background response its reservation if there is no such limit, and marks it unfinished (${status})`, async () => {
      await start({ limits: [{ requests: 100, per: '1m' }] }, status);
      const reply = await ask();
      expect(reply.status, reply.text).to.equal(200);
      expect((JSON.parse(reply.text) as Json)['status']).to.equal(status);
      await until('it is settled', () => outcome() !== undefined);
      expect(outcome()).to.include({ result: 'unfinished', status: 200 });
      expect(outcome()?.usage).to.include({ source: 'estimated', output: CAP });
      expect(outcome()?.usage?.inputUncached).to.be.above(0);
      const [line] = scene.gateway.exchanges();
      expect(line).to.include({
        outcome: 'unfinished',
        ending: 'unfinished',
        term: 'UF',
        tokens_estimated: true,
        tokens_out: CAP,
      });
      await until('it is in the ledger', async () => {
        const { text } = await send(scene.gateway.gateway.admin.url, { method: 'GET', path: '/admin/usage' });
        const { totals } = JSON.parse(text) as {
          readonly totals: { readonly exchanges: number; readonly estimated: number; readonly outcomes: Json };
        };
        return (
          totals.exchanges === 1 &&
          totals.estimated === 1 &&
          totals.outcomes['unfinished'] === 1 &&
          totals.outcomes['ok'] === 0
        );
      });
    });
  }

  it('reports a response as unfinished if the vendor marks it as such, although it was not requested', async () => {
    await start({}, 'in_progress');
    await ask({ background: false });
    await until('it is settled', () => outcome() !== undefined);
    expect(outcome()).to.include({ result: 'unfinished' });
  });

  it('charges a background response as reported if it was streamed to its end', async () => {
    await start({});
    scene.upstream.answer = (response) => answerSse(response, framesOf('responses', goodDay).join(''));
    expect((await ask({ stream: true })).status).to.equal(200);
    await until('it is settled', () => outcome() !== undefined);
    expect(outcome()).to.include({ result: 'ok' });
    expect(outcome()?.usage).to.include({ source: 'provider', output: someTokens.output });
  });

  it('reports a background response as unfinished if its stream ends while it is in progress', async () => {
    await start({});
    const frames = framesOf('responses', goodDay).map((frame) =>
      frame.includes('response.completed')
        ? frame
            .replaceAll('"status":"completed"', '"status":"in_progress"')
            .replace(/"usage":\{.*?\}\}/, '"usage":null}')
        : frame,
    );
    scene.upstream.answer = (response) => answerSse(response, frames.join(''));
    await ask({ stream: true });
    await until('it is settled', () => outcome() !== undefined);
    expect(outcome()).to.include({ result: 'unfinished' });
    expect(outcome()?.usage).to.include({ source: 'estimated', output: CAP });
  });
});
