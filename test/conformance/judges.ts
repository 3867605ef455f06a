import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { installPython } from '../clients/cache.ts';
import { KEY } from '../support/gateway.ts';
import { MODEL } from './kinds.ts';

/** What a judge found: how many of its tests passed, and what is wrong with the others. */
export interface Verdict {
  readonly passed: number;
  /** Without those that the judge itself skips. */
  readonly total: number;
  /** Tests whose request the target cannot serve, and which were refused with the name of the member. */
  readonly refused: readonly string[];
  readonly wrong: readonly string[];
}

/** The formats of llm-comply, and the wire of a target whose responses are the vendor's own bytes. */
export const formats: Readonly<Record<string, { readonly base: string; readonly native: string }>> = {
  'open-responses': { base: '/v1', native: 'responses' },
  'openai-chat': { base: '/v1', native: 'chat-completions' },
  'anthropic': { base: '/v1', native: 'messages' },
  'google-genai': { base: '', native: 'generate-content' },
  'google-interactions': { base: '', native: 'interactions' },
};

/** An event of the document in llm-comply, which its own list of events has under another name. */
const MISNAMED = /^unknown SSE event type: response\.reasoning_summary_text\.(?:delta|done)$/;

interface Report {
  readonly results: readonly { readonly id: string; readonly status: string; readonly errors?: readonly string[] }[];
}

const run = (command: string, words: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    child.once('error', reject).once('close', () => resolve(printed));
  });

/** llm-comply of PyPI, in a folder outside of the project. */
export class Comply {
  readonly #folder = installPython('llm-comply', 'llm-comply.txt');

  /** The files of OpenAPI documents that the package contains. */
  async documents(...names: readonly string[]): Promise<readonly string[]> {
    const script = 'import llm_comply, os; print(os.path.dirname(llm_comply.__file__))';
    const folder = (await run(join(this.#folder, 'venv/bin/python'), ['-c', script])).trim();
    return names.map((name) => join(folder, 'specs', `${name}.json`));
  }

  async judge(format: string, url: string): Promise<Verdict> {
    const { base = '' } = formats[format] ?? {};
    const words = ['--json', '--format', format, '-u', url + base, '-k', KEY, '-m', MODEL];
    const printed = await run(join(this.#folder, 'venv/bin/llm-comply'), [
      ...words,
      ...(format === 'anthropic' ? ['-H', 'anthropic-version: 2023-06-01'] : []),
    ]);
    const { results } = JSON.parse(printed) as Report;
    const judged = results.filter(({ status }) => status !== 'skipped');
    const failed = judged.filter(
      ({ status, errors = [] }) =>
        status === 'error' || (status === 'failed' && !errors.every((error) => MISNAMED.test(error))),
    );
    return {
      passed: judged.length - failed.length,
      total: judged.length,
      refused: [],
      wrong: failed.map(({ id, errors = [] }) => `${id}: ${errors.slice(0, 3).join('; ')}`),
    };
  }
}
