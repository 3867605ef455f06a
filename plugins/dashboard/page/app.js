/** @import { Snapshot } from './data/snapshots.js' */
import { render } from 'preact';
import { useRef } from 'preact/hooks';
import { Header } from './components/header.js';
import { html } from './components/html.js';
import { request, requestJson } from './data/api.js';
import { readSamples } from './data/metrics-text.js';
import { UNREACHABLE, usePoll } from './data/poll.js';
import { addSnapshot, readSnapshot } from './data/snapshots.js';
import { Configuration, readConfiguration } from './sections/configuration.js';
import { Exchanges } from './sections/exchanges.js';
import { Limits } from './sections/limits.js';
import { Now } from './sections/now.js';
import { Providers } from './sections/providers.js';
import { Usage } from './sections/usage.js';

/** @param {AbortSignal} signal */
const readPages = async (signal) =>
  /** @type {import('./components/header.js').Pages} */ (await requestJson('/admin/pages', signal));

const App = () => {
  const snapshots = useRef(/** @type {readonly Snapshot[]} */ ([]));
  const metrics = usePoll(async (signal) => {
    const samples = readSamples(await (await request('/metrics', { signal })).text());
    snapshots.current = addSnapshot(snapshots.current, readSnapshot(samples, Date.now()));
    return { samples, snapshots: snapshots.current };
  }, 2_000);
  const configuration = usePoll(readConfiguration, 5_000);
  const pages = usePoll(readPages, 60_000);
  const isUnreachable = [metrics, configuration].some(({ problem }) => problem === UNREACHABLE);
  return html`
    <${Header} pages=${pages.data} isUnreachable=${isUnreachable} />
    <main id="main">
      <h1 class="visually-hidden">Koine dashboard</h1>
      <${Now} polled=${{ ...metrics, data: metrics.data?.snapshots }} />
      <${Usage} />
      <${Limits} />
      <${Providers}
        samples=${{ ...metrics, data: metrics.data?.samples }}
        configured=${Object.keys(configuration.data?.config.providers ?? {})}
      />
      <${Exchanges} />
      <${Configuration} polled=${configuration} />
    </main>
    <footer class="muted">All times are UTC. Every figure comes from /metrics and the admin API.</footer>
  `;
};

render(html`<${App} />`, document.body);
