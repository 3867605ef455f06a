import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { toFile } from 'openai';
import { createChatClient } from '../../../matrix/clients/client-chat.ts';
import { startTestGateway } from '../../../support/gateway.ts';

const isInstalled = spawnSync('python3', ['-c', 'import espeakng_loader, pocketsphinx']).status === 0;

const startServer = async (script: string): Promise<{ readonly url: string; readonly child: ChildProcess }> => {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn('python3', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
  process.once('exit', () => child.kill('SIGKILL'));
  for await (const port of createInterface(child.stdout)) return { url: `http://127.0.0.1:${port}/v1`, child };
  throw new Error(`${script} has ended`);
};

describe('speech that is transcribed again', function () {
  this.timeout(600_000);
  before(function () {
    if (isInstalled) return;
    if (process.env['CI'] === 'true') throw new Error('pip install espeakng-loader pocketsphinx is missing.');
    this.skip();
  });

  it('has the words of the text, and each has its row with its price', async () => {
    const servers = await Promise.all(['speak.py', 'transcribe.py'].map(startServer));
    const [espeak, sphinx] = servers.map(({ url }) => url);
    const gateway = await startTestGateway({
      providers: {
        espeak: { use: 'openai-compatible', config: { baseUrl: espeak, wires: ['speech'] } },
        sphinx: { use: 'openai-compatible', config: { baseUrl: sphinx, wires: ['transcriptions'] } },
      },
      models: {
        'espeak/en': {
          targets: [{ provider: 'espeak', model: 'en' }],
          price: { input: 0, output: 0, units: { characters: 0.00001 } },
        },
        'sphinx/digits': {
          targets: [{ provider: 'sphinx', model: 'digits' }],
          price: { input: 0, output: 0, units: { seconds: 0.001 } },
        },
      },
    });
    try {
      const openai = createChatClient(gateway.url);
      const input = 'one two three four five';
      const speech = await openai.audio.speech.create({
        model: 'espeak/en',
        input,
        voice: 'alloy',
        response_format: 'wav',
      });
      const file = await toFile(speech.arrayBuffer(), 'speech.wav');
      const { text } = await openai.audio.transcriptions.create({ model: 'sphinx/digits', file });
      expect(text).to.equal(input);
      await gateway.settled(2);
      const [spoken, transcribed] = gateway.exchanges();
      expect(spoken).to.deep.include({ operation: 'speak', status: 200, cost_micro: 230 });
      expect(transcribed).to.deep.include({ operation: 'transcribe', status: 200 });
      expect(transcribed?.['cost_micro']).to.be.within(1_000, 10_000);
    } finally {
      await gateway.stop();
      for (const { child } of servers) child.kill();
    }
  });
});
