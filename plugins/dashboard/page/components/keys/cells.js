/** @import { Key } from '../../data/keys.js' */
import { summarizeLimit } from '../../data/limits.js';
import { html } from '../html.js';

const MOST_PATTERNS = 2;
/** @param {readonly string[]} texts @param {string} none */
const shorten = (texts, none) => {
  const further = texts.length - MOST_PATTERNS;
  const shown = texts.slice(0, MOST_PATTERNS).join(', ');
  return texts.length === 0 ? none : further > 0 ? `${shown}, and ${further} more` : shown;
};

/** @param {Key} key */
export const describeModels = ({ models }) => shorten(models, 'all');

/** @param {{ limits?: Key['limits'] | undefined }} key */
export const describeLimits = ({ limits }) =>
  limits === undefined ? html`<span class="muted">inherited</span>` : shorten(limits.map(summarizeLimit), 'none');
