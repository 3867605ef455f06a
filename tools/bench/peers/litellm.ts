import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../core/server/primary/free-port.ts';
import { startServer } from '../gateways/processes.ts';
import { KEY } from '../gateways/settings.ts';
import { installOnce, type Peer } from './peer.ts';

const VERSION = '1.106.2';

const configOf = (upstream: string): object => {
  const target = { model: 'openai/bench', api_base: `${upstream}/v1`, api_key: 'key' };
  return {
    model_list: [{ model_name: 'openai/bench', litellm_params: target }],
    general_settings: { master_key: KEY },
  };
};
const environment = {
  // It asks for a key of its own form.
  LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true',
  // Else it fetches a list of prices when it starts.
  LITELLM_LOCAL_MODEL_COST_MAP: 'true',
  LITELLM_LOG: 'ERROR',
};

/** https://github.com/BerriAI/litellm */
export const litellm: Peer = {
  name: `LiteLLM ${VERSION}`,
  leavesOut: 'It checks one master key, enforces no limits, and has no database, so that no usage is recorded.',
  headers: () => ({}),
  start: async (upstream) => {
    const folder = installOnce(`litellm-${VERSION}`, (into) => [
      ['python3', '-m', 'venv', into],
      [join(into, 'bin/pip'), 'install', '--quiet', `litellm[proxy]==${VERSION}`],
    ]);
    const port = await findFreePort({ host: '127.0.0.1', port: 0 });
    const own = mkdtempSync(join(tmpdir(), 'koine-bench-'));
    const config = join(own, 'config.yaml');
    writeFileSync(config, JSON.stringify(configOf(upstream)));
    const command = [join(folder, 'bin/litellm'), '--config', config, '--host', '127.0.0.1', '--port', String(port)];
    return startServer({ command, role: 'gateway', environment }, `http://127.0.0.1:${port}`, join(own, 'log'));
  },
};
