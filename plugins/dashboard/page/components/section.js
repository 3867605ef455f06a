/** @import { ComponentChildren } from 'preact' */
/** @import { Polled } from '../data/poll.js' */
import { html } from './html.js';

const STALE = 'The data below is from an earlier update.';

/**
 * A section of the page: its data, or why there is none.
 * @template T
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.title
 * @param {string} [props.note] below the title
 * @param {string} [props.notConfigured] text that explains what to configure
 * @param {Polled<T>} props.polled
 * @param {ComponentChildren} [props.controls]
 * @param {(data: T) => ComponentChildren} props.show
 */
export const Section = ({ id, title, note, notConfigured, polled, controls, show }) => {
  const { data, problem, isNotConfigured, isStale } = polled;
  const isLoading = data === undefined && !isNotConfigured && problem === undefined;
  const showContent = () => html`
    ${controls}
    ${problem === undefined ? null : html`<p class="card problem">${problem} ${data === undefined ? '' : STALE}</p>`}
    ${isLoading ? html`<p class="card empty">Loading …</p>` : null}
    ${data === undefined ? null : show(data)}
  `;
  return html`
    <section
      id=${id}
      aria-labelledby=${`${id}-title`}
      aria-busy=${isStale || isLoading ? 'true' : 'false'}
    >
      <div class="section-head">
        <h2 id=${`${id}-title`}>${title}</h2>
        ${note === undefined ? null : html`<p class="muted">${note}</p>`}
      </div>
      ${isNotConfigured ? html`<p class="card empty">${notConfigured}</p>` : showContent()}
    </section>
  `;
};
