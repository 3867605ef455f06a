import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCases } from '../../../core/cli/record.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { aimock, startAimock } from './aimock.ts';
import { installOnce, pythonPackages, startProcess, type IndependentServer } from './server.ts';

const VERSION = '1.106.2';
const MODEL = 'mock';

const environment = {
  // It asks for a key of its own form.
  LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true',
  // Else it fetches a list of prices when it starts.
  LITELLM_LOCAL_MODEL_COST_MAP: 'true',
  LITELLM_LOG: 'ERROR',
};
const configOf = (upstream: string): object => ({
  model_list: [
    {
      model_name: MODEL,
      litellm_params: { model: `hosted_vllm/${MODEL}`, api_base: `${upstream}/v1`, api_key: 'key' },
    },
  ],
  router_settings: { disable_cooldowns: true, num_retries: 0 },
});
const cases = findCases(['text', 'max-tokens', 'tools', 'parallel-tools', 'reasoning', 'unknown-model']);

/**
 * https://github.com/BerriAI/litellm: a proxy that writes all wires itself, from chat completions of aimock. With its own
 * `mock_response` it cannot stream Messages and Responses.
 */
export const litellm: IndependentServer = {
  folder: 'litellm',
  name: `LiteLLM ${VERSION} before ${aimock.name}`,
  start: async () => {
    const folder = installOnce(`litellm-${VERSION}`, pythonPackages(`litellm[proxy]==${VERSION}`));
    const upstream = await startAimock();
    const own = createTemporaryFolder();
    const config = join(own.path, 'config.yaml');

    writeFileSync(config, JSON.stringify(configOf(upstream.url)));
    const { url, stop } = await startProcess(
      (port) => [join(folder, 'bin/litellm'), '--config', config, '--host', '127.0.0.1', '--port', String(port)],
      environment,
    );
    const server = { url, model: MODEL, cases };
    return {
      recorded: [
        { ...server, provider: 'openai', repeatable: true },
        // Chat completions count the tokens of reasoning in streams only.
        { ...server, provider: 'openai', repeatable: false, cases: findCases(['reasoning']) },
        { ...server, provider: 'anthropic', repeatable: true },
        // Its streams have no usage, and no reasoning.
        { ...server, provider: 'google', repeatable: false },
      ],
      stop: () => {
        stop();
        upstream.stop();
        own.remove();
      },
    };
  },
};
