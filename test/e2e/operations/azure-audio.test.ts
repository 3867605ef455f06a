import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { toFile } from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { writeWav } from './audio.ts';

describe('transcription at Azure', () => {
  it('is sent to the deployment as a form, for transcripts and translations', async () => {
    const received: { readonly path: string; readonly model: unknown }[] = [];
    const vendor = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      const form = await new Response(Buffer.concat(chunks), { headers }).formData();
      received.push({ path: request.url ?? '', model: form.get('model') });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"Hello there."}');
    });
    vendor.listen(0, '127.0.0.1');
    await once(vendor, 'listening');
    const endpoint = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
    const deployments = { 'whisper-1': 'team-whisper' };
    const gateway = await startTestGateway({
      providers: { azure: { use: 'azure-openai', config: { endpoint, apiKey: 'k', api: 'deployments', deployments } } },
      models: { 'azure/whisper': { targets: [{ provider: 'azure', model: 'whisper-1' }] } },
    });
    try {
      const { audio } = createChatClient(gateway.url);
      const ask = async () => ({ model: 'azure/whisper', file: await toFile(writeWav(1), 'a.wav') });
      expect((await audio.transcriptions.create(await ask())).text).to.equal('Hello there.');
      expect((await audio.translations.create(await ask())).text).to.equal('Hello there.');
      const base = '/openai/deployments/team-whisper/audio';
      expect(received).to.deep.equal([
        { path: `${base}/transcriptions?api-version=2024-10-21`, model: 'team-whisper' },
        { path: `${base}/translations?api-version=2024-10-21`, model: 'team-whisper' },
      ]);
      const types: string[] = [];
      for await (const { type } of await audio.transcriptions.create({ ...(await ask()), stream: true }))
        types.push(type);
      expect(types).to.deep.equal(['transcript.text.delta', 'transcript.text.done']);
      expect(received.at(-1)).to.deep.equal(received[0]);
    } finally {
      await gateway.stop();
      vendor.close();
    }
  });
});
