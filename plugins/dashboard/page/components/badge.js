import { formatName } from '../data/format.js';
import { classOf } from '../data/outcomes.js';
import { html } from './html.js';

/** @type {Readonly<Record<string, string>>} */
const tones = {
  active: 'good',
  closed: 'good',
  reloaded: 'good',
  unchanged: 'good',
  serving: 'good',
  cooling: 'warn',
  partly: 'warn',
  'half-open': 'warn',
  expiring: 'warn',
  starting: 'warn',
  pending: 'plain',
  disabled: 'plain',
  revoked: 'plain',
  expired: 'plain',
  configuration: 'plain',
  database: 'plain',
};
/** @type {Readonly<Record<string, string>>} */
const classTones = { success: 'good', client_error: 'plain', limited: 'warn', failure: 'bad' };

/** A state as text on a colored ground. @param {{ state: string }} props */
export const Badge = ({ state }) => html`<span class=${`badge ${tones[state] ?? 'bad'}`}>${formatName(state)}</span>`;

/** How an exchange ended; null while it runs. @param {{ outcome: string | null }} props */
export const Outcome = ({ outcome }) =>
  outcome === null
    ? html`<${Badge} state="pending" />`
    : html`<span class=${`badge ${classTones[classOf(outcome)]}`}>${formatName(outcome)}</span>`;
