import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { answerJson, startUpstream, type TestUpstream } from '../../../support/upstream.ts';
import { startFirst, type FirstStart } from '../serve-once.ts';

/** A package that `koine new` writes, and how to see that a gateway uses it. */
export interface NewPackage {
  readonly kind: string;
  readonly name: string;
  readonly folder: string;
  readonly model: string;
  /** Turns the settings of its `gateway.yaml` to an upstream. */
  readonly configure: (text: string, upstream: string) => string;
  readonly answer: TestUpstream['answer'];
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
}

const SECRET = 'the-key-of-the-vendor-0815';

export const newPackages: readonly NewPackage[] = [
  {
    kind: 'plugin',
    name: 'koine-plugin-prompt-policy',
    folder: 'koine-plugin-prompt-policy',
    model: 'team',
    configure: (text) => text,
    answer: (response) => void response.writeHead(500).end(),
    headers: { 'x-koine-model': 'simulator/large', 'x-team': 'default' },
  },
  {
    kind: 'provider',
    name: '@zeta/my-vendor',
    folder: 'my-vendor',
    model: 'my-vendor/one',
    configure: (text, upstream) => text.replace('config: {', `config: { baseUrl: "${upstream}/v1",`),
    answer: (response, { path, headers, body }) => {
      if (path !== '/v1/chat/completions' || headers.authorization !== `Bearer ${SECRET}`)
        answerJson(response, {}, 401);
      else
        answerJson(response, {
          id: '1',
          object: 'chat.completion',
          created: 1,
          model: body['model'],
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hello to you.' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1_000_000, completion_tokens: 1, total_tokens: 1_000_001 },
        });
    },
    headers: { 'x-koine-provider': 'my-vendor', 'x-koine-lane': 'native' },
  },
  {
    kind: 'wire',
    name: 'koine-provider-tau',
    folder: 'koine-provider-tau',
    model: 'tau/llama3.2',
    configure: (text, upstream) => text.replace('http://127.0.0.1:11434', upstream),
    answer: (response, { path, body }) => {
      if (path !== '/api/chat' || body['model'] !== 'llama3.2') answerJson(response, { error: 'no such model' }, 404);
      else
        answerJson(response, {
          model: 'llama3.2',
          message: { role: 'assistant', content: 'Hello to you.' },
          done: true,
          done_reason: 'stop',
          prompt_eval_count: 3,
          eval_count: 4,
        });
    },
    headers: { 'x-koine-provider': 'tau', 'x-koine-lane': 'translated' },
  },
];

/** Serves a package with its own `gateway.yaml`, and sends a request. @param koine the words of the command */
export async function expectAnswer(
  { folder, model, configure, answer, headers }: NewPackage,
  cwd: string,
  koine: readonly string[],
): Promise<void> {
  const upstream = await startUpstream();
  try {
    upstream.answer = answer;
    const text = readFileSync(join(cwd, folder, 'gateway.yaml'), 'utf8');
    writeFileSync(join(cwd, folder, 'served.yaml'), configure(text, upstream.url));
    const words = ['serve', '--config', `${folder}/served.yaml`, '--port', '0', '--admin-port', '0'];
    const gateway = await startFirst({ cwd, env: { MY_VENDOR_API_KEY: SECRET } }, [...koine, ...words]);
    try {
      await expectResponse(gateway, model, headers);
    } finally {
      await gateway.stop();
    }
  } finally {
    await upstream.stop();
  }
}

async function expectResponse({ url, key }: FirstStart, model: string, headers: NewPackage['headers']): Promise<void> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  const { data, response } = await client.chat.completions
    .create({ model, messages: [{ role: 'user', content: 'Hello' }] })
    .withResponse();
  expect(data.choices[0]?.message.content).to.include('Hello');
  const received = Object.keys(headers).map((name) => [name, response.headers.get(name)]);
  expect(Object.fromEntries(received)).to.deep.equal(headers);
}
