/** @import { Key } from '../../data/keys.js' */
import { Badge } from '../../components/badge.js';
import { html } from '../../components/html.js';
import { Table } from '../../components/table.js';
import { NO_VALUE } from '../../data/format.js';
import { describeLimits, describeModels } from '../../components/keys/cells.js';
import { identityOf, stateOf } from '../../data/keys.js';
import { linkTo } from '../../data/route.js';

/** @typedef {'small' | 'medium'} Width */
const columns = [
  { title: 'Key' },
  { title: 'State' },
  { title: 'Models', not: /** @type {Width} */ ('small') },
  { title: 'Limits', not: /** @type {Width} */ ('small') },
  { title: 'Expires', not: /** @type {Width} */ ('medium') },
  { title: 'Created', not: /** @type {Width} */ ('medium') },
];

/** @param {Key} key */
const describePlace = ({ organization, project, origin }) =>
  `${organization}/${project}${origin === 'configuration' ? ' · gateway.yaml, read-only' : ''}`;

/**
 * A key of the file, and a revoked one, cannot be selected.
 * @param {{ item: Key, isSelected: boolean, toggle: (id: string) => void }} props
 */
const Selection = ({ item, isSelected, toggle }) =>
  item.origin === 'configuration' || stateOf(item) === 'revoked'
    ? html`<span class="select"></span>`
    : html`<label class="select"
        ><input
          type="checkbox"
          aria-label=${`Select ${identityOf(item)}`}
          checked=${isSelected}
          onChange=${() => toggle(item.id)}
      /></label>`;

/** @param {Key} key @param {boolean} isSelected @param {(id: string) => void} toggle @param {boolean} canSelect */
const describeKey = (key, isSelected, toggle, canSelect) => ({
  key: key.id,
  cells: [
    html`<div class="pair row">
      ${canSelect ? html`<${Selection} item=${key} isSelected=${isSelected} toggle=${toggle} />` : null}
      <div>
        <a class="link" href=${linkTo('keys', { id: key.id })}>${key.name}</a>
        <span class="muted below wrap">${describePlace(key)}</span>
      </div>
    </div>`,
    html`<${Badge} state=${stateOf(key)} />`,
    html`<span class="wrap">${describeModels(key)}</span>`,
    html`<span class="wrap">${describeLimits(key)}</span>`,
    key.expiresAt === undefined ? html`<span class="muted">never</span>` : key.expiresAt.slice(0, 10),
    key.createdAt === undefined ? NO_VALUE : key.createdAt.slice(0, 10),
  ],
});

/**
 * @param {object} props
 * @param {readonly Key[]} props.keys
 * @param {ReadonlySet<string>} props.selected
 * @param {(id: string) => void} props.toggle
 * @param {boolean} props.canSelect
 */
export const KeyTable = ({ keys, selected, toggle, canSelect }) => html`<${Table}
  caption="Keys"
  isCaptionHidden=${true}
  columns=${columns}
  rows=${keys.map((key) => describeKey(key, selected.has(key.id), toggle, canSelect))}
/>`;
