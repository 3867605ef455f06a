import { expect } from 'chai';
import { createSeriesRetirement } from '../../../../core/server/reload/retired-series.ts';
import { createMetrics } from '../../../../core/services/metrics/metrics.ts';

const SOON = 30;
const configOf = (...ids: readonly string[]) =>
  ({
    models: Object.fromEntries(
      ids.map((id) => [id, { targets: [{ provider: id.split('/')[0] ?? '', model: id.split('/')[1] ?? '' }] }]),
    ),
    providers: Object.fromEntries(ids.map((id) => [id.split('/')[0] ?? '', {}])),
  }) as never;

describe('the metric series of removed models', () => {
  const start = () => {
    const metrics = createMetrics();
    const requests = metrics.counter('koine_requests_total', 'Requests.', ['model', 'provider']);
    const show = async (): Promise<readonly unknown[]> =>
      (await metrics.snapshot())
        .find(({ name }) => name === 'koine_requests_total')
        ?.series.map(({ labels, figures }) => [labels['model'], figures[0]]) ?? [];
    return { requests, show, adopt: createSeriesRetirement(metrics, SOON) };
  };
  const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SOON * 3));

  it('drops the series of a removed model after a delay, and no others', async () => {
    const { requests, show, adopt } = start();
    adopt(configOf('openai/gpt', 'google/gemini'));
    requests.bind(['openai/gpt', 'openai'])(3);
    requests.bind(['gemini', 'google'])(4);
    adopt(configOf('openai/gpt'));
    expect(await show()).to.have.length(2);
    await later();
    expect(await show()).to.deep.equal([['openai/gpt', 3]]);
  });

  it('drops the OpenTelemetry series too, by the name of the model at the provider', async () => {
    const metrics = createMetrics();
    const adopt = createSeriesRetirement(metrics, SOON);
    adopt(configOf('openai/gpt', 'google/gemini'));
    const calls = metrics.counter('gen_ai_calls_total', 'Calls.', ['gen_ai_request_model']);
    for (const model of ['gpt', 'gemini']) calls.bind([model])(1);
    adopt(configOf('openai/gpt'));
    await later();
    expect(
      (await metrics.snapshot())
        .find(({ name }) => name === 'gen_ai_calls_total')
        ?.series.map(({ labels }) => labels['gen_ai_request_model']),
    ).to.deep.equal(['gpt']);
  });

  it('keeps the series if the model is configured again in time', async () => {
    const { requests, show, adopt } = start();
    adopt(configOf('openai/gpt'));
    requests.bind(['openai/gpt', 'openai'])(3);
    adopt(configOf('google/gemini'));
    adopt(configOf('openai/gpt'));
    await later();
    expect(await show()).to.deep.equal([['openai/gpt', 3]]);
  });

  it('starts new series if the model is configured again later', async () => {
    const { requests, show, adopt } = start();
    adopt(configOf('openai/gpt'));
    requests.bind(['openai/gpt', 'openai'])(3);
    adopt(configOf('google/gemini'));
    await later();
    expect(await show()).to.deep.equal([]);
    requests.bind(['openai/gpt', 'openai'])(2);
    expect(await show()).to.deep.equal([['openai/gpt', 2]]);
  });
});
