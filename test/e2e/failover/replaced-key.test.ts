import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { json, readJson } from '../../support/admin.ts';
import { callOf } from '../../support/calls.ts';
import { send } from '../../support/http.ts';

const completion = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

describe('a refused key that is replaced', () => {
  /** The keys of all calls. */
  const calls: string[] = [];
  let vendor: Server;
  let koine: KoineProcess;
  before(async () => {
    vendor = createServer((request, response) => {
      const key = (request.headers.authorization ?? '').replace('Bearer ', '');
      calls.push(key);
      request.resume();
      response.writeHead(key === 'good-key' ? 200 : 401, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(key === 'good-key' ? completion : { error: { message: 'no', code: 'invalid_api_key' } }),
      );
    });
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;
    koine = await startKoine({
      server: { workers: 1, watch: false },
      providers: {
        vendor: { use: 'openai-compatible', config: { baseUrl, apiKeys: ['bad-key', 'worse-key'] } },
        spare: { use: 'simulator' },
      },
      models: {
        'house/talk': {
          targets: [
            { provider: 'vendor', model: 'm' },
            { provider: 'spare', model: 'chat' },
          ],
        },
      },
      plugins: [
        { use: 'auth' },
        { use: 'metrics' },
        { use: 'failover', config: { circuit: { open: '1h', longest: '1h' } } },
      ],
    });
  });
  after(async () => {
    await koine?.end();
    vendor?.close();
  });

  const ask = async (): Promise<number> => (await send(koine.url, callOf('chat', 'house/talk'))).status;
  const read = async (path: string): Promise<string> =>
    (await send(koine.adminUrl, { method: 'GET', path, headers: {} })).text;
  const circuits = async () =>
    (JSON.parse(await read('/admin/circuits')) as { circuits: { credential: string; state: string }[] }).circuits.map(
      ({ credential, state }) => `${credential} ${state}`,
    );

  it('a refused key that is replaced is used at once after the reload, and the other key keeps its circuit', async () => {
    for (let count = 0; count < 3; count += 1) expect(await ask()).to.equal(200);
    expect(calls.toSorted()).to.deep.equal(['bad-key', 'worse-key']);
    expect(await circuits()).to.deep.equal(['key-1 open', 'key-2 open']);

    writeFileSync(koine.file, readFileSync(koine.file, 'utf8').replace('bad-key', 'good-key'));
    readJson(await send(koine.adminUrl, { path: '/admin/reload', headers: json, body: '{}' }));
    calls.length = 0;
    for (let count = 0; count < 3; count += 1) expect(await ask()).to.equal(200);
    expect(calls).to.deep.equal(['good-key', 'good-key', 'good-key']);
    expect(await circuits()).to.deep.equal(['key-1 closed', 'key-2 open']);
    expect(await read('/metrics')).to.match(/^koine_circuit_state\{provider="vendor",model="\*"\} 2$/m);
  });
});
