import { join } from 'node:path';
import { findCases } from '../../../core/cli/record.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { installOnce, pythonPackages, startProcess, type IndependentServer } from './server.ts';

const VERSION = '2026.10.11549';
const GGUF = '0.19.0';

const cases = findCases(['text', 'system', 'max-tokens', 'tools', 'tool-results', 'structured', 'image']);

/** https://github.com/xorbitsai/xllamacpp: the server of llama.cpp. A tiny model with random weights answers. */
export const llamaCpp: IndependentServer = {
  folder: 'llama-cpp',
  name: `llama.cpp (xllamacpp ${VERSION}) with random weights`,
  start: async () => {
    const folder = installOnce(`xllamacpp-${VERSION}`, pythonPackages(`xllamacpp==${VERSION}`, `gguf==${GGUF}`));
    const python = join(folder, 'bin/python');
    const program = join(import.meta.dirname, 'llama_cpp.py');
    const own = createTemporaryFolder();
    const start = (...mode: readonly string[]) =>
      startProcess((port) => [python, program, own.path, String(port), ...mode]);
    const chat = await start();
    const embeddings = await start('embeddings');
    const server = { model: 'random', repeatable: true };
    return {
      recorded: [
        { ...server, url: chat.url, provider: 'openai', cases },
        { ...server, url: chat.url, provider: 'anthropic', cases },
        { ...server, url: embeddings.url, provider: 'openai', cases: findCases(['one-text', 'two-texts']) },
      ],
      stop: () => {
        chat.stop();
        embeddings.stop();
        own.remove();
      },
    };
  },
};
