import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadConfig } from '../../../../core/config/load.ts';
import { builtIns } from '../all-built-ins.ts';
import { runHere } from '../run-here.ts';

/** The names that agents and current SDKs request by themselves, by the wire on which they do. */
const requested: Readonly<Record<string, readonly string[]>> = {
  messages: [
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'claude-sonnet-4-6',
    'claude-haiku-4-5-20251001',
  ],
  responses: ['gpt-6.1-sol', 'gpt-6-luna', 'gpt-5-codex', 'o3'],
  'chat-completions': ['gpt-5-mini', 'gpt-4.1', 'claude-sonnet-4-6'],
  'generate-content': [
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
    'gemini-3.5-flash-lite',
    'gemini-3-flash-preview',
  ],
};

const variables = { OPENAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'x', GEMINI_API_KEY: 'x' };

/** The names that the file does not serve, with their wires. */
const findMissing = async (file: string): Promise<readonly string[]> => {
  const { config } = await loadConfig(file, builtIns, variables);
  const isServed = (name: string, wire: string): boolean => {
    const model = config.models[config.aliases[name] ?? name];
    return model !== undefined && (model.wires?.includes(wire) ?? wire !== 'responses');
  };
  return Object.entries(requested).flatMap(([wire, names]) =>
    names.filter((name) => !isServed(name, wire)).map((name) => `${name} on ${wire}`),
  );
};

describe('the names that agents request by themselves', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('the shipped configuration serves each name that agents request by themselves', async () => {
    expect(await findMissing(fileURLToPath(new URL('../../../../gateway.yaml', import.meta.url)))).to.deep.equal([]);
  });

  it('the first configuration of koine init serves each name that agents request by themselves', async () => {
    await runHere(['init'], { cwd: folder, env: variables });
    expect(await findMissing(join(folder, 'gateway.yaml'))).to.deep.equal([]);
  });
});
