import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDraft, createTestExchange, createTestServices } from 'koine-gateway/testing';
import plugin from './index.ts';

const config = {
  models: { search: 'openai/gpt-4.1', web: 'anthropic/claude-sonnet-4-5' },
  policy: 'Be brief.',
  phrase: 'Project X',
};
const headers = { 'x-team': 'search' };
const create = () => plugin.create(config, createTestServices());

test('rewrite gives each team its model, and leaves other models as they are', async () => {
  const { rewrite } = await create();
  const modelOf = async (team: string, model: string) =>
    (await rewrite?.(createTestDraft({ model, headers: { 'x-team': team } })))?.model;
  assert.equal(await modelOf('search', 'team'), 'openai/gpt-4.1');
  assert.equal(await modelOf('web', 'team'), 'anthropic/claude-sonnet-4-5');
  assert.equal(await modelOf('web', 'openai/gpt-5'), 'openai/gpt-5');
});

test('admit tags the request with its team', async () => {
  const { admit } = await create();
  assert.deepEqual(await admit?.(createTestExchange({ headers })), {
    annotations: { tags: { team: 'search' }, log: { team: 'search' } },
    headers,
  });
});

test('guard redacts the phrase', async () => {
  const { guard } = await create();
  const content = { choice: 0, part: 0, kind: 'text' as const, isEnd: true };
  const inspect = guard?.(createTestExchange())?.inspect;
  assert.equal(inspect?.('Hello', content), 'pass');
  assert.deepEqual(inspect?.('About Project X.', content), { replace: 'About [redacted].' });
});
