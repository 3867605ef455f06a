import { expect } from 'chai';
import OpenAI, { NotFoundError } from 'openai';
import { createKeepingVendor, type KeepingVendor } from './keeping-vendor.ts';
import { secretOf } from './storing-vendor.ts';
import { entryOf, RESPONSES, startScene, type Scene } from '../../support/scene.ts';
import { readError, send } from '../../support/http.ts';

const keys = {
  web: 'web-key-0123456789abcdef',
  sibling: 'sibling-key-0123456789abcdef',
  shop: 'shop-key-0123456789abcdef',
  strict: 'strict-key-0123456789abcdef',
};
const organizations = {
  acme: {
    projects: {
      web: {
        keys: {
          web: { key: keys.web },
          sibling: { key: keys.sibling, limits: [{ requests: 3, per: '1m' }] },
          strict: { key: keys.strict, vendorState: 'refuse' },
        },
      },
      shop: { keys: { shop: { key: keys.shop, vendorState: 'allow' } } },
    },
  },
};

describe('responses that a vendor keeps', () => {
  let scene: Scene;
  let vendor: KeepingVendor;
  before(async () => {
    const config = { apiKeys: ['upstream-secret-1', 'upstream-secret-2'] };
    scene = await startScene(
      {
        organizations,
        models: { [RESPONSES]: { ...entryOf(RESPONSES, 'responses'), targets: [target] } },
        plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
      },
      undefined,
      (url) => ({ keeper: { use: 'openai', config: { ...config, baseUrl: `${url}/v1` } } }),
    );
  });
  const target = { provider: 'keeper', model: 'gpt-4.1-mini', wire: 'responses' };
  after(() => scene.stop());
  beforeEach(() => {
    vendor = createKeepingVendor();
    scene.upstream.answer = vendor.answer;
    scene.upstream.calls.length = 0;
  });

  const clientOf = (key: keyof typeof keys): OpenAI =>
    new OpenAI({ apiKey: keys[key], baseURL: `${scene.gateway.url}/v1`, maxRetries: 0, timeout: 20_000 });
  const create = async (key: keyof typeof keys = 'web'): Promise<string> =>
    (await clientOf(key).responses.create({ model: RESPONSES, input: 'Hello' })).id;
  const refusalOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(promise).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('the SDK retrieves a response, with the credential that created it', async () => {
    for (let time = 0; time < 4; time += 1) {
      const id = await create();
      const secret = secretOf(scene.upstream.calls.at(-1)!);
      const { data, request_id: requestId } = await clientOf('web').responses.retrieve(id).withResponse();
      expect(data).to.include({ id, status: 'completed', output_text: 'Good day.' });
      expect(requestId).to.match(/^req_/);
      expect(secretOf(scene.upstream.calls.at(-1)!)).to.equal(secret);
    }
  });

  it('the query reaches the vendor, without the key that it can contain', async () => {
    const id = await create();
    await clientOf('web').responses.retrieve(id, {
      include: ['reasoning.encrypted_content', 'file_search_call.results'],
    });
    const { path } = scene.upstream.calls.at(-1)!;
    expect(
      new URL(path, 'http://vendor.test').searchParams
        .getAll('include[]')
        .concat(new URL(path, 'http://vendor.test').searchParams.getAll('include')),
    ).to.deep.equal(['reasoning.encrypted_content', 'file_search_call.results']);
    const { status } = await send(scene.gateway.url, {
      method: 'GET',
      path: `/v1/responses/${id}?key=${keys.web}&limit=2`,
      headers: {},
    });
    expect(status).to.equal(200);
    expect(scene.upstream.calls.at(-1)!.path).to.equal(`/v1/responses/${id}?limit=2`);
  });

  it('the SDK lists the input, cancels and deletes', async () => {
    const client = clientOf('web');
    const id = await create();
    const items = await Array.fromAsync(client.responses.inputItems.list(id));
    expect(items.map(({ id: item }) => item)).to.deep.equal(['msg_in']);
    expect(await client.responses.cancel(id)).to.include({ id, status: 'cancelled' });
    await client.responses.delete(id);
    expect(vendor.kept.has(id)).to.equal(false);
    const gone = await refusalOf(client.responses.retrieve(id));
    expect(gone).to.be.instanceOf(NotFoundError);
    expect(String(gone)).to.include(`Response with id '${id}' not found.`);
  });

  it('the SDK retrieves a response as a stream, from an event on', async () => {
    const client = clientOf('web');
    const id = await create();
    const whole = await Array.fromAsync(await client.responses.retrieve(id, { stream: true }));
    expect(whole[0]?.type).to.equal('response.created');
    expect(whole.at(-1)?.type).to.equal('response.completed');
    const from = whole[3]!.sequence_number;
    const rest = await Array.fromAsync(await client.responses.retrieve(id, { stream: true, starting_after: from }));
    expect(rest).to.deep.equal(whole.slice(4));
  });

  it('each key of the project may retrieve it, within its limit of requests', async () => {
    const id = await create();
    const client = clientOf('sibling');
    for (let time = 0; time < 3; time += 1) expect(await client.responses.retrieve(id)).to.include({ id });
    expect(await refusalOf(client.responses.retrieve(id))).to.include({ status: 429 });
  });

  it('an unknown response and that of another project get the same 404 for every call, and no vendor is called', async () => {
    const id = await create();
    scene.upstream.calls.length = 0;
    for (const [method, suffix] of [
      ['GET', ''],
      ['POST', '/cancel'],
      ['DELETE', ''],
      ['GET', '/input_items'],
    ] as const) {
      const call = (key: keyof typeof keys, of: string) =>
        send(scene.gateway.url, {
          method,
          path: `/v1/responses/${of}${suffix}`,
          headers: { authorization: `Bearer ${keys[key]}` },
        });
      const foreign = await call('shop', id);
      expect(foreign.status).to.equal(404);
      expect(readError(foreign).error).to.include({ type: 'invalid_request_error' });
      expect((await call('shop', 'resp_never')).text).to.equal(foreign.text);
      expect((await call('strict', id)).text).to.equal(foreign.text);
      expect((await call('web', `..%2F..%2F${id}`)).status).to.equal(404);
    }
    expect(scene.upstream.calls).to.have.length(0);
  });

  it('a call without a key is refused, and one by another method too', async () => {
    const id = await create();
    const call = (method: string, headers: Record<string, string>) =>
      send(scene.gateway.url, { method, path: `/v1/responses/${id}`, headers });
    expect((await call('GET', {})).status).to.equal(401);
    expect((await call('PUT', { authorization: `Bearer ${keys.web}` })).status).to.equal(405);
  });

  it('a failure of the vendor is written in the shape of the wire', async () => {
    const id = await create();
    scene.upstream.answer = (response) => void response.writeHead(503).end('busy');
    const error = await refusalOf(clientOf('web').responses.retrieve(id));
    expect(error).to.include({ status: 503 });
    scene.upstream.answer = (response) => void response.writeHead(401).end('{"error":{"message":"bad key"}}');
    expect(await refusalOf(clientOf('web').responses.retrieve(id))).to.include({ status: 502 });
  });

  it('each call has its operation in the access log', async () => {
    const id = await create();
    await clientOf('web').responses.retrieve(id);
    await clientOf('web').responses.delete(id);
    const lines = scene.gateway.lines.filter(({ text }) => text === 'request').map(({ fields }) => fields);
    expect(lines.slice(-2)).to.have.nested.property('[0].operation', 'retrieve');
    expect(lines.at(-1)).to.include({
      operation: 'delete',
      key_alias: 'web',
      status: 200,
      route: '/v1/responses/{id}',
    });
  });
});
