import { expect } from 'chai';
import { definePlugin, type PluginInstance } from '../../../core/index.ts';
import { builtIns } from '../../e2e/gateway.ts';
import { send, type HttpReply } from '../../e2e/http.ts';
import { CHAT, MESSAGES, startScene, type Scene } from '../../e2e/scene.ts';
import { answerJson, answerSse } from '../../e2e/upstream.ts';
import { chatBody, chatFrames } from '../../matrix/vendor-chat.ts';
import { goodDay } from '../../matrix/said.ts';
import { messagesBody } from '../../matrix/vendor-messages.ts';
import { someTokens } from '../../matrix/wires.ts';

/** White space that only the native lane keeps. */
const body = (model: string, stream = false): string => `{ "model" : ${JSON.stringify(model)},  "stream":${stream}, "messages":[ {"role":"user","content":"Hi"} ], "max_tokens":20 }`;

describe('the lane of an attempt', () => {
  let scene: Scene | undefined;
  afterEach(async () => {
    await scene?.stop();
    scene = undefined;
  });

  const start = async (instance: PluginInstance): Promise<Scene> => {
    const plugin = definePlugin({ kind: 'plugin', apiVersion: 1, name: 'tested', schema: { type: 'object' }, create: () => instance });
    scene = await startScene({ plugins: [{ use: 'auth' }, { use: 'tested' }] }, { ...builtIns, plugin: { ...builtIns.plugin, tested: plugin } });
    scene.upstream.answer = (response, call) => {
      if (call.path === '/v1/messages') answerJson(response, JSON.parse(messagesBody(goodDay.messages, someTokens)));
      else if (call.body['stream'] === true) answerSse(response, chatFrames(goodDay.chat, someTokens).join(''));
      else answerJson(response, JSON.parse(chatBody(goodDay.chat, someTokens)));
    };
    return scene;
  };
  /** The lane that the header names, after a look at whether it was taken. */
  const laneOf = async ({ gateway, upstream }: Scene, path: string, model: string, stream = false): Promise<string> => {
    upstream.calls.length = 0;
    const reply: HttpReply = await send(gateway.url, { path, body: body(model, stream) });
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.text).to.include('Good day.'.slice(0, 4));
    const lane = String(reply.headers['x-koine-lane']);
    expect(upstream.calls).to.have.length(1);
    expect(upstream.calls[0]?.raw.includes('{ "model" : '), 'the client’s own bytes went up').to.equal(lane === 'native');
    return lane;
  };

  it('is native where client and target speak one wire, plain and streamed', async () => {
    const running = await start({});
    expect(await laneOf(running, '/v1/chat/completions', CHAT)).to.equal('native');
    expect(await laneOf(running, '/v1/chat/completions', CHAT, true)).to.equal('native');
    expect(await laneOf(running, '/v1/messages', MESSAGES)).to.equal('native');
  });

  it('is translated where they speak two', async () => {
    const running = await start({});
    expect(await laneOf(running, '/v1/chat/completions', MESSAGES)).to.equal('translated');
    expect(await laneOf(running, '/v1/messages', CHAT)).to.equal('translated');
  });

  it('is translated where a plugin’s fit takes part, though it changes nothing', async () => {
    let fitted = 0;
    const running = await start({ fits: [{ name: 'looks', fit: () => void (fitted += 1) }] });
    expect(await laneOf(running, '/v1/chat/completions', CHAT)).to.equal('translated');
    expect(await laneOf(running, '/v1/chat/completions', CHAT, true)).to.equal('translated');
    expect(await laneOf(running, '/v1/messages', MESSAGES)).to.equal('translated');
    expect(fitted).to.equal(3);
  });

  it('is native for a target to which the fit can never apply; that is asked once, at load', async () => {
    const asked: string[] = [];
    const applies = (profile: { wire: string; model: string }): boolean => {
      asked.push(`${profile.wire} ${profile.model}`);
      return profile.wire === 'messages';
    };
    const running = await start({ fits: [{ name: 'narrow', applies, fit: () => undefined }] });
    const atLoad = [...asked];
    expect(await laneOf(running, '/v1/chat/completions', CHAT)).to.equal('native');
    expect(await laneOf(running, '/v1/messages', MESSAGES)).to.equal('translated');
    expect(asked).to.deep.equal(atLoad);
    expect(new Set(asked).size, 'once per target and wire').to.equal(asked.length);
  });

  it('is translated where an interceptor replaces the request, and carries what it put there', async () => {
    const running = await start({
      interceptor: (next) => (attempt) =>
        attempt.operation === 'generate' ? next({ ...attempt, request: { ...attempt.request, temperature: 0.25 } }) : next(attempt),
    });
    expect(await laneOf(running, '/v1/chat/completions', CHAT)).to.equal('translated');
    expect(running.upstream.calls[0]?.body).to.include({ temperature: 0.25, model: 'gpt-4.1' });
  });

  it('stays native where an interceptor leaves the request alone, and its headers go up', async () => {
    const running = await start({ interceptor: (next) => (attempt) => next({ ...attempt, headers: { traceparent: '00-abc-def-01' } }) });
    expect(await laneOf(running, '/v1/chat/completions', CHAT)).to.equal('native');
    expect(running.upstream.calls[0]?.headers).to.include({ traceparent: '00-abc-def-01', authorization: 'Bearer upstream-secret' });
  });

  it('carries an interceptor’s headers when it is translated, too', async () => {
    const running = await start({ interceptor: (next) => (attempt) => next({ ...attempt, headers: { traceparent: '00-abc-def-01' } }) });
    expect(await laneOf(running, '/v1/chat/completions', MESSAGES)).to.equal('translated');
    expect(running.upstream.calls[0]?.headers).to.include({ traceparent: '00-abc-def-01' });
  });
});
