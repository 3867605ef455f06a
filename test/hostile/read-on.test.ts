import { expect } from 'chai';
import { request as requestHttp, type ServerResponse } from 'node:http';
import { callOf, isStreamed, wireAt } from '../support/calls.ts';
import { goodHeaders, send } from '../support/http.ts';
import { entryOf, everyWire, modelIds } from '../support/scene.ts';
import { startUpstream, type UpstreamCall } from '../support/upstream.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { untilText } from '../matrix/vendors/breaks.ts';
import { framesOf, textOf } from '../matrix/vendors/vendors.ts';
import { pairOf, someTokens, wires, type Wire } from '../matrix/wires.ts';
import failover from '../../plugins/failover/index.ts';
import rateLimit from '../../plugins/rate-limit/index.ts';
import { until } from '../support/until.ts';
import { startWatched, type WatchedScene, type WatchedSettings } from './support/witness.ts';

/** Each wire on the native lane, and each as client and as upstream on the translated lane. */
const pairs: readonly (readonly [client: Wire, wire: Wire])[] = wires.flatMap((client, index) => [
  [client, client] as const,
  [client, wires[(index + 1) % wires.length] ?? client] as const,
]);

/** A call whose client has left while the upstream is still responding. */
interface LeftCall {
  readonly response: ServerResponse;
  readonly call: UpstreamCall;
}

/** Sends a request, leaves at the given time, and resolves with the upstream's side once the gateway has noticed. */
const leave = async (
  scene: WatchedScene,
  { path, body }: { readonly path: string; readonly body: string },
  isTime: (received: string) => boolean,
): Promise<LeftCall> => {
  const { upstream, gateway } = scene;
  const begin = upstream.answer;
  const left = Promise.withResolvers<LeftCall>();
  upstream.answer = (response, call) => {
    left.resolve({ response, call });
    return begin(response, call);
  };
  let received = '';
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
  const upstreamSide = await left.promise;
  await until('the moment to leave', () => isTime(received));
  const read = await scene.figure('koine_left_calls_total');
  request.destroy();
  await until(
    'the gateway sees that the client has left',
    async () => (await scene.figure('koine_left_calls_total')) === read + 1,
  );
  upstream.answer = begin;
  return upstreamSide;
};

const settledOf = async (scene: WatchedScene) => {
  await until('it is settled', () => [...scene.outcomes.values()].at(-1)?.length === 1);
  return [...scene.outcomes.values()].at(-1)?.[0];
};

/** The rest of a stream after its first text. */
const restOf = (wire: Wire): string => framesOf(wire, goodDay).slice(untilText[wire]).join('');
const beginStream = (response: ServerResponse, { path }: UpstreamCall): void => {
  const wire = wireAt(path);
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .write(framesOf(wire, goodDay).slice(0, untilText[wire]).join(''));
};

describe('a response whose client has left', () => {
  let scene: WatchedScene;
  before(async () => {
    scene = await startWatched({ settings: { server: { readOn: { time: '30s' } }, stream: { openAfter: '60s' } } });
  });
  afterEach(() => scene.check());
  after(() => scene.stop());

  for (const [client, wire] of pairs) {
    const route = pairOf(client, wire);
    const lineOf = () => scene.gateway.exchanges().at(-1) ?? {};
    const expectReported = async (status: number): Promise<void> => {
      const outcome = await settledOf(scene);
      expect(outcome).to.include({ result: 'client_closed', status });
      expect(outcome?.usage).to.include({
        source: 'provider',
        inputUncached: someTokens.fresh,
        output: someTokens.output,
      });
      expect(lineOf()).to.include({
        outcome: 'client_closed',
        status,
        code: 'client_closed',
        tokens_out: someTokens.output,
      });
      expect(lineOf()).to.not.have.property('tokens_estimated');
      expect(scene.upstream.cut.count).to.equal(0);
    };

    it(`reads a response to its end after the first text, and charges it as reported: ${route}`, async () => {
      scene.upstream.answer = beginStream;
      const { response, call } = await leave(
        scene,
        callOf(client, modelIds[wire], { stream: true }),
        (received) => received !== '',
      );
      response.end(restOf(wireAt(call.path)));
      await expectReported(200);
    });
    it(`reads a streamed response to its end if nothing had been sent: ${route}`, async () => {
      scene.upstream.answer = () => {};
      const { response, call } = await leave(scene, callOf(client, modelIds[wire], { stream: true }), () => true);
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(framesOf(wireAt(call.path), goodDay).join(''));
      await expectReported(499);
    });
    it(`reads a plain response to its end if nothing had been sent: ${route}`, async () => {
      scene.upstream.answer = () => {};
      const { response, call } = await leave(scene, callOf(client, modelIds[wire]), () => true);
      expect(isStreamed(call)).to.equal(false);
      response.writeHead(200, { 'content-type': 'application/json' }).end(textOf(wireAt(call.path), 'plain', goodDay));
      await expectReported(499);
    });
  }

  it('charges nothing if the upstream refuses the request after the client has left', async () => {
    scene.upstream.answer = () => {};
    const { response } = await leave(scene, callOf('chat', modelIds.chat), () => true);
    response.writeHead(500).end();
    const outcome = await settledOf(scene);
    expect(outcome).to.include({ result: 'client_closed', status: 499, usage: undefined });
  });

  it('tries no other target after the client has left, whatever happens to the call', async () => {
    const calls = scene.upstream.calls.length;
    scene.upstream.answer = beginStream;
    const { response } = await leave(
      scene,
      callOf('chat', modelIds.chat, { stream: true }),
      (received) => received !== '',
    );
    response.destroy();
    expect(await settledOf(scene)).to.include({ result: 'client_closed', status: 200 });
    expect(scene.upstream.calls).to.have.length(calls + 1);
    scene.upstream.cut.count = 0;
  });
});

describe('calls that are read on after their clients have left', () => {
  let scene: WatchedScene;
  const start = async (
    readOn: object,
    settings: object = {},
    plugins: WatchedSettings['plugins'] = [],
    server: object = {},
  ): Promise<void> => {
    scene = await startWatched({ settings: { server: { readOn, ...server }, ...settings }, plugins });
    scene.upstream.answer = beginStream;
  };
  let isDrained = false;
  afterEach(async () => {
    if (!isDrained) await scene.check();
    isDrained = false;
    await scene.stop();
  });
  const leaveStream = (): Promise<LeftCall> =>
    leave(scene, callOf('chat', modelIds.chat, { stream: true }), (received) => received !== '');

  it('reads on as many calls as server.readOn.callsPerKey, and cuts the others at once', async () => {
    await start({ time: '10m', calls: 100, callsPerKey: 2 });
    const [first] = [await leaveStream(), await leaveStream()];
    expect(scene.upstream.cut.count).to.equal(0);
    await leaveStream();
    await until('the third is cut', () => scene.upstream.cut.count === 1);
    expect(await scene.figure('koine_left_calls_total', { action: 'cut' })).to.equal(1);
    first.response.end(restOf('chat'));
    await until('the first has ended', async () => (await scene.figure('koine_requests_in_flight')) === 1);
    await leaveStream();
    expect(await scene.figure('koine_left_calls_total', { action: 'read_on' })).to.equal(3);
    scene.gateway.gateway.cut();
  });

  it('cuts calls at once if server.readOn.time is 0s', async () => {
    await start({ time: '0s' });
    await leaveStream();
    await until('it is cut', () => scene.upstream.cut.count === 1);
    expect((await settledOf(scene))?.usage?.source).to.equal('estimated');
  });

  it('cuts calls that are read on when the gateway ends at once, and settles them', async () => {
    await start({ time: '10m' });
    await leaveStream();
    scene.gateway.gateway.cut();
    await until('it is cut', () => scene.upstream.cut.count === 1);
    expect(await settledOf(scene)).to.include({ result: 'client_closed', status: 200 });
  });

  it('lets calls that are read on end during a drain until server.drain.timeout', async () => {
    await start({ time: '10m' }, {}, [], { drain: { delay: '0s', timeout: '2s' } });
    const { response } = await leaveStream();
    await leaveStream();
    const drained = scene.gateway.gateway.drain(true);
    response.end(restOf('chat'));
    expect(await drained).to.equal(true);
    isDrained = true;
    const settled = [...scene.outcomes.values()].map(([outcome]) => outcome?.usage?.source);
    expect(settled).to.have.members(['provider', 'estimated']);
  });

  it('reads attempts of failover to their end after the client has left', async () => {
    await start({ time: '10m' }, {}, [{ definition: failover }]);
    scene.upstream.answer = () => {};
    const { response } = await leave(scene, callOf('chat', modelIds.chat, { stream: true }), () => true);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf('chat', goodDay).join(''));
    expect(await settledOf(scene))
      .to.deep.include({ result: 'client_closed', status: 499 })
      .and.to.have.nested.property('usage.source', 'provider');
  });

  it('reads on all calls that make up one response after the client has left', async () => {
    await start({ time: '10m' }, { stream: { openAfter: '60s' } });
    const responses: ServerResponse[] = [];
    scene.upstream.answer = (response) => void responses.push(response);
    const { path, body } = callOf('chat', modelIds.messages, { stream: true, more: { n: 3 } });
    const request = requestHttp(scene.gateway.url + path, { method: 'POST', headers: goodHeaders, agent: false });
    request.on('error', () => {}).end(body);
    await until('all calls are made', () => responses.length === 3);
    request.destroy();
    await until(
      'all are read on',
      async () => (await scene.figure('koine_left_calls_total', { action: 'read_on' })) === 3,
    );
    for (const response of responses)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf('messages', goodDay).join(''));
    const outcome = await settledOf(scene);
    expect(outcome).to.include({ result: 'client_closed' });
    expect(outcome?.usage).to.include({ source: 'provider', output: 3 * someTokens.output });
  });

  it('cuts calls at once if the operator configures that a cancelled call costs no more', async () => {
    const own = await startUpstream();
    own.answer = beginStream;
    const providers = {
      own: { use: 'openai-compatible', config: { baseUrl: `${own.url}/v1`, cancelEndsCharges: true } },
    };
    await start(
      { time: '10m' },
      { providers, models: { 'own/model': { ...entryOf('own/model', 'chat'), wires: everyWire } } },
    );
    let received = '';
    const { path, body } = callOf('chat', 'own/model', { stream: true });
    const request = requestHttp(
      scene.gateway.url + path,
      { method: 'POST', headers: goodHeaders, agent: false },
      (response) => {
        response
          .on('error', () => {})
          .on('data', (chunk: Buffer) => {
            received += chunk.toString();
          });
      },
    );
    request.on('error', () => {}).end(body);
    await until('content', () => received !== '');
    request.destroy();
    await until('it is cut', () => own.cut.count === 1);
    await settledOf(scene);
    await own.stop();
  });

  it('counts calls that are read on for the concurrency of their key until they end', async () => {
    await start({ time: '10m' }, { limits: [{ concurrent: 1 }] }, [{ definition: rateLimit }]);
    const { response } = await leaveStream();
    const second = await send(scene.gateway.url, callOf('chat', modelIds.chat));
    expect(second.status).to.equal(429);
    response.end(restOf('chat'));
    await settledOf(scene);
  });
});
