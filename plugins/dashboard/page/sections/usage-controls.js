/** @import { Dimension, UsageQuery } from '../data/usage-report.js' */
import { html } from '../components/html.js';
import { dimensions, isTag, ranges, tagName, tagOf, titleOf } from '../data/usage-report.js';
import { measures } from './measures.js';

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
const Day = ({ id, label, value, choose }) => {
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const onChange = ({ currentTarget: { value: day } }) => day !== '' && choose(day);
  return html`
  <div class="choice">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      type="date"
      required
      value=${value}
      onChange=${onChange}
    />
  </div>
`;
};

/**
 * The first and last day of a custom range. Moving one beyond the other moves both.
 * @param {{ query: UsageQuery, change: (change: Partial<UsageQuery>) => void }} props
 */
const CustomRange = ({ query, change }) => {
  /** @param {string} from */
  const setFrom = (from) => change({ from, to: from > query.to ? from : query.to });
  /** @param {string} to */
  const setTo = (to) => change({ to, from: to < query.from ? to : query.from });
  return html`
    <${Day} id="usage-from" label="First day" value=${query.from} choose=${setFrom} />
    <${Day} id="usage-to" label="Last day" value=${query.to} choose=${setTo} />
  `;
};

/** @param {{ only: UsageQuery['only'], change: (change: Partial<UsageQuery>) => void }} props */
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
                ${titleOf(name)}: ${value} <span aria-hidden="true">×</span
                ><span class="visually-hidden">, remove this filter</span>
              </button>
            </li>`,
        )}
      </ul>`;
};

/** The tag that is grouped by until another is named. */
const FIRST_TAG = 'team';

/** The name of a tag; the report refuses others. */
const TAG_NAME = '[A-Za-z][A-Za-z0-9_.@\\-]*';

/**
 * The value is not controlled: a reading that arrives while a name is written must not reset it.
 * @param {{ by: Dimension, change: (change: Partial<UsageQuery>) => void }} props
 */
const Tag = ({ by, change }) => {
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const onChange = ({ currentTarget: { value, validity } }) => validity.valid && change({ by: tagOf(value) });
  return html`
    <div class="choice">
      <label for="usage-tag">Name of the tag</label>
      <input id="usage-tag" type="text" required pattern=${TAG_NAME} defaultValue=${tagName(by)} onChange=${onChange} />
    </div>
  `;
};

/**
 * @param {object} props
 * @param {UsageQuery} props.query
 * @param {(change: Partial<UsageQuery>) => void} props.change
 * @param {string} props.measure
 * @param {(measure: string) => void} props.setMeasure
 */
export const UsageControls = ({ query, change, measure, setMeasure }) => html`
  <div class="controls card">
    <${Choice}
      id="usage-range"
      label="Period"
      value=${query.range}
      options=${[...Object.entries(ranges).map(([range, { title }]) => [range, title]), ['custom', 'Custom range']]}
      choose=${(/** @type {string} */ range) => change({ range })}
    />
    ${query.range === 'custom' ? html`<${CustomRange} query=${query} change=${change} />` : null}
    <${Choice}
      id="usage-by"
      label="Group by"
      value=${isTag(query.by) ? 'tag' : query.by}
      options=${[...Object.entries(dimensions), ['tag', 'Tag']]}
      choose=${(/** @type {Dimension | 'tag'} */ by) => change({ by: by === 'tag' ? tagOf(FIRST_TAG) : by })}
    />
    ${isTag(query.by) ? html`<${Tag} by=${query.by} change=${change} />` : null}
    <${Choice}
      id="usage-measure"
      label="Chart"
      value=${measure}
      options=${Object.entries(measures).map(([name, { title }]) => [name, title])}
      choose=${setMeasure}
    />
    <${Filters} only=${query.only} change=${change} />
  </div>
`;
