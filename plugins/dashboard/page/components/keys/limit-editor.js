/** @import { DraftLimit } from '../../data/limits.js' */
import { html } from '../html.js';
import { units } from '../../data/limits.js';

/** @typedef {{ currentTarget: HTMLInputElement & HTMLSelectElement }} InputEvent */

const windows = /** @type {const} */ (['1m', '1h', '24h', '7d', '30d']);
const calendars = /** @type {const} */ (['hour', 'day', 'week', 'month']);

/** Windows of a unit, with the present one. @param {string} unit @param {string} per */
const windowsOf = (unit, per) => {
  const known = /** @type {readonly string[]} */ (unit === 'cost' ? calendars : windows);
  return known.includes(per) || per === '' ? known : [per, ...known];
};

/** @param {string} unit */
const firstWindow = (unit) => (unit === 'concurrent' ? '' : unit === 'cost' ? 'month' : '1m');

/**
 * @param {object} props
 * @param {DraftLimit} props.limit
 * @param {string} props.name `Limit 1`
 * @param {(limit: DraftLimit) => void} props.change
 * @param {() => void} props.remove
 */
const LimitRow = ({ limit, name, change, remove }) => {
  const { unit, amount, per, more } = limit;
  return html`
    <div class="limit-row" role="group" aria-label=${name}>
      <input
        aria-label=${`${name}: amount`}
        inputmode="decimal"
        required
        value=${amount}
        onInput=${(/** @type {InputEvent} */ { currentTarget }) => change({ ...limit, amount: currentTarget.value })}
      />
      <select
        aria-label=${`${name}: unit`}
        value=${unit}
        onChange=${(/** @type {InputEvent} */ { currentTarget: { value } }) =>
          change({ ...limit, unit: value, per: firstWindow(value) })}
      >
        ${Object.entries(units).map(
          ([value, title]) =>
            html`<option key=${value} value=${value}>${value === 'cost' ? 'USD' : title.toLowerCase()}</option>`,
        )}
      </select>
      ${
        unit === 'concurrent'
          ? html`<span></span>`
          : html`<select
              aria-label=${`${name}: window`}
              value=${per}
              onChange=${(/** @type {InputEvent} */ { currentTarget: { value } }) => change({ ...limit, per: value })}
            >
              ${windowsOf(unit, per).map((value) => html`<option key=${value} value=${value}>per ${value}</option>`)}
            </select>`
      }
      <button type="button" onClick=${remove} aria-label=${`Remove ${name.toLowerCase()}`}>Remove</button>
      ${
        Object.keys(more).length > 0 &&
        html`<span class="below">Kept as they are: ${JSON.stringify(more).slice(1, -1)}</span>`
      }
    </div>
  `;
};

/**
 * The limits of a level: its own, or those of the level above.
 * @param {object} props
 * @param {string} [props.legend]
 * @param {string} [props.id]
 * @param {string} [props.noun] what one is called
 * @param {string} [props.above] whose limits apply without own ones; empty: it has own ones only
 * @param {string} [props.none] what an empty list means
 * @param {boolean} props.inherits
 * @param {readonly DraftLimit[]} props.limits
 * @param {string | undefined} props.error
 * @param {(change: { inheritsLimits?: boolean, limits?: readonly DraftLimit[] }) => void} props.change
 */
export const LimitEditor = ({ inherits, limits, error, change, ...texts }) => {
  const { legend = 'Limits and budgets', id = 'limits', noun = 'Limit' } = texts;
  const { above = 'Those of its project or organization' } = texts;
  const { none = 'Without any, the key has no limits of its own.' } = texts;
  const errorId = `key-${id}-error`;
  const add = () => change({ limits: [...limits, { unit: 'requests', amount: '60', per: '1m', more: {} }] });
  /** @param {boolean} inheritsLimits */
  const choose = (inheritsLimits) => () => change({ inheritsLimits });
  return html`
    <fieldset class="field" aria-describedby=${error === undefined ? undefined : errorId}>
      <legend class="label">${legend}</legend>
      ${
        above !== '' &&
        html`<label class="check">
            <input type="radio" name=${id} checked=${inherits} onChange=${choose(true)} />
            ${above}
          </label>
          <label class="check">
            <input type="radio" name=${id} checked=${!inherits} onChange=${choose(false)} />
            Its own
          </label>`
      }
      ${
        inherits
          ? null
          : html`<div>
              ${limits.map(
                (limit, index) =>
                  html`<${LimitRow}
                    key=${index}
                    limit=${limit}
                    name=${`${noun} ${index + 1}`}
                    change=${(/** @type {DraftLimit} */ changed) => change({ limits: limits.with(index, changed) })}
                    remove=${() => change({ limits: limits.toSpliced(index, 1) })}
                  />`,
              )}
              <button type="button" onClick=${add}>Add a ${noun.toLowerCase()}</button>
              ${limits.length === 0 && html`<p class="hint">${none}</p>`}
            </div>`
      }
      ${error !== undefined && html`<p class="error" id=${errorId} role="alert">${error}</p>`}
    </fieldset>
  `;
};
