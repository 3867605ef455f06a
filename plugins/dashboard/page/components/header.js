import { UNREACHABLE } from '../data/poll.js';
import { html } from './html.js';

/**
 * @typedef {object} Pages
 * @property {boolean} login there is a session to sign out of
 * @property {readonly { readonly path: string, readonly title: string }[]} pages
 */

const sections = {
  now: 'Now',
  usage: 'Usage',
  limits: 'Limits',
  providers: 'Providers',
  exchanges: 'Requests',
  configuration: 'Config',
};

const SignOut = () => html`<form method="post" action="/admin/logout"><button>Sign out</button></form>`;

/** @param {{ pages: Pages | undefined, isUnreachable: boolean }} props */
export const Header = ({ pages, isUnreachable }) => {
  const others = (pages?.pages ?? []).filter(({ path }) => path !== '/');
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <header>
      <div class="head">
        <strong class="name">Koine</strong>
        <nav aria-label="Sections">
          <ul>
            ${Object.entries(sections).map(([id, title]) => html`<li key=${id}><a href=${`#${id}`}>${title}</a></li>`)}
          </ul>
        </nav>
        ${
          others.length === 0
            ? null
            : html`<nav aria-label="Plugin pages" class="pages">
                <ul>
                  ${others.map(({ path, title }) => html`<li key=${path}><a href=${path}>${title}</a></li>`)}
                </ul>
              </nav>`
        }
        ${pages?.login === true ? html`<${SignOut} />` : null}
      </div>
      <p role="status" class=${isUnreachable ? 'unreachable' : 'visually-hidden'}>
        ${isUnreachable ? `${UNREACHABLE} Trying again every few seconds.` : ''}
      </p>
    </header>
  `;
};
