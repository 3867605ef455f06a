import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../core/server/primary/free-port.ts';
import { startServer } from '../gateways/processes.ts';
import { installOnce, type Peer } from './peer.ts';

const VERSION = '1.15.2';
// What its own lockfile has; newer ones do not go with it.
const beside = ['hono@4.9.7', '@hono/node-server@1.13.5', '@hono/node-ws@1.2.0'];
const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];

/** https://github.com/Portkey-AI/gateway */
export const portkey: Peer = {
  name: `Portkey ${VERSION}`,
  leavesOut: 'It checks no keys, enforces no limits, and records neither metrics nor usage.',
  headers: (upstream) => ({ 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` }),
  start: async () => {
    const packages = [`@portkey-ai/gateway@${VERSION}`, ...beside];
    const folder = installOnce(`portkey-${VERSION}`, (into) => [
      ['npm', 'install', '--prefix', into, ...options, ...packages],
    ]);
    const port = await findFreePort({ host: '127.0.0.1', port: 0 });
    const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
    const command = [process.execPath, program, `--port=${port}`, '--headless'];
    const log = join(mkdtempSync(join(tmpdir(), 'koine-bench-')), 'log');
    return startServer({ command, role: 'gateway' }, `http://127.0.0.1:${port}`, log);
  },
};
