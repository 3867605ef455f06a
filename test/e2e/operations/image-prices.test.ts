import { expect } from 'chai';
import { askAdmin, readJson } from '../../support/admin.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const PNG = 'iVBORw0KGgo=';
const images = {
  '1024x1024': { low: 0.011, medium: 0.042, high: 0.167 },
  '1024x1536': { low: 0.016, high: 0.25 },
  '256x256': 0.002,
};
/** Micro-dollars of an image, written by hand: it shares nothing with the prices above but the figures. */
const microDollars: ReadonlyMap<string, number> = new Map([
  ['1024x1024 low', 11_000],
  ['1024x1024 medium', 42_000],
  ['1024x1024 high', 167_000],
  ['1024x1536 low', 16_000],
  ['1024x1536 high', 250_000],
  ['256x256 low', 2_000],
  ['256x256 hd', 2_000],
]);
const oracle = (kind: string, count: number): number => {
  let sum = 0;
  for (let image = 0; image < count; image += 1) sum += microDollars.get(kind) ?? Number.NaN;
  return sum;
};

interface Kind {
  readonly size?: string;
  readonly quality?: string;
}

describe('images by size and quality', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  /** What the vendor says of the images that it made. */
  let says: Kind;
  before(async () => {
    upstream = await startUpstream();
    const price = (figures: object, tokens = 0) => ({ input: tokens, output: tokens, units: { images: figures } });
    const target = (model: string, own: object, provider = 'local') => ({
      targets: [{ provider, model, price: own }],
    });
    const limited = (name: string, cost: number) => ({ key: `${KEY}-${name}`, limits: [{ cost, per: 'month' }] });
    gateway = await startTestGateway({
      providers: {
        local: {
          use: 'openai-compatible',
          config: { baseUrl: `${upstream.url}/v1`, wires: ['image-generations', 'image-edits'] },
        },
        google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
      },
      models: {
        'local/listed': target('sd', price(images)),
        'local/default': target('sd', price({ ...images, default: { default: 0.3, hd: 0.9 } })),
        'local/tokens': target('sd', price(images, 1)),
        'local/without': { targets: [{ provider: 'local', model: 'sd' }] },
        'local/factor': { ...target('sd', price(images)), priceFactor: 1.5 },
        'google/imagen': target('imagen-4.0-generate-001', price({ '1024x1024': 0.04, 'default': 0.08 }), 'google'),
      },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
      organizations: {
        acme: {
          projects: {
            web: {
              keys: {
                alice: { key: KEY },
                poor: limited('poor', 0.1),
                some: limited('some', 0.27),
                counted: limited('counted', 0.35),
                half: limited('half', 0.5),
                rich: limited('rich', 50),
              },
            },
          },
        },
      },
    });
  });
  beforeEach(() => {
    says = {};
    upstream.calls.length = 0;
    upstream.answer = (response, { path, body }) => {
      const count = Number(body['n'] ?? 1);
      if (path.includes(':predict')) {
        const prediction = { mimeType: 'image/png', bytesBase64Encoded: PNG };
        answerJson(response, { predictions: [prediction, prediction] });
      } else if (body['stream'] === true) {
        const type = path.endsWith('edits') ? 'image_edit.completed' : 'image_generation.completed';
        const event = `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: PNG, ...says })}\n\n`;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(event.repeat(count));
      } else
        answerJson(response, { created: 1, data: Array.from({ length: count }, () => ({ b64_json: PNG })), ...says });
    };
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const generate = async (members: object, key = '', path = '/v1/images/generations') => {
    const reply = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${KEY}${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'local/listed', prompt: 'A cat', ...members }),
    });
    return { status: reply.status, text: await reply.text() };
  };
  const charge = async (members: object, key?: string, path?: string) => {
    const before = gateway.exchanges().length;
    expect(await generate(members, key, path)).to.include({ status: 200 });
    await gateway.settled(before + 1);
    const { cost_micro: cost, unpriced } = gateway.exchanges()[before] ?? {};
    return unpriced === true ? 'unpriced' : cost;
  };

  for (const stream of [false, true]) {
    const how = stream ? 'streamed' : 'plain';
    it(`cost what each of its size and quality costs, as the vendor says it, ${how}`, async () => {
      for (const kind of microDollars.keys()) {
        const [size = '', quality = ''] = kind.split(' ');
        says = { size, quality };
        for (const n of [1, 3]) expect(await charge({ n, stream }), `${n} of ${kind}`).to.equal(oracle(kind, n));
      }
    });

    it(`cost what was requested where the vendor says nothing, or auto, ${how}`, async () => {
      for (const silent of [{}, { size: 'auto', quality: 'auto' }]) {
        says = silent;
        const asked = { n: 2, stream, size: '1024x1536', quality: 'low' };
        expect(await charge(asked)).to.equal(oracle('1024x1536 low', 2));
      }
      says = { size: '1024x1024', quality: 'medium' };
      const other = { stream, size: '1024x1536', quality: 'high' };
      expect(await charge(other), 'the vendor made another').to.equal(oracle('1024x1024 medium', 1));
    });
  }

  it('are priced by their size and quality when they are edited, and by factors of the price', async () => {
    says = { quality: 'high' };
    const image_url = `data:image/png;base64,${PNG}`;
    const edit = { images: [{ image_url }], size: '1024x1536', stream: true, n: 2 };
    expect(await charge(edit, '', '/v1/images/edits')).to.equal(oracle('1024x1536 high', 2));
    const half = { model: 'local/factor', size: '1024x1024' };
    expect(await charge(half)).to.equal(oracle('1024x1024 high', 1) * 1.5);
  });

  it('cost the default where their size and quality are unknown, and the highest without a default', async () => {
    expect(await charge({ model: 'local/default' })).to.equal(300_000);
    expect(await charge({ model: 'local/default', size: '2048x2048', quality: 'hd' })).to.equal(900_000);
    expect(await charge({ model: 'local/default', size: 'auto', quality: 'auto' })).to.equal(300_000);
    expect(await charge({})).to.equal(oracle('1024x1536 high', 1));
    expect(await charge({ size: '1024x1024' })).to.equal(oracle('1024x1024 high', 1));
    expect(await charge({ quality: 'low' })).to.equal(oracle('1024x1536 low', 1));
  });

  it('of a translated response have the size of the request', async () => {
    const imagen = { model: 'google/imagen', n: 2 };
    expect(await charge({ ...imagen, size: '1024x1024' })).to.equal(80_000);
    expect(await charge(imagen)).to.equal(160_000);
  });

  it('without a figure are unpriced, and never free, whatever tokens cost', async () => {
    for (const model of ['local/listed', 'local/tokens'])
      for (const kind of [
        { size: '512x512' },
        { size: '1024x1024', quality: 'hd' },
        { size: 'constructor', quality: 'toString' },
        { size: '1024x1024', quality: 'constructor' },
      ])
        expect(await charge({ model, ...kind }), JSON.stringify(kind)).to.equal('unpriced');
    says = { size: '512x512' };
    expect(await charge({ size: '1024x1024' }), 'the vendor made one without a figure').to.equal('unpriced');
  });

  it('without a figure are refused under a limit of cost, with the size and the quality that have none', async () => {
    for (const model of ['local/listed', 'local/tokens']) {
      const { status, text } = await generate({ model, size: '1024x1024', quality: 'hd' }, '-rich');
      expect([status, text]).to.satisfy(() => status === 403, text);
      expect(text).to.include("no price of images of size '1024x1024' and quality 'hd' (units.images)");
    }
    const { text } = await generate({ model: 'local/without', size: '1024x1024' }, '-rich');
    expect(text).to.include('it has no price, and the');
    expect(upstream.calls).to.have.lengthOf(0);
    expect(await generate({ size: '1024x1024', quality: 'low' }, '-rich')).to.include({ status: 200 });
    expect(await generate({ model: 'local/default', quality: 'hd' }, '-rich')).to.include({ status: 200 });
  });

  it('are reserved by n at the price of their size and quality', async () => {
    const low = { size: '1024x1024', quality: 'low' };
    const refused = await generate({ ...low, n: 10 }, '-poor');
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include("10 of 'image'").and.to.include('could use 0.11');
    expect(upstream.calls).to.have.lengthOf(0);
    expect(await generate({ ...low, n: 9 }, '-poor')).to.include({ status: 200 });
    expect(await generate(low, '-poor')).to.include({ status: 429 });
  });

  it('are reserved at the highest price that they can have, and settled at what they were', async () => {
    says = { size: '1024x1024', quality: 'low' };
    const n = 2;
    for (const open of [{}, { size: 'auto' }, { size: '1024x1536' }, { quality: 'high' }, { quality: 'auto' }])
      expect(await generate({ ...open, n }, '-some'), JSON.stringify(open)).to.include({ status: 400 });
    expect(await charge({}, '-some')).to.equal(oracle('1024x1024 low', 1));
    expect(await charge({}, '-some')).to.equal(oracle('1024x1024 low', 1));
    // 0.27 - 0.022 is less than the 0.25 that the third could cost.
    expect(await generate({}, '-some')).to.include({ status: 429 });
    expect(await charge({ size: '1024x1024' }, '-some')).to.equal(oracle('1024x1024 low', 1));
    // The vendor can choose hd, although the default of the price is not that.
    expect(await generate({ model: 'local/default' }, '-half')).to.include({ status: 400 });
    expect(await generate({ model: 'local/default', size: '2048x2048', quality: 'low' }, '-half')).to.include({
      status: 200,
    });
  });

  it('are explained with their prices, and with the highest that the request can cost', async () => {
    const body = { prompt: 'A cat', n: 2, size: '1024x1536' };
    const question = { key: 'alice', model: 'local/listed', wire: 'image-generations', body };
    const { targets } = await readJson<{ readonly targets: readonly object[] }>(
      await askAdmin(gateway, 'POST', '/admin/explain', question),
    );
    expect(targets[0]).to.have.nested.property('price.units').that.deep.equals({ images });
    expect(targets[0]).to.include({ estimatedCost: oracle('1024x1536 high', 2) / 1e6 });
  });

  it('are reserved while the vendor makes them', async () => {
    let release: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => {
      upstream.answer = (response) => {
        release = () =>
          answerJson(response, { created: 1, data: [{ b64_json: PNG }], size: '1024x1024', quality: 'low' });
        resolve();
      };
    });
    const first = generate({ size: '1024x1024' }, '-counted');
    await Promise.race([arrived, first]);
    expect(await generate({ size: '1024x1024', quality: 'high', n: 2 }, '-counted')).to.include({ status: 429 });
    release?.();
    expect(await first).to.include({ status: 200 });
  });
});
