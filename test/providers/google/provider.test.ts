import { Ajv } from 'ajv';
import { expect } from 'chai';
import type { JsonObject, Services, UpstreamRequest } from '../../../core/api/index.ts';
import google from '../../../providers/google/index.ts';
import { googleSchema, type GoogleOptions } from '../../../providers/google/schema.ts';

const services = {} as Services;
const create = async (options?: GoogleOptions) => await google.create(options, services);
const speechOf = async (options: GoogleOptions = { apiKey: 'k' }, model = 'gemini-2.5-flash') => {
  const speech = (await create(options)).endpoint(model).wires.find(({ operation }) => operation === 'generate');
  if (speech === undefined) throw new Error('does not generate');
  return speech;
};
const call = async (
  options: GoogleOptions,
  { model = 'gemini-2.5-flash', stream = false, credential = 'key-1', headers = {} } = {},
): Promise<UpstreamRequest> =>
  (await speechOf(options, model)).buildRequest({
    model,
    stream,
    body: Buffer.from('{}'),
    headers,
    credential,
    signal: new AbortController().signal,
  });

describe('the google provider', () => {
  it('the google provider serves generate-content and interactions, and registers their codecs', async () => {
    const endpoint = (await create({ apiKey: 'k' })).endpoint('gemini-2.5-flash');
    expect(endpoint.wires.filter(({ operation }) => operation === 'generate').map(({ wire }) => wire)).to.deep.equal([
      'generate-content',
      'interactions',
    ]);
    expect(endpoint.origin).to.deep.equal({ provider: 'google', family: 'google' });
    for (const wire of ['generate-content', 'interactions'])
      expect(google.codecs?.some((codec) => codec.operation === 'generate' && codec.wire === wire)).to.equal(true);
  });

  it('models that have only interactions have no other wire, and models before Gemini 2.5 have none', async () => {
    const wiresOf = async (model: string) =>
      (await create({ apiKey: 'k' }))
        .endpoint(model)
        .wires.filter(({ operation }) => operation === 'generate')
        .map(({ wire }) => wire);
    for (const model of ['gemini-omni-flash-preview', 'models/gemini-omni-1.2-flash'])
      expect(await wiresOf(model), model).to.deep.equal(['interactions']);
    for (const model of ['gemini-2.0-flash', 'models/gemini-1.5-pro'])
      expect(await wiresOf(model), model).to.deep.equal(['generate-content']);
    for (const model of ['gemini-2.5-pro', 'gemini-flash-latest', 'gemma-4-31b-it'])
      expect(await wiresOf(model), model).to.deep.equal(['generate-content', 'interactions']);
  });

  it('the provider has one unavailable credential without a key, and explains how to set it', async () => {
    for (const options of [undefined, {}, { apiKey: '' }, { apiKey: ' ' }, { apiKey: '', apiKeys: [] }]) {
      const { credentials } = await create(options);
      expect(credentials.map(({ id }) => id)).to.deep.equal(['key-1']);
      expect(credentials[0]?.unavailable).to.contain('config.apiKey').and.to.contain('gateway.yaml');
    }
  });

  it('the provider has a credential for each key, and keeps the position of an empty one', async () => {
    expect(
      (await create({ apiKey: 'a', apiKeys: ['b', '', 'd'] })).credentials.map(({ id, unavailable }) => [
        id,
        unavailable === undefined,
      ]),
    ).to.deep.equal([
      ['key-1', true],
      ['key-2', true],
      ['key-3', false],
      ['key-4', true],
    ]);
  });

  it('sends the model and the stream flag in the path', async () => {
    const pathOf = async (model: string, stream: boolean) => (await call({ apiKey: 'k' }, { model, stream })).path;
    expect(await pathOf('gemini-2.5-flash', false)).to.equal('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(await pathOf('gemini-2.5-flash', true)).to.equal(
      '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    );
    expect(await pathOf('models/gemini-2.5-flash', false)).to.equal('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(await pathOf('tunedModels/mine', false)).to.equal('/v1beta/tunedModels/mine:generateContent');
    expect(await pathOf('odd name?x#y', false)).to.equal('/v1beta/models/odd%20name%3Fx%23y:generateContent');
  });

  it('sends the key of the credential, whatever headers the call has', async () => {
    const { origin, headers } = await call(
      { apiKey: 'one', apiKeys: ['two'] },
      { credential: 'key-2', headers: { 'x-goog-api-key': "the client's", traceparent: 't' } },
    );
    expect(origin).to.equal('https://generativelanguage.googleapis.com');
    expect(headers).to.deep.equal({ 'content-type': 'application/json', 'x-goog-api-key': 'two', traceparent: 't' });
  });

  it('the call fails with upstream_credential when the provider does not have the credential', async () => {
    const thrown = await call({ apiKey: 'one' }, { credential: 'key-2' }).catch((error: unknown) => error);
    expect(thrown).to.include({ code: 'upstream_credential', message: "The provider has no credential 'key-2'." });
  });

  it('the google provider accepts any base URL', async () => {
    const target = async (baseUrl: string) => {
      const { origin, path } = await call({ apiKey: 'k', baseUrl });
      return origin + path;
    };
    expect(await target('http://127.0.0.1:8000')).to.equal(
      'http://127.0.0.1:8000/v1beta/models/gemini-2.5-flash:generateContent',
    );
    expect(await target('https://proxy.example/google/')).to.equal(
      'https://proxy.example/google/v1beta/models/gemini-2.5-flash:generateContent',
    );
  });

  it('the google provider passes the bytes unchanged', async () => {
    const body = Buffer.from('{"a":1e400}');
    const { body: sent } = await (
      await speechOf()
    ).buildRequest({
      model: 'm',
      stream: true,
      body,
      headers: {},
      credential: 'key-1',
      signal: new AbortController().signal,
    });
    expect(sent).to.equal(body);
  });
});

describe('failures of the google provider', () => {
  const classOf = async (status: number, error: unknown) =>
    (await speechOf()).classify?.({ status, headers: {}, body: { error } });
  const because = (reason: string) => ({
    code: 400,
    message: 'm',
    status: 'INVALID_ARGUMENT',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }],
  });

  it('failures are classified by their reason: a bad key is a 400', async () => {
    expect(await classOf(400, because('API_KEY_INVALID'))).to.equal('credential');
    expect(await classOf(403, because('SERVICE_DISABLED'))).to.equal('credential');
    expect(await classOf(403, because('BILLING_DISABLED'))).to.equal('quota');
    expect(await classOf(400, because('constructor'))).to.equal(undefined);
  });

  it('failures are not classified by the reason of a service that only a tool needs', async () => {
    const blocked = (service: string) => ({
      code: 403,
      details: [{ reason: 'SERVICE_DISABLED', metadata: { service } }],
    });
    expect(await classOf(403, blocked('generativelanguage.googleapis.com'))).to.equal('credential');
    expect(await classOf(403, blocked('discoveryengine.googleapis.com'))).to.equal(undefined);
  });

  it('failures are not classified by a sentence inside other text, or one that is in the request', async () => {
    const { classify } = await speechOf();
    const sentence = 'API key expired. Please renew the API key.';
    const classOf = (message: string, request = '{}') =>
      classify?.({
        status: 400,
        headers: {},
        body: { error: { message } },
        refused: { model: 'm', body: Buffer.from(request) },
      });
    expect(classOf(sentence)).to.equal('credential');
    for (const message of [
      `"${sentence}"`,
      `Unknown name "${sentence}": Cannot find field.`,
      `${sentence} `,
      sentence.slice(0, -1),
      'pass a valid API key',
    ])
      expect(classOf(message), message).to.equal(undefined);
    expect(classOf(sentence, JSON.stringify({ [sentence.toUpperCase()]: 1 }))).to.equal(undefined);
  });

  it('failures without a reason are classified by their sentence', async () => {
    expect(await classOf(400, { message: 'API key not valid. Please pass a valid API key.' })).to.equal('credential');
    expect(
      await classOf(403, { message: 'Your API key was reported as leaked. Please use another API key.' }),
    ).to.equal('credential');
    expect(await classOf(400, { message: 'User location is not supported for the API use.' })).to.equal('region');
  });

  it('failures are otherwise classified by the wire', async () => {
    expect(await classOf(400, { message: 'Invalid value at contents' })).to.equal(undefined);
    expect(await classOf(429, { message: 'pass a valid API key' })).to.equal(undefined);
    const { classify } = await speechOf();
    for (const body of [undefined, null, '<html>', [], [null], { error: 'x' }, { error: { details: [null, 1] } }])
      expect(classify?.({ status: 400, headers: {}, body })).to.equal(undefined);
    expect(classify?.({ status: 400, headers: {}, body: [{ error: because('API_KEY_INVALID') }] })).to.equal(
      'credential',
    );
  });
});

describe('the configuration of the google provider', () => {
  const validate = new Ajv({ strict: true, allowUnionTypes: true, useDefaults: true }).compile(googleSchema);
  it('the configuration has defaults and rejects unknown members', () => {
    const config: JsonObject = {};
    expect(validate(config)).to.equal(true);
    expect(config).to.deep.equal({ apiKey: '', apiKeys: [], baseUrl: 'https://generativelanguage.googleapis.com' });
    expect(validate({ apikey: 'x' })).to.equal(false);
    expect(validate({ baseUrl: 'generativelanguage.googleapis.com' })).to.equal(false);
    expect(validate({ apiKeys: 'x' })).to.equal(false);
  });

  it('the configuration schema describes every property', () => {
    for (const [name, property] of Object.entries(googleSchema['properties'] as Record<string, JsonObject>))
      expect(property['description'], name).to.be.a('string').and.not.equal('');
  });
});
