import { definePlugin } from '../../core/api/index.ts';
import { agentSetUps } from '../../core/api/internal.ts';
import { loadFiles, loadPage } from './files.ts';
import { schema } from './schema.ts';

/** As `koine agents` prints them; the page puts in the address and the model. */
const setUps = Object.values(agentSetUps).map((setUp) => setUp({ url: '{url}', model: '{model}' }));

/** Serves the dashboard on the admin listener (docs/operate/dashboard.md). Its page uses the admin API alone. */
export default definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'dashboard',
  init: {
    position: 90,
    comment: 'A page on the admin listener, http://127.0.0.1:8788: requests, cost, limits, providers.',
  },
  schema,
  create: () => ({}),
  primary: async () => {
    const [page, files] = await Promise.all([loadPage(), loadFiles()]);
    return {
      admin: (router) => {
        // Developers see their own keys there.
        router.page('/', 'Dashboard', () => page, 'developer');
        router.get('/dashboard/set-ups.json', () => ({ body: setUps }), {
          summary: 'How coding agents are connected: files and commands, with {url} and {model}.',
          role: 'developer',
          answer: { type: 'array' },
        });
        for (const [name, file] of files)
          router.get(`/dashboard/${name}`, () => file, {
            summary: 'A file of the dashboard.',
            role: 'developer',
            type: file.headers?.['content-type'] ?? 'text/javascript',
          });
      },
    };
  },
});
