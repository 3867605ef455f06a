import { readNames } from '../data/names.js';
import { usePoll } from '../data/poll.js';
import { useSession } from '../data/session.js';
import { html } from './html.js';
import { curlOf } from './set-up.js';

/** How to make a key and send a request, where there is nothing to show yet. @param {{ title: string }} props */
export const FirstRequest = ({ title }) => {
  const { has } = useSession();
  const { port, models } = usePoll(readNames, 60_000).data ?? { port: 8787, models: [] };
  const url = `http://${location.hostname}:${port}`;
  return html`
    <div class="card empty">
      <p><strong>${title}</strong></p>
      <p>
        ${
          has('POST /admin/keys')
            ? html`<a href="#/keys?create=1">Create a key</a>`
            : 'Create a key with “koine keys create”'
        }, put its secret into the variable KOINE_KEY, and send a request:
      </p>
      <pre tabindex="0" aria-label="A first request">${curlOf(url, models[0] ?? 'MODEL')}</pre>
    </div>
  `;
};
