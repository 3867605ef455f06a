import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ndjson } from 'koine-gateway/codec';
import { codecLaws, loadRecordings, startTestGateway, startTestUpstream } from 'koine-gateway/testing';
import provider, { codec } from './index.ts';

const recordings = loadRecordings(join(import.meta.dirname, 'recordings'));
for (const { name, run } of codecLaws(codec, recordings, { framing: ndjson })) test(name, run);

test('a gateway with the provider serves clients of another wire', async () => {
  const upstream = await startTestUpstream();
  const config = { baseUrl: upstream.url };
  const gateway = await startTestGateway({ upstream, providers: { [provider.name]: { use: provider, config } } });
  try {
    const message = { role: 'assistant', content: 'Good day.' };
    upstream.answer({ body: { message, done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 2 } });
    const body = JSON.stringify({ model: 'ollama-example/llama3.2', messages: [{ role: 'user', content: 'Hello' }] });
    const response = await gateway.fetch('/v1/chat/completions', { method: 'POST', body });
    assert.match(await response.text(), /"content":"Good day\."/);
    assert.equal(upstream.requests[0]?.path, '/api/chat');
  } finally {
    await gateway.close();
  }
});
