import { html } from './html.js';
import { AWAY } from './poll.js';

/** @typedef {{ readonly login: boolean, readonly pages: readonly { readonly path: string, readonly title: string }[] }} Pages */

const sections = {
  now: 'Now',
  usage: 'Usage',
  limits: 'Limits',
  providers: 'Providers',
  exchanges: 'Requests',
  configuration: 'Config',
};

/** @param {{ pages: Pages | undefined, isAway: boolean }} props */
export const Header = ({ pages, isAway }) => {
  const others = (pages?.pages ?? []).filter(({ path }) => path !== '/');
  return html`
    <a class="skip" href="#main">To the figures</a>
    <header>
      <div class="head">
        <strong class="name">Koine</strong>
        <nav aria-label="Parts of this page">
          <ul>
            ${Object.entries(sections).map(([id, title]) => html`<li key=${id}><a href=${`#${id}`}>${title}</a></li>`)}
          </ul>
        </nav>
        ${
          others.length === 0
            ? null
            : html`<nav aria-label="Pages of plugins" class="pages">
                <ul>
                  ${others.map(({ path, title }) => html`<li key=${path}><a href=${path}>${title}</a></li>`)}
                </ul>
              </nav>`
        }
        ${pages?.login === true ? html`<form method="post" action="/admin/logout"><button>Sign out</button></form>` : null}
      </div>
      <p role="status" class=${isAway ? 'away' : 'unseen'}>
        ${isAway ? `${AWAY} It is asked again every few seconds.` : ''}
      </p>
    </header>
  `;
};
