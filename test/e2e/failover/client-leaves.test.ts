import { expect } from 'chai';
import { request as requestHttp } from 'node:http';
import { untilText } from '../../matrix/vendors/breaks.ts';
import { goodDay, userTurn } from '../../matrix/sample-bodies.ts';
import { framesOf } from '../../matrix/vendors/vendors.ts';
import { pairOf, wires, type Json, type Wire } from '../../matrix/wires.ts';
import { callOf, streamEnds, wireAt } from '../../support/calls.ts';
import { until } from '../../support/until.ts';
import { goodHeaders } from '../../support/http.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';
import type { TestUpstream } from '../../support/upstream.ts';

interface Route {
  readonly name: string;
  readonly client: Wire;
  readonly model: string;
}
const routes: readonly Route[] = wires.flatMap((client) => [
  ...wires.map((wire) => ({ name: pairOf(client, wire), client, model: modelIds[wire] })),
  { name: `${client}>simulator`, client, model: 'simulator/chat' },
]);

/** The members that hold what the user says. */
const turns: Readonly<Record<Wire, string>> = {
  chat: 'messages',
  messages: 'messages',
  responses: 'input',
  google: 'contents',
};
const sayTo = (client: Wire, words: string): Json => ({ [turns[client]]: [userTurn[client](words)] });

/** The upstream's first content, and then silence. */
const beginStream = (upstream: TestUpstream): void => {
  upstream.answer = (response, { path }) => {
    const wire = wireAt(path);
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(framesOf(wire, goodDay).slice(0, untilText[wire]).join(''));
  };
};

describe('a client that leaves (E59)', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  /** Sends, waits until the test says that it is time, and hangs up. */
  const leave = async (
    { client, model }: Route,
    stream: boolean,
    isTime: (received: string) => boolean,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const { gateway, upstream } = scene;
    const logged = gateway.exchanges().length;
    const cut = upstream.cut.count;
    upstream.calls.length = 0;
    let received = '';
    const text = model.startsWith('simulator') ? `Hi [[simulator ${stream ? 'hang=after:1' : 'hang=before'}]]` : 'Hi';
    const { path, body } = callOf(client, model, { stream, more: sayTo(client, text) });
    const request = requestHttp(gateway.url + path, { method: 'POST', headers: goodHeaders, agent: false });
    request
      .on('error', () => {})
      .on('response', (response) => {
        response
          .on('error', () => {})
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            received += chunk;
          });
      });
    request.end(body);
    await until('the moment to leave', () => isTime(received));
    request.destroy();
    if (!model.startsWith('simulator')) await until('the upstream is cut off', () => upstream.cut.count === cut + 1);
    await until('the exchange is settled', () => gateway.exchanges().length > logged);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(gateway.exchanges()).to.have.length(logged + 1);
    return gateway.exchanges()[logged] ?? {};
  };
  /** The simulator answers in process and cannot be watched: a moment is enough for it. */
  const isCalled = ({ model }: Route): (() => boolean) => {
    const begin = performance.now();
    return model.startsWith('simulator')
      ? () => performance.now() - begin > 50
      : () => scene.upstream.calls.length === 1;
  };

  for (const route of routes) {
    it(`the upstream call ends if the client leaves before the upstream headers, streaming: ${route.name}`, async () => {
      scene.upstream.answer = () => {};
      const simulated = route.model.startsWith('simulator');
      const line = await leave(route, true, simulated ? (received) => received !== '' : isCalled(route));
      expect(line).to.include({ outcome: 'client_closed' });
      if (!simulated) expect(line).to.include({ status: 499, code: 'client_closed' });
    });
    it(`the upstream call ends if the client leaves during a plain call: ${route.name}`, async () => {
      scene.upstream.answer = () => {};
      expect(await leave(route, false, isCalled(route))).to.include({
        outcome: 'client_closed',
        status: 499,
        code: 'client_closed',
      });
    });
    it(`the upstream call ends if the client leaves after the upstream headers and before the body, plain: ${route.name}`, async () => {
      scene.upstream.answer = (response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      expect(await leave(route, false, isCalled(route))).to.include({ outcome: 'client_closed', status: 499 });
    });
    it(`the upstream call ends if the client leaves after the first chunk: ${route.name}`, async () => {
      beginStream(scene.upstream);
      const line = await leave(route, true, (received) => received !== '');
      expect(line).to.include({ outcome: 'client_closed', ending: 'client_closed', status: 200 });
    });
  }

  for (const client of wires) {
    it(`a client that leaves right after the last byte does not count as disconnected: ${client}`, async () => {
      const { gateway, upstream } = scene;
      upstream.answer = (response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf(client, goodDay).join(''));
      const logged = gateway.exchanges().length;
      const { path, body } = callOf(client, modelIds[client], { stream: true });
      await new Promise<void>((resolve) => {
        let text = '';
        const request = requestHttp(
          gateway.url + path,
          { method: 'POST', headers: goodHeaders, agent: false },
          (response) => {
            response.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk;
              if (!streamEnds[client].test(text)) return;
              request.destroy();
              resolve();
            });
          },
        );
        request.on('error', () => {}).end(body);
      });
      await gateway.settled(logged + 1);
      expect(gateway.exchanges()[logged]).to.include({ outcome: 'ok', ending: 'complete', status: 200 });
    });
  }

  it('a client can leave while its body is still being read', async () => {
    const { gateway, upstream } = scene;
    upstream.calls.length = 0;
    const logged = gateway.exchanges().length;
    const request = requestHttp(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { ...goodHeaders, 'content-length': '1000' },
      agent: false,
    });
    await new Promise((resolve) => request.on('error', () => {}).write('{"model":', resolve));
    request.destroy();
    await until('the exchange is settled', () => gateway.exchanges().length > logged);
    expect(gateway.exchanges()[logged]).to.include({ outcome: 'client_closed', status: 499 });
    expect(upstream.calls).to.have.length(0);
  });
});
