import { expect } from 'chai';
import { request as requestHttp } from 'node:http';
import { chatFrames } from '../matrix/vendor-chat.ts';
import { messagesFrames } from '../matrix/vendor-messages.ts';
import { goodDay } from '../matrix/said.ts';
import { someTokens } from '../matrix/wires.ts';
import { eventually } from './eventually.ts';
import { goodHeaders } from './http.ts';
import { CHAT, MESSAGES, startScene, type Scene } from './scene.ts';
import type { TestUpstream } from './upstream.ts';

const routes = [
  { name: 'native chat', path: '/v1/chat/completions', model: CHAT },
  { name: 'native messages', path: '/v1/messages', model: MESSAGES },
  { name: 'chat translated', path: '/v1/chat/completions', model: MESSAGES },
  { name: 'messages translated', path: '/v1/messages', model: CHAT },
  { name: 'the simulator', path: '/v1/messages', model: 'simulator/chat' },
] as const;
type Route = (typeof routes)[number];

/** The upstream's first content, and then silence. */
const beginStream = (upstream: TestUpstream): void => {
  upstream.answer = (response, { path }) => {
    const frames = path === '/v1/messages' ? messagesFrames(goodDay.messages, someTokens).slice(0, 4) : chatFrames(goodDay.chat, someTokens).slice(0, 2);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frames.join(''));
  };
};

describe('a client that leaves', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  /** Sends, waits until the test says that it is time, and hangs up. */
  const leave = async ({ path, model }: Route, stream: boolean, isTime: (received: string) => boolean): Promise<Readonly<Record<string, unknown>>> => {
    const { gateway, upstream } = scene;
    const logged = gateway.exchanges().length;
    const cut = upstream.cut.count;
    upstream.calls.length = 0;
    let received = '';
    const text = model.startsWith('simulator') ? `Hi [[simulator ${stream ? 'hang=after:1' : 'hang=before'}]]` : 'Hi';
    const request = requestHttp(gateway.url + path, { method: 'POST', headers: goodHeaders, agent: false });
    request.on('error', () => {}).on('response', (response) => {
      response.on('error', () => {}).setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk;
      });
    });
    request.end(JSON.stringify({ model, max_tokens: 100, stream, messages: [{ role: 'user', content: text }] }));
    await eventually('the moment to leave', () => isTime(received));
    request.destroy();
    if (!model.startsWith('simulator')) await eventually('the upstream is cut off', () => upstream.cut.count === cut + 1);
    await eventually('the exchange is settled', () => gateway.exchanges().length > logged);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(gateway.exchanges()).to.have.length(logged + 1);
    return gateway.exchanges()[logged] ?? {};
  };
  /** The simulator answers in process and cannot be watched: a moment is enough for it. */
  const isCalled = ({ model }: Route): (() => boolean) => {
    const begin = performance.now();
    return model.startsWith('simulator') ? () => performance.now() - begin > 50 : () => scene.upstream.calls.length === 1;
  };

  for (const route of routes) {
    it(`before the upstream's headers, streaming: ${route.name}`, async () => {
      scene.upstream.answer = () => {};
      const simulated = route.model.startsWith('simulator');
      const line = await leave(route, true, simulated ? (received) => received !== '' : isCalled(route));
      expect(line).to.include({ outcome: 'client_closed' });
      if (!simulated) expect(line).to.include({ status: 499, code: 'client_closed' });
    });
    it(`during a plain call: ${route.name}`, async () => {
      scene.upstream.answer = () => {};
      expect(await leave(route, false, isCalled(route))).to.include({ outcome: 'client_closed', status: 499, code: 'client_closed' });
    });
    it(`after the upstream's headers, before its body, plain: ${route.name}`, async () => {
      scene.upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      expect(await leave(route, false, isCalled(route))).to.include({ outcome: 'client_closed', status: 499 });
    });
    it(`after the first chunk: ${route.name}`, async () => {
      beginStream(scene.upstream);
      const line = await leave(route, true, (received) => received !== '');
      expect(line).to.include({ outcome: 'client_closed', ending: 'client_closed', status: 200 });
    });
  }

  it('right after the last byte is no disconnect', async () => {
    const { gateway, upstream } = scene;
    upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(chatFrames(goodDay.chat, someTokens).join(''));
    const logged = gateway.exchanges().length;
    await new Promise<void>((resolve) => {
      const request = requestHttp(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers: goodHeaders, agent: false }, (response) => {
        response.setEncoding('utf8').on('data', (chunk: string) => {
          if (!chunk.includes('[DONE]')) return;
          request.destroy();
          resolve();
        });
      });
      request.on('error', () => {}).end(JSON.stringify({ model: CHAT, stream: true, messages: [{ role: 'user', content: 'Hi' }] }));
    });
    await gateway.settled(logged + 1);
    expect(gateway.exchanges()[logged]).to.include({ outcome: 'ok', ending: 'complete', status: 200 });
  });

  it('while its body is still being read', async () => {
    const { gateway, upstream } = scene;
    upstream.calls.length = 0;
    const logged = gateway.exchanges().length;
    const request = requestHttp(`${gateway.url}/v1/messages`, { method: 'POST', headers: { ...goodHeaders, 'content-length': '1000' }, agent: false });
    request.on('error', () => {}).write('{"model":');
    await new Promise((resolve) => setTimeout(resolve, 50));
    request.destroy();
    await eventually('the exchange is settled', () => gateway.exchanges().length > logged);
    expect(gateway.exchanges()[logged]).to.include({ outcome: 'client_closed', status: 499 });
    expect(upstream.calls).to.have.length(0);
  });
});
