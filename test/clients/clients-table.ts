import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/release/lockfile.ts';
import { versions } from './cache.ts';
import { frameworks, pins } from './frameworks/list.ts';
import { readPage, type Section } from './read-page.ts';
import { agents } from './sessions/agents.ts';
import { presets } from './sessions/test-presets.ts';

/** What pins the package of a client, and how it is called there. */
type Pin = readonly [file: string, name: string];

const own = join(root, 'package.json');
const javascript = join(versions, 'javascript/package.json');
const python = join(versions, 'requirements.txt');
const go = join(versions, 'go.mod');
const java = join(versions, 'pom.xml');
const agentsFile = join(versions, 'agents/package.json');

/** The package of each section of clients.md and agents.md. Those without one are part of the system. */
const packages: Readonly<Record<string, Pin>> = {
  'TypeScript: OpenAI': [own, 'openai'],
  'TypeScript: Anthropic': [own, '@anthropic-ai/sdk'],
  'TypeScript: Google': [own, '@google/genai'],
  'TypeScript: Google, interactions': [own, '@google/genai'],
  'TypeScript: AI SDK': [javascript, 'ai'],
  'TypeScript: LangChain': [javascript, '@langchain/core'],
  'TypeScript: LlamaIndex': [javascript, '@llamaindex/openai'],
  'Other operations: Speech to text': [own, 'openai'],
  'Other operations: Text to speech': [own, 'openai'],
  'Other operations: Images': [own, 'openai'],
  'Other operations: Edits of images': [own, 'openai'],
  "Other operations: Rerank with Cohere's SDK": [javascript, 'cohere-ai'],
  'Other operations: Media with the AI SDK': [javascript, 'ai'],
  'Other operations: Rerank with the AI SDK': [javascript, 'ai'],
  'Other operations: Moderation': [own, 'openai'],
  'Other operations: Completions': [own, 'openai'],
  'Python: OpenAI': [python, 'openai'],
  'Python: Anthropic': [python, 'anthropic'],
  'Python: Google': [python, 'google-genai'],
  'Python: Google, interactions': [python, 'google-genai'],
  'Python: LangChain': [python, 'langchain-core'],
  'Python: LlamaIndex': [python, 'llama-index-core'],
  'Python: Pydantic AI': [python, 'pydantic-ai-slim'],
  'Go: OpenAI': [go, 'github.com/openai/openai-go/v3'],
  'Go: Anthropic': [go, 'github.com/anthropics/anthropic-sdk-go'],
  'Go: Google': [go, 'google.golang.org/genai'],
  'Java: OpenAI': [java, 'openai-java'],
  'Java: Anthropic': [java, 'anthropic-java'],
  'Java: Google': [java, 'google-genai'],
  'Agents: Claude Code': [agentsFile, '@anthropic-ai/claude-code'],
  'Agents: Codex': [agentsFile, '@openai/codex'],
  'Agents: Gemini CLI': [agentsFile, '@google/gemini-cli'],
  'Agents: OpenCode': [agentsFile, 'opencode-ai'],
  'Agents: Qwen Code': [agentsFile, '@qwen-code/qwen-code'],
  'Agents: Continue': [agentsFile, '@continuedev/cli'],
  'Agents: aider': [join(versions, 'aider.txt'), 'aider-chat'],
};
const systemOnes = new Set([
  'TypeScript: Without an SDK',
  'Shell: curl',
  'Other operations: Rerank without an SDK',
  'Other operations: Tokens',
]);

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
/** @throws Error if the file does not pin it */
const versionIn = ([file, name]: Pin): string => {
  const pinned = new RegExp(String.raw`(?:^|[\s">])${escapeText(name)}(?:"|==|<|\s)[^\d\n]*(\d[\w.]*)`, 'm');
  const version = pinned.exec(readFileSync(file, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${file} does not pin ${name}`);
  return version;
};

const versionOf = (title: string): string => {
  if (systemOnes.has(title)) return '–';
  const pin = packages[title];
  if (pin === undefined) throw new Error(`${title} has no package in test/clients/clients-table.ts`);
  return `${pin[1].split('/').slice(-2).join('/')} ${versionIn(pin)}`;
};

const everywhere = 'loops at every target';
/**
 * What is held of SDKs beside their answers: test/matrix has a loop of each over each wire at every target, and those
 * that the SDKs run by themselves (`helpers/`).
 */
const looped: Readonly<Record<string, string>> = {
  'TypeScript: OpenAI': `${everywhere}, also by \`runTools\``,
  'TypeScript: Anthropic': `${everywhere}, also by \`toolRunner\``,
  'TypeScript: Google': `${everywhere}, also by automatic function calling`,
  'TypeScript: Google, interactions': everywhere,
  'Python: Google, interactions': 'loop, images and JSON at every kind of target',
};
const heldOf = (title: string): string => {
  const [chapter = '', name = ''] = title.split(': ');
  if (chapter !== 'Agents') return ['answers', looped[title]].filter((held) => held !== undefined).join(', ');
  const hasSession = agents.some((agent) => agent.name === name);
  return [
    'answer, tool',
    ...(hasSession ? ['session', `loop at ${presets.join(', ')}, Google over interactions`] : []),
  ].join(', ');
};

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const wiresOf = (wires: readonly string[]): string => wires.map((wire) => `\`${wire}\``).join(', ');
const isRun = ({ title, blocks }: Section): boolean =>
  !title.startsWith('Not in the test') &&
  (!title.startsWith('Agents: ') || blocks.some(({ language }) => language === 'sh'));

/** The clients that tests run, as a table. */
export function writeClients(): string {
  const sections = [...readPage('docs/start/clients.md'), ...readPage('docs/start/agents.md')].filter(isRun);
  const answered = sections.map(({ title, wires }) => [
    title.replace(': ', ', '),
    versionOf(title),
    wiresOf(wires),
    heldOf(title),
  ]);
  const loops = frameworks.map(({ name, language, package: of, wires }) => [
    `${language}, ${name}`,
    `${of} ${versionIn([join(versions, pins[language]), of])}`,
    wiresOf(wires),
    'loop over every upstream wire',
  ]);
  const head = ['client', 'version', 'wires', 'what was held'];
  return [head, head.map(() => '---'), ...answered, ...loops].map(rowOf).join('\n');
}

const [BEGIN, END] = ['<!-- clients: written by the test -->', '<!-- end of clients -->'];
/** The page with this table in place of the one that it has. @throws Error if it has no place for one */
export const replaceClients = (page: string, table: string): string => {
  const [before = '', rest] = page.split(BEGIN);
  if (rest === undefined) throw new Error(`no ${BEGIN}`);
  return `${before}${BEGIN}\n\n${table}\n\n${END}${rest.split(END)[1] ?? ''}`;
};
