/** @import { Dimension, UsageQuery } from '../../data/usage-report.js' */
import { Choice, Filters, TextChoice } from '../../components/choice.js';
import { html } from '../../components/html.js';
import { Period } from '../../components/period.js';
import { dimensions, isTag, ranges, tagName, tagOf, titleOf } from '../../data/usage-report.js';
import { measures } from './measures.js';

/** @typedef {(change: Readonly<Record<string, string | undefined>>) => void} Change */

/** A tag that is not in the list of dimensions. @param {Dimension} by */
const isOtherTag = (by) => isTag(by) && !(by in dimensions);

/** The tag that is grouped by until another is named. */
const FIRST_TAG = 'team';
/** The name of a tag; the report refuses others. */
const TAG_NAME = '[A-Za-z][A-Za-z0-9_.@\\-]*';

/**
 * @param {object} props
 * @param {UsageQuery} props.query
 * @param {string} props.measure
 * @param {Change} props.change
 */
export const UsageControls = ({ query, change, measure }) => html`
  <div class="controls">
    <${Period}
      id="usage-range"
      name="range"
      value=${query.range}
      options=${Object.entries(ranges).map(([range, { title }]) => [range, title])}
      query=${query.range === 'custom' ? { from: query.from, to: query.to } : {}}
      change=${change}
    />
    <${Choice}
      id="usage-by"
      label="Group by"
      value=${isOtherTag(query.by) ? 'tag' : query.by}
      options=${[...Object.entries(dimensions), ['tag', 'Tag']]}
      choose=${(/** @type {Dimension | 'tag'} */ by) => change({ by: by === 'tag' ? tagOf(FIRST_TAG) : by })}
    />
    ${
      isOtherTag(query.by) &&
      html`<${TextChoice}
        id="usage-tag"
        label="Name of the tag"
        value=${tagName(query.by)}
        required
        pattern=${TAG_NAME}
        choose=${(/** @type {string} */ name) => change({ by: tagOf(name) })}
      />`
    }
    <${Choice}
      id="usage-measure"
      label="Chart"
      value=${measure}
      options=${Object.entries(measures).map(([name, { title }]) => [name, title])}
      choose=${(/** @type {string} */ name) => change({ measure: name })}
    />
    <${Filters}
      chosen=${Object.entries(query.only).map(([name, value]) => ({
        name,
        title: `${titleOf(/** @type {Dimension} */ (name))}: ${value}`,
      }))}
      drop=${(/** @type {string} */ name) => change({ [name]: undefined })}
    />
  </div>
`;
