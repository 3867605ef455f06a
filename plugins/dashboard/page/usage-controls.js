/** @import { Dimension, UsageQuestion } from './usage-report.js' */
import { html } from './html.js';
import { measures } from './measures.js';
import { dimensions, ranges } from './usage-report.js';

/**
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.label
 * @param {string} props.value
 * @param {readonly (readonly [value: string, title: string])[]} props.options
 * @param {(value: string) => void} props.choose
 */
const Choice = ({ id, label, value, options, choose }) => html`
  <div class="choice">
    <label for=${id}>${label}</label>
    <select
      id=${id}
      value=${value}
      onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ event) => choose(event.currentTarget.value)}
    >
      ${options.map(([option, title]) => html`<option key=${option} value=${option}>${title}</option>`)}
    </select>
  </div>
`;

/** @param {{ id: string, label: string, value: string, choose: (value: string) => void }} props */
const Day = ({ id, label, value, choose }) => html`
  <div class="choice">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      type="date"
      required
      value=${value}
      onChange=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => event.currentTarget.value !== '' && choose(event.currentTarget.value)}
    />
  </div>
`;

/** @param {{ only: UsageQuestion['only'], change: (change: Partial<UsageQuestion>) => void }} props */
const Filters = ({ only, change }) => {
  const chosen = /** @type {readonly [Dimension, string][]} */ (Object.entries(only));
  /** @param {Dimension} name */
  const drop = (name) => change({ only: Object.fromEntries(chosen.filter(([other]) => other !== name)) });
  return chosen.length === 0
    ? null
    : html`<ul class="filters" aria-label="Only">
        ${chosen.map(
          ([name, value]) =>
            html`<li key=${name}>
              <button type="button" onClick=${() => drop(name)}>
                ${dimensions[name]}: ${value} <span aria-hidden="true">×</span
                ><span class="unseen">, remove this filter</span>
              </button>
            </li>`,
        )}
      </ul>`;
};

/**
 * @param {object} props
 * @param {UsageQuestion} props.question
 * @param {(change: Partial<UsageQuestion>) => void} props.change
 * @param {string} props.measure
 * @param {(measure: string) => void} props.setMeasure
 */
export const UsageControls = ({ question, change, measure, setMeasure }) => html`
  <div class="controls card">
    <${Choice}
      id="usage-range"
      label="Time"
      value=${question.range}
      options=${[...Object.entries(ranges).map(([range, { title }]) => [range, title]), ['own', 'From … to …']]}
      choose=${(/** @type {string} */ range) => change({ range })}
    />
    ${question.range === 'own' ? html`<${Day} id="usage-from" label="First day" value=${question.from} choose=${(/** @type {string} */ from) => change({ from, to: from > question.to ? from : question.to })} />` : null}
    ${question.range === 'own' ? html`<${Day} id="usage-to" label="Last day" value=${question.to} choose=${(/** @type {string} */ to) => change({ to, from: to < question.from ? to : question.from })} />` : null}
    <${Choice}
      id="usage-by"
      label="By"
      value=${question.by}
      options=${Object.entries(dimensions)}
      choose=${(/** @type {Dimension} */ by) => change({ by })}
    />
    <${Choice}
      id="usage-measure"
      label="Chart"
      value=${measure}
      options=${Object.entries(measures).map(([name, { title }]) => [name, title])}
      choose=${setMeasure}
    />
    <${Filters} only=${question.only} change=${change} />
  </div>
`;
