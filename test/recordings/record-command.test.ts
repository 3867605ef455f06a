import { expect } from 'chai';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRecordings, plainLaws, type Recording } from '../../core/testing/index.ts';
import { runHere } from '../core/cli/run-here.ts';
import { speechCodec } from '../../providers/openai/speech/index.ts';
import { transcriptionsCodec } from '../../providers/openai/transcriptions/index.ts';
import { writeWav } from '../e2e/operations/audio.ts';
import { KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

describe('koine record', () => {
  const folder = createTemporaryFolder();
  const config = join(folder.path, 'gateway.yaml');
  let server: TestGateway;
  /** The wires of one operation each, and how their responses are shown. */
  const said: Readonly<Record<string, RegExp>> = {
    'moderations': /moderations-moderate\.json: \{"flagged":false,"categories":\[\]\}, no usage/,
    'rerank': /rerank-rerank\.json: \{"index":0,"score":1\}, \{"index":1,"score":0\}, 13 tokens/,
    'image-generations': /image-generations-new-image\.json: \{"mediaType":"image\/png","base64":"iVBOR/,
    'speech': /speech-speak\.json: \{"mediaType":"audio\/wav","base64":"UklG/,
    'transcriptions': /transcriptions-transcribe\.json: text "This audio has 64044 bytes/,
    'translations': /translations-translate\.json: text "This audio has 64044 bytes/,
  };

  before(async () => {
    server = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: {
        'simulator/chat': {
          wires: ['chat-completions', 'responses'],
          targets: [{ provider: 'simulator', model: 'chat' }],
        },
        'simulator/media': { targets: [{ provider: 'simulator', model: 'media' }] },
      },
    });
    const providers = {
      openai: { use: 'openai', config: { apiKey: KEY, baseUrl: `${server.url}/v1` } },
      media: {
        use: 'openai-compatible',
        config: { apiKey: KEY, baseUrl: `${server.url}/v1`, wires: Object.keys(said) },
      },
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

  it('records each operation, speech as a file, and writes down the speech of --audio', async () => {
    const audio = join(folder.path, 'speech.wav');
    writeFileSync(audio, writeWav(2));
    const { out, err } = await runHere(
      ['record', '--config', config, '--provider', 'media', '--model', 'simulator/media'].concat([
        '--out',
        join(folder.path, 'media'),
        '--audio',
        audio,
      ]),
    );
    expect(err).to.equal('');
    for (const shown of Object.values(said)) expect(out).to.match(shown);
    const loaded = loadRecordings(join(folder.path, 'media'));
    expect(loaded.map(({ wire }) => wire)).to.deep.equal(Object.keys(said).sort());
    for (const { response } of loaded) expect(response?.status).to.equal(200);
    const speech = loaded.find(({ wire }) => wire === 'speech');
    expect(Buffer.from(speech?.response?.file ?? '', 'base64').toString('latin1', 0, 4)).to.equal('RIFF');
    expect(plainLaws(speechCodec, loaded, { samples: [] }).map(({ name }) => name)).to.include(
      'speech: decodes the response of speech-speak.json as expected',
    );
    for (const { run } of plainLaws(speechCodec, loaded, { samples: [] })) await run();
    for (const { run } of plainLaws(transcriptionsCodec, loaded, { samples: [] })) await run();
  });

  it('refuses a file without audio, and one that is not there', async () => {
    const { code, err } = await record('none', '--provider', 'openai', '--audio', config);
    expect(code).to.equal(2);
    expect(err).to.include('gateway.yaml is not an audio file. Name one with speech.');
    const missing = await record('none', '--provider', 'openai', '--audio', `${config}.wav`);
    expect(missing.code).to.equal(2);
    expect(missing.err).to.include('gateway.yaml.wav cannot be read: ENOENT');
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
