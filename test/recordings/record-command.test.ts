import { expect } from 'chai';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRecordings, type Recording } from '../../core/testing/index.ts';
import { runHere } from '../core/cli/run-here.ts';
import { KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

describe('koine record', () => {
  const folder = createTemporaryFolder();
  const config = join(folder.path, 'gateway.yaml');
  let server: TestGateway;

  before(async () => {
    server = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: {
        'simulator/chat': {
          wires: ['chat-completions', 'responses'],
          targets: [{ provider: 'simulator', model: 'chat' }],
        },
      },
    });
    const providers = {
      openai: { use: 'openai', config: { apiKey: KEY, baseUrl: `${server.url}/v1` } },
      keyless: { use: 'openai', config: { apiKey: '${NO_SUCH_KEY:-}' } },
    };
    writeFileSync(config, JSON.stringify({ providers, models: {} }));
  });
  after(async () => {
    await server.stop();
    folder.remove();
  });

  const record = (out: string, ...options: readonly string[]) =>
    runHere(['record', '--config', config, '--model', 'simulator/chat', '--out', join(folder.path, out), ...options]);

  it('writes one file per wire and case, plain and streamed, that the law kit loads', async () => {
    const { code, err, out } = await record(
      'all',
      '--provider',
      'openai',
      '--server',
      'Server 1.2.3',
      '--cases',
      'text,tools',
    );
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out).to.match(
      /^200 .*\/chat-completions-tools-stream\.json: .*tool-call "get_weather", tool_calls, \d+ tokens/m,
    );
    expect(out).to.include("Compare 'expected' of each file with its response");
    const loaded = loadRecordings(join(folder.path, 'all'));
    expect(loaded.map(({ name }) => name)).to.deep.equal(
      ['chat-completions', 'responses'].flatMap((wire) => [
        `${wire}-text-stream.json`,
        `${wire}-text.json`,
        `${wire}-tools-stream.json`,
        `${wire}-tools.json`,
      ]),
    );
    const saysOf = ({ expected }: Recording) => (typeof expected === 'object' ? expected.choices : undefined);
    const [streamedText, plainText] = loaded;
    expect(saysOf(streamedText!))
      .to.deep.equal(saysOf(plainText!))
      .and.to.have.nested.property('[0].finish.reason', 'stop');
    for (const { origin, response, case: ofCase } of loaded) {
      expect(origin).to.match(/^recorded \d{4}-\d\d-\d\d from Server 1\.2\.3, model simulator\/chat$/);
      expect(response?.status).to.equal(200);
      expect(ofCase).to.equal(undefined);
    }
  });

  it('pairs plain and streamed recordings of a server whose answers repeat', async () => {
    await record('pairs', '--provider', 'openai', '--cases', 'text', '--repeatable');
    expect(loadRecordings(join(folder.path, 'pairs')).map((recording) => recording.case)).to.deep.equal(
      Array.from({ length: 4 }, () => 'text'),
    );
  });

  it('writes no key to a file', async () => {
    await record('secret', '--provider', 'openai', '--cases', 'text');
    const files = readdirSync(join(folder.path, 'secret'));
    expect(files).to.have.lengthOf(4);
    for (const file of files) expect(readFileSync(join(folder.path, 'secret', file), 'utf8')).to.not.include(KEY);
  });

  it('says what is missing when the provider has no key', async () => {
    const { code, err } = await record('none', '--provider', 'keyless');
    expect(code).to.equal(2);
    expect(err).to.match(/The provider "keyless" cannot be called: .+ Set its key, or a 'baseUrl' of a local server/);
  });

  it('lists the cases when one is unknown', async () => {
    const { code, err } = await record('none', '--provider', 'openai', '--cases', 'text,song');
    expect(code).to.equal(2);
    expect(err).to.include('There is no case "song". The cases are text, unicode, system,');
  });
});
