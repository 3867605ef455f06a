import { render } from 'preact';
import { html } from './components/html.js';
import { Navigation } from './components/navigation.js';
import { UNREACHABLE, useAway, usePoll } from './data/poll.js';
import { useRoute } from './data/route.js';
import { SessionContext, UNKNOWN, readSession } from './data/session.js';
import { Audit } from './pages/audit/audit.js';
import { Configuration } from './pages/configuration/configuration.js';
import { Explain } from './pages/explain/explain.js';
import { Keys } from './pages/keys/keys.js';
import { Limits } from './pages/limits/limits.js';
import { Overview } from './pages/overview/overview.js';
import { Providers } from './pages/providers/providers.js';
import { Requests } from './pages/requests/requests.js';
import { Usage } from './pages/usage/usage.js';

/** The pages, in the order of the navigation. `path`: the page is hidden where the gateway has no such call. */
const pages = [
  { name: 'overview', title: 'Overview', show: Overview },
  { name: 'requests', title: 'Requests', show: Requests },
  { name: 'usage', title: 'Usage', show: Usage },
  { name: 'keys', title: 'Keys', show: Keys, path: '/admin/keys' },
  { name: 'limits', title: 'Limits', show: Limits },
  { name: 'providers', title: 'Models & providers', show: Providers },
  { name: 'explain', title: 'Explain', show: Explain, path: '/admin/explain' },
  { name: 'configuration', title: 'Configuration', show: Configuration },
  { name: 'audit', title: 'Audit', show: Audit, path: '/admin/audit' },
];

const App = () => {
  const route = useRoute();
  const isAway = useAway();
  const session = usePoll(readSession, 60_000).data ?? UNKNOWN;
  const shown = pages.filter(({ path }) => path === undefined || session.paths[path] !== undefined);
  const page = pages.find(({ name }) => name === route.page);
  return html`
    <${SessionContext.Provider} value=${session}>
      <a class="skip" href="#main" onClick=${(/** @type {Event} */ event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}>Skip to content</a>
      <${Navigation} pages=${shown} current=${route.page} />
      <div class="frame">
        <p role="status" class=${isAway ? 'away' : 'visually-hidden'}>
          ${isAway ? `${UNREACHABLE} Trying again every few seconds.` : ''}
        </p>
        <main id="main" tabindex="-1">
          ${
            page === undefined
              ? html`<p class="card empty">There is no page ${route.page}. <a href="#/overview">Overview</a></p>`
              : html`<${page.show} route=${route} key=${page.name} />`
          }
        </main>
        <footer class="muted">All times are UTC. Every figure comes from /metrics and the admin API.</footer>
      </div>
    <//>
  `;
};

render(html`<${App} />`, document.body);
