import { formatName } from '../data/format.js';
import { html } from './html.js';

/** @type {Readonly<Record<string, string>>} */
const tones = {
  ok: 'good',
  closed: 'good',
  reloaded: 'good',
  unchanged: 'good',
  client_closed: 'plain',
  unfinished: 'plain',
  client_error: 'warn',
  rate_limited: 'warn',
  auth: 'warn',
  cooling: 'warn',
  'half-open': 'warn',
};

/** A state as text on a colored ground. @param {{ state: string }} props */
export const Badge = ({ state }) => html`<span class=${`badge ${tones[state] ?? 'bad'}`}>${formatName(state)}</span>`;
