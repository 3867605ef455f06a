import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { GatewayError, type EndpointWire, type JsonObject, type UpstreamRequest } from '../../../../core/api/index.ts';
import type { Loss } from '../../../../core/api/codec.ts';
import { createTestServices } from '../../../../core/testing/index.ts';
import anthropic from '../../../../providers/anthropic/index.ts';
import { createVertex } from '../../../../providers/google/vertex/index.ts';
import type { VertexOptions } from '../../../../providers/google/vertex/schema.ts';

const vertex = createVertex(anthropic);
const key: VertexOptions = { apiKey: 'AIza-made-up', project: 'p' };
const CLAUDE = 'claude-sonnet-4-5@20250929';
const GEMINI = 'gemini-2.5-flash';

const wireOf = async (
  options: VertexOptions,
  model: string,
  operation: EndpointWire['operation'] = 'generate',
): Promise<EndpointWire> => {
  const provider = await vertex.create(options, createTestServices());
  const wire = provider.endpoint(model).wires.find((each) => each.operation === operation);
  if (wire === undefined) throw new Error(`does not ${operation}`);
  return wire;
};
const call = async (
  options: VertexOptions,
  model: string,
  { stream = false, operation = 'generate' as EndpointWire['operation'], headers = {} } = {},
): Promise<UpstreamRequest> =>
  await (
    await wireOf(options, model, operation)
  ).buildRequest({
    model,
    stream,
    body: Buffer.from('{}'),
    headers,
    credential: 'key-1',
    signal: new AbortController().signal,
  });
const urlOf = async (...args: Parameters<typeof call>): Promise<string> => {
  const { origin, path } = await call(...args);
  return origin + path;
};
const edit = async (model: string, body: JsonObject, operation: EndpointWire['operation'] = 'generate') => {
  const losses: Loss[] = [];
  const lose = (field: string, kind: Loss['kind'], detail: string): void => void losses.push({ field, kind, detail });
  const { edits } = await wireOf(key, model, operation);
  const made = edits?.(body, { stream: false, headers: {}, lose }) ?? [];
  const edited = { ...body, ...Object.fromEntries(made.map(({ member, value }) => [member, value])) };
  return { body: JSON.parse(JSON.stringify(edited)) as JsonObject, losses };
};

describe('the vertex provider', () => {
  it('calls the host of the location', async () => {
    const hosts = async (location: string) => (await call({ ...key, location }, GEMINI)).origin;
    expect(await hosts('global')).to.equal('https://aiplatform.googleapis.com');
    expect(await hosts('us-east5')).to.equal('https://us-east5-aiplatform.googleapis.com');
    expect(await hosts('europe-west4')).to.equal('https://europe-west4-aiplatform.googleapis.com');
    expect(await hosts('us')).to.equal('https://aiplatform.us.rep.googleapis.com');
    expect(await hosts('eu')).to.equal('https://aiplatform.eu.rep.googleapis.com');
    expect((await call(key, GEMINI)).origin, 'default').to.equal('https://aiplatform.googleapis.com');
    const own = await call({ ...key, location: 'us', baseUrl: 'http://127.0.0.1:1/psc/' }, GEMINI);
    expect(own.origin + own.path).to.match(/^http:\/\/127\.0\.0\.1:1\/psc\/v1beta1\/projects\/p\/locations\/us\//);
  });

  it('names project, location, publisher and model in the path', async () => {
    const base = 'https://us-east5-aiplatform.googleapis.com';
    const options = { ...key, location: 'us-east5' };
    expect(await urlOf(options, GEMINI)).to.equal(
      `${base}/v1beta1/projects/p/locations/us-east5/publishers/google/models/gemini-2.5-flash:generateContent`,
    );
    expect(await urlOf(options, GEMINI, { stream: true })).to.match(/flash:streamGenerateContent\?alt=sse$/);
    expect(await urlOf(options, GEMINI, { operation: 'count-tokens' })).to.match(/flash:countTokens$/);
    expect(await urlOf(options, CLAUDE)).to.equal(
      `${base}/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`,
    );
    expect(await urlOf(options, CLAUDE, { stream: true })).to.match(/20250929:streamRawPredict$/);
    expect(await urlOf(options, CLAUDE, { operation: 'count-tokens' })).to.match(
      /publishers\/anthropic\/models\/count-tokens:rawPredict$/,
    );
    expect(await urlOf(options, 'endpoints/123')).to.match(/us-east5\/endpoints\/123:generateContent$/);
    expect(await urlOf(options, 'odd name?x#y')).to.match(/models\/odd%20name%3Fx%23y:generateContent$/);
  });

  it('calls the method for embeddings that the model has', async () => {
    expect(await urlOf(key, 'gemini-embedding-001', { operation: 'embed' })).to.match(/001:predict$/);
    expect(await urlOf(key, 'text-embedding-005', { operation: 'embed' })).to.match(/005:predict$/);
    expect(await urlOf(key, 'gemini-embedding-2', { operation: 'embed' })).to.match(/2:embedContent$/);
  });

  it('an API key without a project is express mode, which has only models of Google', async () => {
    const { origin, path, headers } = await call({ apiKey: 'AIza-made-up', location: 'us-east5' }, GEMINI);
    expect(origin + path).to.equal(
      'https://aiplatform.googleapis.com/v1beta1/publishers/google/models/gemini-2.5-flash:generateContent',
    );
    expect(headers).to.deep.equal({ 'content-type': 'application/json', 'x-goog-api-key': 'AIza-made-up' });
    const refused = await call({ apiKey: 'AIza-made-up' }, CLAUDE).catch((thrown: unknown) => thrown);
    expect(GatewayError.is(refused) && refused.code).to.equal('upstream_credential');
  });

  const interactionsOf = async (options: VertexOptions, model: string) => {
    const { endpoint, stored } = await vertex.create(options, createTestServices());
    const generate = endpoint(model).wires.filter(({ operation }) => operation === 'generate');
    return {
      wires: generate.map(({ wire }) => wire),
      wire: generate.find(({ wire }) => wire === 'interactions'),
      stored,
    };
  };

  it('has interactions below the project, with the model in the body', async () => {
    const { wires, wire, stored } = await interactionsOf({ ...key, location: 'us-east5' }, GEMINI);
    expect(wires).to.deep.equal(['generate-content', 'interactions']);
    const { signal } = new AbortController();
    const body = Buffer.from('{"model":"gemini-2.5-flash"}');
    for (const stream of [false, true]) {
      const called = await wire?.buildRequest({
        model: GEMINI,
        stream,
        body,
        headers: {},
        credential: 'key-1',
        signal,
      });
      expect(`${called?.origin}${called?.path}`).to.equal(
        'https://us-east5-aiplatform.googleapis.com/v1beta1/projects/p/locations/us-east5/interactions',
      );
      expect(called?.body).to.equal(body);
    }
    const [calls] = stored ?? [];
    const read = await calls?.buildRequest({ method: 'GET', path: '/v1_a', query: '', credential: 'key-1', signal });
    expect(read?.path).to.equal('/v1beta1/projects/p/locations/us-east5/interactions/v1_a');
    const named = await interactionsOf(key, `publishers/google/models/${GEMINI}`);
    const context = { stream: false, headers: {}, lose: () => {} };
    expect(named.wire?.edits?.({ model: `publishers/google/models/${GEMINI}` }, context)).to.deep.equal([
      { member: 'model', value: GEMINI },
    ]);
    expect(wire?.edits?.({ model: GEMINI }, context)).to.deep.equal([]);
  });

  it('has no interactions in express mode, at endpoints of the project, and before Gemini 2.5', async () => {
    const express = await interactionsOf({ apiKey: 'AIza-made-up' }, GEMINI);
    expect([express.wires, express.stored]).to.deep.equal([['generate-content'], undefined]);
    for (const model of ['endpoints/123', 'gemini-2.0-flash-001'])
      expect((await interactionsOf(key, model)).wires, model).to.deep.equal(['generate-content']);
  });

  it('has only interactions for models that have no other API', async () => {
    for (const model of ['gemini-omni-flash-preview', 'publishers/google/models/gemini-omni-1.2-flash'])
      expect((await interactionsOf(key, model)).wires, model).to.deep.equal(['interactions']);
  });

  it('is unavailable without a project and without a key, and says what to do', async () => {
    const { credentials } = await vertex.create({}, createTestServices());
    expect(credentials).to.have.length(1);
    expect(credentials[0]?.unavailable).to.contain('config.project').and.to.contain('config.apiKey');
  });

  it('refuses two kinds of credentials at once, and credentials that are not JSON', () => {
    const check = (options: VertexOptions) =>
      vertex.check?.(options, { models: [] }).map(({ path, message }) => `${path.join('.')}: ${message}`);
    expect(check({ credentials: '{"type":', project: 'p' })?.join()).to.match(/^credentials: .*parsed/);
    expect(check({ credentials: 'file.json', apiKey: 'k' })?.join()).to.match(/^credentials: Set either/);
    expect(check({ credentials: 'file.json' })).to.deep.equal([]);
    expect(JSON.stringify(check({ credentials: '{"private_key":"secret"' }))).not.to.contain('secret');
  });

  it('sends the version of Claude in the body, and neither the model nor the header', async () => {
    const { headers } = await call(key, CLAUDE, {
      headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'context-1m-2025-08-07' },
    });
    expect(headers).to.deep.equal({
      'anthropic-beta': 'context-1m-2025-08-07',
      'content-type': 'application/json',
      'x-goog-api-key': 'AIza-made-up',
    });
    expect((await edit(CLAUDE, { model: 'x', max_tokens: 5, stream: true })).body).to.deep.equal({
      max_tokens: 5,
      stream: true,
      anthropic_version: 'vertex-2023-10-16',
    });
    expect((await edit(CLAUDE, { model: CLAUDE, messages: [] }, 'count-tokens')).body).to.deep.equal({
      model: CLAUDE,
      messages: [],
      anthropic_version: 'vertex-2023-10-16',
    });
  });

  it('adds the role that Vertex AI requires, and removes the model from the body', async () => {
    const parts = [{ text: 'Hello' }];
    const contents = [{ parts }, { role: 'model', parts }];
    expect((await edit(GEMINI, { model: 'models/x', contents })).body).to.deep.equal({
      contents: [
        { role: 'user', parts },
        { role: 'model', parts },
      ],
    });
    const { edits } = await wireOf(key, GEMINI);
    const context = { stream: false, headers: {}, lose: () => {} };
    expect(edits?.({ contents: [{ role: 'user', parts }] }, context)).to.deep.equal([]);
  });

  it('keeps the penalties of Gemini 2.5, and edits what all servers of Google require', async () => {
    const body = { contents: [{ role: 'user', parts: [] }], generationConfig: { presencePenalty: 1 } };
    expect(await edit(GEMINI, body)).to.deep.equal({ body, losses: [] });
    const unsigned = { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] };
    const { losses } = await edit('gemini-3-flash-preview', { contents: [unsigned] });
    expect(losses.map(({ field }) => field)).to.deep.equal(['contents.thoughtSignature']);
  });

  it('counts the nested request at the top level, without members that cannot be counted', async () => {
    const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
    const nested = {
      model: 'models/x',
      contents,
      systemInstruction: { parts: [] },
      toolConfig: {},
      safetySettings: [],
    };
    expect((await edit(GEMINI, { generateContentRequest: nested }, 'count-tokens')).body).to.deep.equal({
      contents,
      systemInstruction: { parts: [] },
    });
    expect((await edit(GEMINI, { contents }, 'count-tokens')).body).to.deep.equal({ contents });
  });

  it('has capabilities and prices of Gemini and Claude under the names of Vertex AI', () => {
    const names = (vertex.prices ?? []).flatMap(({ models }) => models);
    expect(names).to.include.members([
      'gemini-2.5-flash',
      'claude-sonnet-4-5',
      'claude-sonnet-4-5@20250929',
      'claude-haiku-4-5@20251001',
      'claude-opus-4-6',
    ]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
    expect(names.filter((name) => /-\d{8}$/.test(name))).to.deep.equal([]);
    const claude = (vertex.models ?? []).filter(({ prefix }) => prefix.startsWith('claude-'));
    expect(claude.length).to.be.above(10);
    expect(claude.every(({ capabilities }) => capabilities.mediaUrls === false)).to.equal(true);
  });

  it('loads the library of Google only when it is configured', () => {
    const folder = new URL('../../../../providers/', import.meta.url);
    const own = ['index.ts', 'logins.ts', 'address.ts'].map((file) => `google/vertex/${file}`);
    for (const file of [...own, 'identity/google/login.ts'])
      expect(readFileSync(new URL(file, folder), 'utf8'), file).not.to.match(/^import (?!type).*google-auth-library/m);
  });
});
