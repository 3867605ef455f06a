/** @import { Moment } from './moments.js' */
import { render } from 'preact';
import { useRef } from 'preact/hooks';
import { ask, askJson } from './ask.js';
import { Configuration, readConfiguration } from './configuration.js';
import { Exchanges } from './exchanges.js';
import { Header } from './header.js';
import { html } from './html.js';
import { Limits } from './limits.js';
import { readSamples } from './metrics-text.js';
import { addMoment, readMoment } from './moments.js';
import { Now } from './now.js';
import { AWAY, usePoll } from './poll.js';
import { Providers } from './providers.js';
import { Usage } from './usage.js';

/** @param {AbortSignal} signal */
const readPages = async (signal) => /** @type {import('./header.js').Pages} */ (await askJson('/admin/pages', signal));

const App = () => {
  const moments = useRef(/** @type {readonly Moment[]} */ ([]));
  const metrics = usePoll(async (signal) => {
    const samples = readSamples(await (await ask('/metrics', { signal })).text());
    moments.current = addMoment(moments.current, readMoment(samples, Date.now()));
    return { samples, moments: moments.current };
  }, 2_000);
  const configuration = usePoll(readConfiguration, 5_000);
  const pages = usePoll(readPages, 60_000);
  const isAway = [metrics, configuration].some(({ problem }) => problem === AWAY);
  return html`
    <${Header} pages=${pages.data} isAway=${isAway} />
    <main id="main">
      <h1 class="unseen">Koine, the gateway at a glance</h1>
      <${Now} polled=${{ ...metrics, data: metrics.data?.moments }} />
      <${Usage} />
      <${Limits} />
      <${Providers}
        samples=${{ ...metrics, data: metrics.data?.samples }}
        configured=${Object.keys(configuration.data?.config.providers ?? {})}
      />
      <${Exchanges} />
      <${Configuration} polled=${configuration} />
    </main>
    <footer class="soft">All times are UTC. Every figure comes from /metrics and the admin API.</footer>
  `;
};

render(html`<${App} />`, document.body);
