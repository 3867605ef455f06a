import { expect } from 'chai';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { createMessagesClient } from '../../matrix/clients/client-messages.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { answerJson, startUpstream } from '../../support/upstream.ts';

const source = `
  import { createCompatibleProvider } from 'koine-gateway/openai-compatible';
  export default createCompatibleProvider({
    name: 'acme',
    env: 'ACME_API_KEY',
    baseUrl: 'https://api.acme.example/v2',
    prices: [{ models: ['acme-one'], price: { input: 1, output: 2 }, page: 'https://acme.example', seen: '2026-11-23' }],
    quirks: { auth: { header: 'x-acme-key' }, paths: { chat: '/talk' }, body: { set: { safe: true } } },
  });
`;
const answer = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'acme-one',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000_000, completion_tokens: 1_000_000, total_tokens: 2_000_000 },
};

describe('a vendor in a package', () => {
  it('serves clients of two wires with its own defaults, which the configuration can replace', async () => {
    const folder = createTemporaryFolder();
    const upstream = await startUpstream();
    upstream.answer = (response) => answerJson(response, answer);
    const own = join(folder.path, 'acme');
    mkdirSync(own);
    writeFileSync(join(own, 'index.mjs'), source);
    const config = { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v9` };
    const gateway = await startTestGateway({
      providers: {
        acme: { use: join(own, 'index.mjs'), config },
        other: { use: join(own, 'index.mjs'), config: { ...config, paths: { chat: '/say' } } },
      },
      models: {
        'acme/one': { targets: [{ provider: 'acme', model: 'acme-one' }] },
        'other/one': { targets: [{ provider: 'other', model: 'acme-one' }] },
      },
    });
    try {
      const messages = [{ role: 'user' as const, content: 'Hello' }];
      await createChatClient(gateway.url).chat.completions.create({ model: 'acme/one', messages });
      await createMessagesClient(gateway.url).messages.create({ model: 'other/one', max_tokens: 9, messages });
      await gateway.settled(2);
      expect(upstream.calls.map(({ path }) => path)).to.deep.equal(['/v9/talk', '/v9/say']);
      for (const { headers, body } of upstream.calls) {
        expect(headers).to.include({ 'x-acme-key': 'upstream-secret' }).and.not.have.property('authorization');
        expect(body).to.include({ safe: true });
      }
      expect(gateway.exchanges().map(({ cost_micro: cost }) => cost)).to.deep.equal([3_000_000, 3_000_000]);
    } finally {
      await gateway.stop();
      await upstream.stop();
      folder.remove();
    }
  });
});
