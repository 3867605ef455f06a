/** @import { ComponentChildren } from 'preact' */
import { useEffect } from 'preact/hooks';
import { html } from './html.js';

/**
 * @param {object} props
 * @param {string} props.title
 * @param {ComponentChildren} [props.note]
 * @param {ComponentChildren} [props.actions]
 * @param {ComponentChildren} props.children
 */
export const Page = ({ title, note, actions, children }) => {
  useEffect(() => {
    document.title = `${title} · Koine`;
  }, [title]);
  return html`
    <div class="page-head">
      <div>
        <h1>${title}</h1>
        ${note !== undefined && html`<p class="muted small">${note}</p>`}
      </div>
      ${actions !== undefined && html`<div class="page-actions">${actions}</div>`}
    </div>
    ${children}
  `;
};
