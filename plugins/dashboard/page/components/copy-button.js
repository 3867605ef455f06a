import { useState } from 'preact/hooks';
import { html } from './html.js';

/** Copies a text. @param {{ text: string, label?: string }} props */
export const CopyButton = ({ text, label = 'Copy' }) => {
  const [state, setState] = useState('');
  // Without https, and on another host than localhost, browsers have no clipboard for pages.
  const copy = () =>
    (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => setState('Copied'),
      () => setState('Select the text and copy it'),
    );
  return html`<button type="button" onClick=${copy}>${label}</button>
    <span class="muted small" role="status">${state}</span>`;
};
