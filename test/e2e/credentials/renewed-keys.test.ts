import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { greet, callOf, wireAt } from '../../support/calls.ts';
import { KEY } from '../../support/gateway.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';
import { wires, type Wire } from '../../matrix/wires.ts';

/** The key of a call, in the header of its vendor. */
const keyOf = ({ headers }: UpstreamCall): string =>
  String(headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization?.replace(/^Bearer /, ''));

const openAiRefusal = {
  error: { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' },
};
/** How each vendor refuses a key. */
const refusals: Readonly<Record<Wire, readonly [status: number, body: object]>> = {
  chat: [401, openAiRefusal],
  responses: [401, openAiRefusal],
  messages: [401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }],
  google: [
    400,
    {
      error: {
        code: 400,
        message: 'API key not valid. Please pass a valid API key.',
        status: 'INVALID_ARGUMENT',
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', 'reason': 'API_KEY_INVALID' }],
      },
    },
  ],
};

describe('keys of vendors from files and programs', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  let scene: Scene;
  let vendor: TestUpstream;
  let valid: string;
  const file = (name: string): string => join(folder.path, name);
  /** As a secret store does it: the file is never half written. */
  const write = (name: string, text: string): void => {
    writeFileSync(file(`${name}.new`), text);
    renameSync(file(`${name}.new`), file(name));
  };

  /** Vendors that accept one key only. */
  const answer: TestUpstream['answer'] = (response, call) => {
    const [status, body] = refusals[wireAt(call.path)];
    if (keyOf(call) === valid) void greet(response, call);
    else answerJson(response, body, status);
  };

  const start = async (apiKey: object, plugins: readonly object[] = []): Promise<void> => {
    vendor = await startUpstream();
    vendor.answer = answer;
    const config = (path: string): object => ({ apiKey, baseUrl: `${vendor.url}${path}` });
    scene = await startScene({
      plugins: [{ use: 'auth' }, ...plugins],
      providers: {
        simulator: { use: 'simulator' },
        openai: { use: 'openai', config: config('/v1') },
        anthropic: { use: 'anthropic', config: config('') },
        google: { use: 'google', config: config('') },
      },
    });
  };

  const call = async (wire: Wire): Promise<number> => {
    const { path, body } = callOf(wire, modelIds[wire]);
    const response = await fetch(scene.gateway.url + path, {
      method: 'POST',
      headers: {
        'authorization': `Bearer ${KEY}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body,
    });
    await response.arrayBuffer();
    return response.status;
  };
  const logged = (): string => JSON.stringify(scene.gateway.lines);

  beforeEach(() => {
    folder = createTemporaryFolder();
    valid = 'sk-first-key-of-file';
  });
  afterEach(async () => {
    await scene.stop();
    await vendor.stop();
    folder.remove();
    expect(logged()).to.not.match(/sk-\w+-key-of/);
  });

  for (const wire of wires)
    it(`a key that the vendor no longer accepts is read again, and the request succeeds: ${wire}`, async () => {
      write('key', `${valid}\n`);
      await start({ file: file('key'), every: '1h' }, [{ use: 'failover' }]);
      expect(await call(wire)).to.equal(200);
      valid = 'sk-second-key-of-file';
      write('key', `${valid}\n`);
      expect(await call(wire)).to.equal(200);
      expect(vendor.calls.map(keyOf)).to.deep.equal([
        'sk-first-key-of-file',
        'sk-first-key-of-file',
        'sk-second-key-of-file',
      ]);
      expect(await call(wire)).to.equal(200);
      expect(vendor.calls.map(keyOf).at(-1)).to.equal('sk-second-key-of-file');
      expect(vendor.calls).to.have.length(4);
      expect(logged()).to.include('has changed, and the new one is used').and.not.include('circuit');
    });

  it('a changed file is used without a request that fails, and without a reload', async () => {
    write('key', valid);
    await start({ file: file('key'), every: '1s' });
    expect(await call('chat')).to.equal(200);
    write('key', 'sk-second-key-of-file');
    valid = 'sk-second-key-of-file';
    await until('the new key is loaded', () => logged().includes('has changed'));
    expect(await call('chat')).to.equal(200);
    expect(vendor.calls.map(keyOf)).to.deep.equal(['sk-first-key-of-file', 'sk-second-key-of-file']);
    expect(logged()).to.not.include('reload');
  });

  it('the key stays in use while its file is missing, and a log line reports it', async () => {
    write('key', valid);
    await start({ file: file('key'), every: '1s' });
    expect(await call('chat')).to.equal(200);
    rmSync(file('key'));
    await until('the failure is logged', () => logged().includes('could not be loaded: the current one stays in use'));
    expect(await call('chat')).to.equal(200);
    write('key', valid);
    await until('it is loaded again', () => logged().includes('could be loaded again'));
  });

  it('a key that the vendor refuses, and that is still the same, is tried once per request', async () => {
    write('key', 'sk-wrong-key-of-file');
    await start({ file: file('key'), every: '1h' });
    expect(await call('chat')).to.equal(502);
    expect(vendor.calls).to.have.length(1);
  });

  it('a program runs once for all providers and requests, and again when the vendor refuses its key', async () => {
    write('key', valid);
    const code =
      "const fs = require('node:fs'); fs.appendFileSync('runs', 'r'); " +
      "console.log(JSON.stringify({ status: { token: fs.readFileSync('key', 'utf8') } }))";
    const script = `process.chdir(${JSON.stringify(folder.path)}); ${code}`;
    await start({ exec: [process.execPath, '-e', script] });
    expect(await Promise.all(wires.map(call))).to.deep.equal([200, 200, 200, 200]);
    expect(readFileSync(file('runs'), 'utf8')).to.equal('r');
    valid = 'sk-second-key-of-program';
    write('key', valid);
    expect(await Promise.all(wires.map(call))).to.deep.equal([200, 200, 200, 200]);
    expect(readFileSync(file('runs'), 'utf8')).to.equal('rr');
  });

  it('requests fail with a reason in the log while the program fails, and succeed when it works', async () => {
    const script = `process.chdir(${JSON.stringify(folder.path)}); console.log(require('node:fs').readFileSync('key', 'utf8'))`;
    await start({ exec: [process.execPath, '-e', script] });
    expect(await call('chat')).to.equal(502);
    expect(logged()).to.include('The secret of the program node could not be loaded: calls that need it fail');
    expect(logged()).to.include('ended with exit code 1');
    write('key', valid);
    await until('the program works', async () => (await call('chat')) === 200);
  });
});
