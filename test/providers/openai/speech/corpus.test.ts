import { expect } from 'chai';
import type { JsonObject } from '../../../../core/api/index.ts';
import { hasNextCorpus, readNextLines, type NextLine } from '../../../core/testing/next-corpus.ts';
import { KEY, startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../../../support/upstream.ts';

const lines = readNextLines('speech.jsonl').filter(({ request }) => request !== null);
const files = lines.filter(({ request }) => request?.path.endsWith('/audio/speech'));
const generated = lines.filter(({ request }) => request?.path.includes(':generateContent'));

const bodyOf = ({ request }: NextLine): JsonObject => request?.body as JsonObject;
/** The start of the recorded file. */
const fileOf = ({ response }: NextLine): Buffer =>
  Buffer.from(String((response.body as JsonObject)['bytesBase64']), 'base64');

describe('recorded speech', function () {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async function () {
    if (!hasNextCorpus) return this.skip();
    upstream = await startUpstream();
    gateway = await startTestGateway({
      providers: {
        vendor: { use: 'openai-compatible', config: { baseUrl: `${upstream.url}/v1`, wires: ['speech'] } },
        google: { use: 'google', config: { apiKey: 'k', baseUrl: upstream.url } },
      },
      models: {
        'vendor/*': { targets: [{ provider: 'vendor', model: '*' }] },
        'google/*': { targets: [{ provider: 'google', model: '*' }] },
      },
    });
  });
  after(async () => {
    await gateway?.stop();
    await upstream?.stop();
  });
  const speak = (body: JsonObject): Promise<Response> =>
    fetch(`${gateway.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  beforeEach(() => void (upstream.calls.length = 0));

  it('recorded speech is there', () => {
    expect(files.length).to.be.above(1);
    expect(generated.length).to.be.above(0);
  });

  for (const line of files)
    it(`${line.id} is sent and comes back byte for byte, but for the name of the model`, async () => {
      const { headers, status } = line.response;
      upstream.answer = (response) => void response.writeHead(status, headers).end(fileOf(line));
      const reply = await speak({ ...bodyOf(line), model: `vendor/${String(bodyOf(line)['model'])}` });
      expect(reply.headers.get('x-koine-lane')).to.equal('native');
      expect(reply.headers.get('content-type')).to.equal(headers['content-type']);
      expect(Buffer.from(await reply.arrayBuffer())).to.deep.equal(fileOf(line));
      expect(upstream.calls[0]?.raw.toString()).to.equal(JSON.stringify(bodyOf(line)));
    });

  for (const line of generated)
    it(`${line.id} is what the same text becomes, and its samples are in the file`, async () => {
      const { model, contents, generationConfig } = bodyOf(line) as {
        readonly model: string;
        readonly contents: readonly [{ readonly parts: readonly [{ readonly text: string }] }];
        readonly generationConfig: {
          readonly speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: string } } };
        };
      };
      const { body, headers, status } = line.response;
      upstream.answer = (response) => void response.writeHead(status, headers).end(JSON.stringify(body));
      const [{ parts }] = contents;
      const reply = await speak({
        model: `google/${model}`,
        input: parts[0].text,
        voice: generationConfig.speechConfig.voiceConfig.prebuiltVoiceConfig.voiceName,
        response_format: 'pcm',
      });
      const [, data = ''] = /"data":"([^"]*)"/.exec(JSON.stringify(body)) ?? [];
      expect(Buffer.from(await reply.arrayBuffer())).to.deep.equal(Buffer.from(data, 'base64'));
      expect(reply.headers.get('x-koine-losses')).to.equal(null);
      expect(upstream.calls[0]?.body).to.deep.equal({ contents, generationConfig });
    });
});
