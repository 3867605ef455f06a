import { expect } from 'chai';
import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http';
import { listen, type Listener } from '../../../../core/http/connection/listener.ts';

const SIZE = 16 * 1_048_576;

describe('the open responses of a listener that drains', () => {
  let listener: Listener;
  const start = async (handler: RequestListener): Promise<void> => {
    listener = await listen(handler, { host: '127.0.0.1', port: 0 });
  };
  const open = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) =>
      get(listener.url, { agent: false, headers: { connection: 'keep-alive' } }, resolve).once('error', reject),
    );
  const read = async (response: IncomingMessage): Promise<number> => {
    let length = 0;
    for await (const chunk of response) length += (chunk as Buffer).length;
    return length;
  };

  it('delivers a response completely to a client that reads slowly, although it ended long before', async () => {
    await start((_request, response) => void response.end(Buffer.alloc(SIZE)));
    const response = await open();
    const ended = listener.drain();
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(await read(response)).to.equal(SIZE);
    await ended;
  });

  it('closes each connection after its response, including responses that have not begun', async () => {
    const { promise: go, resolve } = Promise.withResolvers<void>();
    await start((_request, response) => void go.then(() => response.end('done')));
    const responses = [open()];
    await new Promise((turn) => setTimeout(turn, 50));
    listener.endKeepAlive();
    responses.push(open());
    await new Promise((turn) => setTimeout(turn, 50));
    resolve();
    for (const response of await Promise.all(responses)) {
      expect(response.headers.connection).to.equal('close');
      await read(response);
    }
    await listener.drain();
  });
});

describe('a listener that bounds the requests of a connection', () => {
  it('closes a connection after its last request, and clients go on with another one', async () => {
    const options = { host: '127.0.0.1', port: 0, maxRequestsPerConnection: 2 };
    const ports: (number | undefined)[] = [];
    const listener = await listen((request, response) => {
      ports.push(request.socket.remotePort);
      response.end('done');
    }, options);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (): Promise<string | undefined> =>
      new Promise((resolve, reject) =>
        get(listener.url, { agent }, (response) => {
          response.resume().once('end', () => resolve(response.headers.connection));
        }).once('error', reject),
      );
    const headers: (string | undefined)[] = [];
    for (let count = 0; count < 5; count += 1) headers.push(await ask());
    expect(headers).to.deep.equal(['keep-alive', 'close', 'keep-alive', 'close', 'keep-alive']);
    expect(ports.map((port, index) => port === ports[index - 1])).to.deep.equal([false, true, false, true, false]);
    agent.destroy();
    await listener.drain();
  });
});
