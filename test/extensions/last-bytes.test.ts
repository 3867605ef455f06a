import { expect } from 'chai';
import OpenAI from 'openai';
import { definePlugin, type Output } from '../../core/api/index.ts';
import { builtIns, KEY } from '../support/gateway.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { CHAT, startScene } from '../support/scene.ts';
import { say } from './guarded-upstream.ts';

/** Of each write of a response that inner plugins make: whether it is the last. */
const lasts: (boolean | undefined)[] = [];
const witness = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'witness',
  schema: { type: 'object' },
  create: () => ({
    interceptor: (next) => async (attempt) => {
      const reply = await next(attempt);
      const watch = ({ write }: Output): Output => ({
        write: (bytes, isLast) => {
          lasts.push(isLast);
          return write(bytes, isLast);
        },
      });
      return { ...reply, deliver: (output) => reply.deliver(watch(output)) };
    },
  }),
});

describe('the last bytes of a stream', () => {
  it('are known as the last behind the plugins that copy responses', async () => {
    const folder = createTemporaryFolder();
    const scene = await startScene(
      {
        plugins: [
          { use: 'auth' },
          { use: 'witness' },
          { use: 'response-cache' },
          {
            use: 'prompt-log',
            config: { encryptionKey: Buffer.alloc(32).toString('base64'), files: { path: folder.path } },
          },
        ],
      },
      { ...builtIns, plugin: { ...builtIns.plugin, witness } },
    );
    scene.upstream.answer = (response, call) => say({ text: ['Hello.'] }, response, call);
    const client = new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    for await (const _chunk of await client.chat.completions.create({ model: CHAT, messages, stream: true }));
    await scene.stop();
    folder.remove();
    expect(lasts.at(-1)).to.equal(true);
    expect(lasts.slice(0, -1)).to.not.include(true);
  });
});
