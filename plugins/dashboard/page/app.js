import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Choice } from './components/choice.js';
import { html } from './components/html.js';
import { Navigation } from './components/navigation.js';
import { PluginPanels } from './components/plugin-panels.js';
import { MyKeys } from './pages/my-keys/my-keys.js';
import { UNREACHABLE, useAway, usePoll } from './data/poll.js';
import { useRoute } from './data/route.js';
import { SessionContext, UNKNOWN, readSession } from './data/session.js';
import { Audit } from './pages/audit/audit.js';
import { Configuration } from './pages/configuration/configuration.js';
import { Explain } from './pages/explain/explain.js';
import { Keys } from './pages/keys/keys.js';
import { Limits } from './pages/limits/limits.js';
import { Overview } from './pages/overview/overview.js';
import { Playground } from './pages/playground/playground.js';
import { Providers } from './pages/providers/providers.js';
import { Requests } from './pages/requests/requests.js';
import { Sessions } from './pages/sessions/sessions.js';
import { Tenants } from './pages/tenants/tenants.js';
import { Usage } from './pages/usage/usage.js';
import { LOCAL_ZONE, chooseZone, zoneName } from './data/zone.js';

/** @import { Route } from './data/route.js' */
/** @import { Role, Session } from './data/session.js' */

/** The first page of developers, and one more of the others who can make keys. */
const myKeys = { name: 'my-keys', title: 'My keys', show: MyKeys };
/** For people with keys of their own, and for editors. */
const playground = { name: 'playground', title: 'Playground', show: Playground, path: '/admin/playground' };
/** Where there is a sign-in. */
const sessions = { name: 'sessions', title: 'Sessions', show: Sessions };
/**
 * `path`: the page is hidden where the gateway has no such call.
 * @typedef {{ name: string, title: string, show: (props: { route: Route }) => unknown, path?: string }} PageEntry
 */
/** The pages, in the order of the navigation. @type {readonly PageEntry[]} */
const pages = [
  { name: 'overview', title: 'Overview', show: Overview },
  { name: 'requests', title: 'Requests', show: Requests },
  { name: 'usage', title: 'Usage', show: Usage },
  { name: 'keys', title: 'Keys', show: Keys, path: '/admin/keys' },
  { name: 'tenants', title: 'Organizations', show: Tenants, path: '/admin/tenants' },
  { name: 'limits', title: 'Limits', show: Limits },
  { name: 'providers', title: 'Models & providers', show: Providers },
  { name: 'explain', title: 'Explain', show: Explain, path: '/admin/explain' },
  playground,
  { name: 'configuration', title: 'Configuration', show: Configuration },
  { name: 'audit', title: 'Audit', show: Audit, path: '/admin/audit' },
];

const names = pages.map(({ name }) => name);

/** @param {Session} session */
const listPages = ({ actor, paths, keys, login }) => {
  const last = login ? [sessions] : [];
  const isPerson = keys !== undefined;
  if (actor.role === 'developer') return [myKeys, ...(isPerson ? [playground] : []), ...last];
  const canTry = isPerson || actor.role !== 'viewer';
  const known = pages.filter(
    ({ name, path }) => (path === undefined || paths[path] !== undefined) && (canTry || name !== playground.name),
  );
  return [...known, ...(isPerson ? [myKeys] : []), ...last];
};

/** @param {{ route: Route, role: Role }} props */
const Main = ({ route, role }) => {
  const page = [...pages, myKeys, sessions].find(({ name }) => name === route.page);
  if (page === undefined)
    return html`<p class="card empty">There is no page ${route.page}. <a href="#/">First page</a></p>`;
  if (role === 'developer' && page !== myKeys && page !== playground && page !== sessions)
    return html`<p class="card empty">
      The page ${page.title} needs the role viewer. Your role is developer. <a href="#/my-keys">My keys</a>
    </p>`;
  return html`
    <${page.show} route=${route} key=${page.name} />
    <${PluginPanels} page=${page.name} names=${names} />
  `;
};

const App = () => {
  const [zone, setZone] = useState(zoneName());
  const given = useRoute();
  const isAway = useAway();
  const { data, problem = 'Loading …' } = usePoll(readSession, 60_000);
  const session = data ?? UNKNOWN;
  const isOverview = given.page === 'overview';
  const route = isOverview && session.actor.role === 'developer' ? { ...given, page: myKeys.name } : given;
  return html`
    <${SessionContext.Provider} value=${session}>
      <a class="skip" href="#main" onClick=${(/** @type {Event} */ event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}>Skip to content</a>
      <${Navigation} pages=${data === undefined ? [] : listPages(data)} current=${route.page} />
      <div class="frame">
        <p role="status" class=${isAway ? 'away' : 'visually-hidden'}>
          ${isAway ? `${UNREACHABLE} Trying again every few seconds.` : ''}
        </p>
        <main id="main" tabindex="-1">
          ${
            data === undefined
              ? html`<p class="card empty">${problem === UNREACHABLE ? 'Waiting for the gateway …' : problem}</p>`
              : html`<${Main} key=${zone} route=${route} role=${data.actor.role} />`
          }
        </main>
        <footer class="muted">
          <${Choice}
            id="zone"
            label="Times in"
            value=${zone}
            options=${[...new Set(['UTC', LOCAL_ZONE])].map((name) => [name, name])}
            choose=${(/** @type {string} */ name) => {
              chooseZone(name);
              setZone(zoneName());
            }}
          />
          <span>Every figure comes from /metrics and the admin API.</span>
        </footer>
      </div>
    <//>
  `;
};

render(html`<${App} />`, document.body);
