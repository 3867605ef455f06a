/** @import { ComponentChildren } from 'preact' */
/** @import { Polled } from '../data/poll.js' */
import { useEffect } from 'preact/hooks';
import { UNREACHABLE } from '../data/poll.js';
import { html } from './html.js';

/**
 * A page: its title and its panels.
 * @param {object} props
 * @param {string} props.title
 * @param {ComponentChildren} [props.note]
 * @param {ComponentChildren} [props.actions]
 * @param {ComponentChildren} props.children
 */
export const Page = ({ title, note, actions, children }) => {
  useEffect(() => {
    document.title = `${title} · Koine`;
  }, [title]);
  return html`
    <div class="page-head">
      <div>
        <h1>${title}</h1>
        ${note !== undefined && html`<p class="muted small">${note}</p>`}
      </div>
      ${actions !== undefined && html`<div class="page-actions">${actions}</div>`}
    </div>
    ${children}
  `;
};

const STALE = 'The data below is from an earlier update.';

/** @param {string | undefined} problem @param {boolean} hasData */
const describeState = (problem, hasData) => {
  // The page has one banner for a gateway that does not respond.
  if (problem === UNREACHABLE) return hasData ? null : html`<p class="card empty">Waiting for the gateway …</p>`;
  if (problem !== undefined) return html`<p class="card problem" role="alert">${problem} ${hasData ? STALE : ''}</p>`;
  return hasData ? null : html`<p class="card empty">Loading …</p>`;
};

/**
 * A part of a page: its data, or why there is none.
 * @template T
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.title
 * @param {boolean} [props.isTitleHidden]
 * @param {ComponentChildren} [props.note] beside the title
 * @param {ComponentChildren} [props.end] at the right of the title: links
 * @param {string} [props.notConfigured] text that explains what to configure
 * @param {Polled<T>} props.polled
 * @param {ComponentChildren} [props.controls]
 * @param {(data: T) => ComponentChildren} props.show
 */
export const Panel = ({ id, title, isTitleHidden = false, note, end, notConfigured, polled, controls, show }) => {
  const { data, problem, isNotConfigured, isStale } = polled;
  const isLoading = data === undefined && !isNotConfigured && problem === undefined;
  return html`
    <section
      id=${id}
      class="panel"
      aria-labelledby=${`${id}-title`}
      aria-busy=${isStale || isLoading ? 'true' : 'false'}
    >
      <div class=${isTitleHidden ? 'visually-hidden' : 'panel-head'}>
        <h2 id=${`${id}-title`}>${title}</h2>
        ${note !== undefined && html`<p class="muted">${note}</p>`}
        ${end !== undefined && html`<p class="end">${end}</p>`}
      </div>
      ${
        isNotConfigured
          ? html`<p class="card empty">${notConfigured}</p>`
          : html`${controls} ${describeState(problem, data !== undefined)} ${data === undefined ? null : show(data)}`
      }
    </section>
  `;
};
