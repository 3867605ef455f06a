import { furtherPeriods } from '../data/periods.js';
import { inZone, readInZone, zoneName } from '../data/zone.js';
import { Choice } from './choice.js';
import { html } from './html.js';

const HOUR = 3_600_000;

/** @param {{ id: string, label: string, value: string, choose: (time: string) => void }} props */
const Moment = ({ id, label, value, choose }) => {
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const onChange = ({ currentTarget: { value: text } }) => text !== '' && choose(readInZone(text));
  return html`<div class="choice">
    <label for=${id}>${label} (${zoneName()})</label>
    <input id=${id} type="datetime-local" required value=${inZone(value).slice(0, 16)} onChange=${onChange} />
  </div>`;
};

/**
 * A period of the address: one that ends now, yesterday, or two times. Moving one beyond the other moves both.
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.name the member of the address
 * @param {string} props.value
 * @param {readonly (readonly [string, string])[]} props.options those that end now
 * @param {Readonly<Record<string, string>>} props.query
 * @param {(change: Readonly<Record<string, string | undefined>>) => void} props.change
 */
export const Period = ({ id, name, value, options, query, change }) => {
  const now = Math.ceil(Date.now() / HOUR) * HOUR;
  const { from = new Date(now - 24 * HOUR).toISOString(), to = new Date(now).toISOString() } = query;
  /** @param {string} period */
  const choose = (period) =>
    change({ [name]: period, ...(period === 'custom' ? { from, to } : { from: undefined, to: undefined }) });
  /** @param {string} time */
  const later = (time) => new Date(Date.parse(time) + HOUR).toISOString();
  /** @param {string} time */
  const earlier = (time) => new Date(Date.parse(time) - HOUR).toISOString();
  return html`
    <${Choice} id=${id} label="Period" value=${value} options=${[...options, ...furtherPeriods]} choose=${choose} />
    ${
      value === 'custom' &&
      html`<${Moment}
          id=${`${id}-from`}
          label="From"
          value=${from}
          choose=${(/** @type {string} */ time) => change({ from: time, to: time < to ? to : later(time) })}
        />
        <${Moment}
          id=${`${id}-to`}
          label="To"
          value=${to}
          choose=${(/** @type {string} */ time) => change({ to: time, from: time > from ? from : earlier(time) })}
        />`
    }
  `;
};
