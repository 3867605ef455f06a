/** @import { File, Pages } from '../../components/table/foot.js' */
/** @import { Order, Selection } from '../../components/table/table.js' */
/** @import { Key } from '../../data/keys.js' */
import { Badge } from '../../components/badge.js';
import { html } from '../../components/html.js';
import { Table } from '../../components/table/table.js';
import { NO_VALUE, formatTime, formatWait } from '../../data/format.js';
import { describeLimits, describeModels } from '../../components/keys/cells.js';
import { identityOf, stateOf } from '../../data/keys.js';
import { linkTo } from '../../data/route.js';
import { inBothZones } from '../../data/zone.js';

/** @typedef {'small' | 'medium'} Width */
const columns = [
  { title: 'Key', sort: 'name' },
  { title: 'State' },
  { title: 'Models', not: /** @type {Width} */ ('small') },
  { title: 'Limits', not: /** @type {Width} */ ('small') },
  { title: 'Expires', not: /** @type {Width} */ ('medium') },
  { title: 'Created', sort: 'created', not: /** @type {Width} */ ('medium') },
];

/** @param {Key} key */
const describePlace = ({ organization, project, origin }) =>
  `${organization}/${project}${origin === 'configuration' ? ' · gateway.yaml, read-only' : ''}`;

/** A key of the file, and a revoked one, cannot be selected. @param {Key} key */
const canSelect = (key) => key.origin === 'database' && stateOf(key) !== 'revoked';

/** The keys that a later one of the same name has replaced. @param {readonly Key[]} keys */
const listReplaced = (keys) => {
  const stored = keys.filter((key) => key.createdAt !== undefined && !['revoked', 'expired'].includes(stateOf(key)));
  const byName = Map.groupBy(stored, identityOf);
  return new Set(
    [...byName.values()].flatMap((same) => {
      const [, ...older] = same.toSorted((one, other) => ((one.createdAt ?? '') < (other.createdAt ?? '') ? 1 : -1));
      return older.map(({ id }) => id);
    }),
  );
};

const SOON_MS = 2 * 86_400_000;
/** @param {string} time */
const writeEnd = (time) => {
  const left = Date.parse(time) - Date.now();
  return html`<span title=${inBothZones(time)}
    >${left > 0 && left < SOON_MS ? `in ${formatWait(left)}` : formatTime(time).slice(0, 10)}</span
  >`;
};

/** @param {Key} key @param {boolean} isReplaced */
const describeKey = (key, isReplaced) => ({
  key: key.id,
  ...(canSelect(key) ? { select: identityOf(key) } : {}),
  cells: [
    html`<a class="link" href=${linkTo('keys', { id: key.id })}>${key.name}</a>
      <span class="muted below wrap"
        >${describePlace(key)}${key.prefix !== undefined && html`${' · '}<code>${key.prefix}</code>`}</span
      >`,
    html`<${Badge} state=${stateOf(key)} />${isReplaced && html`<span class="muted below">replaced</span>`}`,
    html`<span class="wrap">${describeModels(key)}</span>`,
    html`<span class="wrap">${describeLimits(key)}</span>`,
    key.expiresAt === undefined ? html`<span class="muted">never</span>` : writeEnd(key.expiresAt),
    key.createdAt === undefined ? NO_VALUE : key.createdAt.slice(0, 10),
  ],
});

/**
 * @param {object} props
 * @param {readonly Key[]} props.keys
 * @param {Selection} [props.selection] absent: the role may not change keys
 * @param {Order} props.order
 * @param {Pages} props.pages
 * @param {File} props.file
 */
export const KeyTable = ({ keys, ...more }) => {
  const replaced = listReplaced(keys);
  return html`<${Table}
    caption="Keys"
    columns=${columns}
    rows=${keys.map((key) => describeKey(key, replaced.has(key.id)))}
    ...${more}
  />`;
};
