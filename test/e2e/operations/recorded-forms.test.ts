import { expect } from 'chai';
import { isObject, readCount, readObject } from '../../../core/api/codec.ts';
import { hasNextCorpus, readNextLines, type NextLine } from '../../core/testing/next-corpus.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startFormVendor, type FormVendor } from './form-vendor.ts';

/** A part of a recorded form. */
interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly text?: string;
  readonly bytesBase64?: string;
}

const paths: Readonly<Record<string, string>> = {
  '/v1/audio/transcriptions': 'transcriptions',
  '/api/v1/audio/transcriptions': 'transcriptions',
  '/v1/audio/translations': 'translations',
  '/v1/images/edits': 'image-edits',
  '/v1/images/variations': 'image-variations',
};
const partsOf = ({ request }: NextLine): readonly Part[] => {
  const { multipart } = readObject(request?.body);
  return Array.isArray(multipart) ? (multipart as readonly Part[]) : [];
};
const lines = ['transcription', 'translation', 'image-edits']
  .flatMap((name) => readNextLines(`${name}.jsonl`))
  .filter((line) => Object.hasOwn(paths, line.request?.path ?? '') && partsOf(line).length > 0);

const rates = { input: 2, inputAudio: 3, inputImage: 7, output: 5, outputImage: 11 };
const units = { seconds: 0.001, images: 0.02 };
const usageOf = ({ response }: NextLine): Readonly<Record<string, unknown>> =>
  readObject(readObject(response.body)['usage']);
const hasTokens = (line: NextLine): boolean => 'input_tokens' in usageOf(line) || 'prompt_tokens' in usageOf(line);

/** What a line costs, by code that shares none with the gateway; undefined: what the vendor reports does not say it. */
const costOf = (line: NextLine): number | undefined => {
  const { data } = readObject(line.response.body);
  if (Array.isArray(data)) return data.length * units.images * 1e6;
  const { type, seconds, input_tokens: all, input_token_details: details, output_tokens: output, cost } = usageOf(line);
  if (cost !== undefined) return undefined;
  if (type === 'duration') return Number(seconds) * units.seconds * 1e6;
  if (type !== 'tokens') return undefined;
  const audio = readCount(readObject(details)['audio_tokens']);
  return (readCount(all) - audio) * rates.input + audio * rates.inputAudio + readCount(output) * rates.output;
};

describe('recorded forms', () => {
  let vendor: FormVendor;
  let gateway: TestGateway;
  before(async () => {
    vendor = await startFormVendor('{}');
    const config = { baseUrl: vendor.url, wires: [...new Set(Object.values(paths))] };
    gateway = await startTestGateway({
      providers: { vendor: { use: 'openai-compatible', config } },
      models: Object.fromEntries(
        lines.map((line) => [
          `vendor/${line.id}`,
          {
            price: hasTokens(line) ? rates : { input: 0, output: 0, units },
            targets: [{ provider: 'vendor', model: `own-${line.id}` }],
          },
        ]),
      ),
    });
  });
  beforeEach(() => void (vendor.received.length = 0));
  after(async () => {
    await gateway.stop();
    await vendor.stop();
  });

  it('there are 21 of them', function () {
    if (!hasNextCorpus) this.skip();
    expect(lines).to.have.lengthOf(21);
  });

  for (const line of lines)
    it(`${line.id} of ${line.vendor} passes as it was recorded, and costs what it says`, async () => {
      const { id, request, response } = line;
      const text = isObject(response.body) ? JSON.stringify(response.body) : String(response.body);
      Object.assign(vendor.state, { type: response.headers['content-type'] ?? '', body: text });
      const form = new FormData();
      const texts: (readonly [string, string])[] = [];
      for (const { name, filename, text: value = '', bytesBase64 } of partsOf(line)) {
        if (filename !== undefined) form.append(name, new Blob([Buffer.from(bytesBase64 ?? '', 'base64')]), filename);
        else if (name !== 'model') texts.push([name, value]);
      }
      for (const [name, value] of texts) form.append(name, value);
      form.append('model', `vendor/${id}`);
      const path = (request?.path ?? '').replace('/api/', '/');
      const headers = { authorization: `Bearer ${KEY}` };
      const reply = await fetch(gateway.url + path, { method: 'POST', headers, body: form });
      expect([reply.status, await reply.text()]).to.deep.equal([200, text]);

      const received = [...(vendor.received[0]?.form.entries() ?? [])];
      expect(received.filter(([, value]) => typeof value === 'string')).to.deep.equal([
        ...texts,
        ['model', `own-${id}`],
      ]);
      const files = partsOf(line).filter(({ filename }) => filename !== undefined);
      const got = received.flatMap(([name, value]) => (typeof value === 'string' ? [] : [{ name, value }]));
      expect(got.map(({ name, value }) => [name, value.name])).to.deep.equal(
        files.map(({ name, filename }) => [name, filename]),
      );
      for (const [index, { value }] of got.entries())
        expect(Buffer.from(await value.arrayBuffer()).toString('base64')).to.equal(files[index]?.bytesBase64);

      await gateway.settled(gateway.exchanges().length);
      const cost = costOf(line);
      const { cost_micro: charged } = gateway.exchanges().at(-1) ?? {};
      if (cost === undefined) expect(charged).to.be.a('number');
      else expect(charged).to.be.closeTo(cost, 1);
    });
});
