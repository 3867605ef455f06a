import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestExchange, createTestServices } from 'koine-gateway/testing';
import purpose from './index.ts';

const create = () => purpose.create({ purposes: ['support', 'research'] }, createTestServices());

test('admits a request with a known purpose, and repeats it in the response', async () => {
  const { admit } = await create();
  assert.deepEqual(await admit?.(createTestExchange({ headers: { 'x-purpose': 'support' } })), {
    headers: { 'x-purpose': 'support' },
  });
});

test('refuses a request without a known purpose, and says which ones there are', async () => {
  const { admit } = await create();
  for (const exchange of [createTestExchange(), createTestExchange({ headers: { 'x-purpose': 'fun' } })])
    assert.throws(() => admit?.(exchange), {
      status: 400,
      message: /one of: support, research/,
    });
});

test('reports a purpose that is listed twice', () => {
  const catalog = { models: [], providers: [] } as never;
  assert.deepEqual(purpose.check?.({ purposes: ['a', 'a'] }, catalog), [
    { path: ['purposes', 1], message: 'a occurs twice.' },
  ]);
});
