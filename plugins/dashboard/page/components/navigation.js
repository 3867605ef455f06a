import { useEffect, useRef } from 'preact/hooks';
import { linkTo } from '../data/route.js';
import { useSession } from '../data/session.js';
import { html } from './html.js';

const SignOut = () => html`<form method="post" action="/admin/logout"><button>Sign out</button></form>`;

const Mark = () => html`
  <svg viewBox="0 0 20 20" aria-hidden="true">
    <path d="M4 2v16M4 10h5M9 10l7-7M9 10l7 7" fill="none" stroke="currentColor" stroke-width="2.4" />
  </svg>
`;

/** The signed-in operator, and the version of the gateway. */
const Account = () => {
  const { session } = useSession();
  const { name, role } = session.actor;
  return html`
    <div class="account">
      ${name !== '' && html`<p><strong>${name}</strong> <span class="muted">${role}</span></p>`}
      ${session.version !== '' && html`<p class="muted version">Koine ${session.version}</p>`}
      ${session.login && html`<${SignOut} />`}
    </div>
  `;
};

/**
 * The pages: a column at the side, tabs on a narrow screen.
 * @param {{ pages: readonly { readonly name: string, readonly title: string }[], current: string }} props
 */
export const Navigation = ({ pages, current }) => {
  const { session } = useSession();
  const others = session.pages.filter(({ path }) => path !== '/');
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current, pages.length]);
  return html`
    <header class="side">
      <a class="brand" href="#/"><${Mark} />Koine</a>
      <nav aria-label="Pages">
        <ul ref=${list}>
          ${pages.map(
            ({ name, title }) =>
              html`<li key=${name}>
                <a href=${linkTo(name)} aria-current=${name === current ? 'page' : undefined}>${title}</a>
              </li>`,
          )}
        </ul>
      </nav>
      ${
        others.length > 0 &&
        html`<nav aria-label="Plugin pages" class="pages">
          <ul>
            ${others.map(({ path, title }) => html`<li key=${path}><a href=${path}>${title}</a></li>`)}
          </ul>
        </nav>`
      }
      <${Account} />
    </header>
  `;
};
