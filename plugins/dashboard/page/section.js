/** @import { ComponentChildren } from 'preact' */
/** @import { Polled } from './poll.js' */
import { html } from './html.js';

/**
 * One part of the page: what is shown, or why nothing is.
 * @template T
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.title
 * @param {string} [props.note] below the title
 * @param {string} [props.absent] what has to be configured for it to be seen
 * @param {Polled<T>} props.polled
 * @param {ComponentChildren} [props.controls]
 * @param {(data: T) => ComponentChildren} props.show
 */
export const Section = ({ id, title, note, absent, polled, controls, show }) => {
  const { data, problem, isAbsent, isStale } = polled;
  return html`
    <section
      id=${id}
      aria-labelledby=${`${id}-title`}
      aria-busy=${isStale || (data === undefined && !isAbsent && problem === undefined) ? 'true' : 'false'}
    >
      <div class="section-head">
        <h2 id=${`${id}-title`}>${title}</h2>
        ${note === undefined ? null : html`<p class="soft">${note}</p>`}
      </div>
      ${isAbsent ? html`<p class="card empty">${absent}</p>` : html`${controls} ${problem === undefined ? null : html`<p class="card problem">${problem} ${data === undefined ? '' : 'What is shown was read before.'}</p>`}`}
      ${isAbsent ? null : data === undefined ? (problem === undefined ? html`<p class="card empty">Loading …</p>` : null) : show(data)}
    </section>
  `;
};
