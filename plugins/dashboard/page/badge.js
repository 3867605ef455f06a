import { writeWord } from './format.js';
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

/** A state as a word; its colour says the same once more. @param {{ word: string }} props */
export const Badge = ({ word }) => html`<span class=${`badge ${tones[word] ?? 'bad'}`}>${writeWord(word)}</span>`;
