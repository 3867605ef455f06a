import Ajv from 'ajv';
import { expect } from 'chai';
import type { Services, UpstreamCall } from '../../../core/api/index.ts';
import anthropic from '../../../providers/anthropic/index.ts';

const services = {} as Services;
const create = async (options: Parameters<typeof anthropic.create>[0]) => anthropic.create(options, services);

const call: UpstreamCall = {
  model: 'claude-sonnet-4-5',
  stream: false,
  body: Buffer.from('{}'),
  headers: {},
  credential: 'key-1',
  signal: new AbortController().signal,
};
const addressOf = async (options: Parameters<typeof anthropic.create>[0], members: Partial<UpstreamCall> = {}) => {
  const [speech] = (await create(options)).endpoint('claude-sonnet-4-5').wires;
  return speech?.buildRequest({ ...call, ...members });
};

describe('the anthropic provider', () => {
  it('the provider has one unavailable credential without a key, and explains how to set it', async () => {
    for (const options of [{}, { apiKey: '' }, { apiKeys: [''] }]) {
      const { credentials } = await create(options);
      expect(credentials).to.have.length(1);
      expect(credentials[0]?.unavailable).to.contain('config.apiKey').and.to.contain('gateway.yaml');
    }
  });

  it('numbers several keys, and sends the selected one', async () => {
    const options = { apiKey: 'a', apiKeys: ['b', 'c'] };
    expect((await create(options)).credentials.map(({ id }) => id)).to.deep.equal(['key-1', 'key-2', 'key-3']);
    expect((await addressOf(options, { credential: 'key-3' }))?.headers['x-api-key']).to.equal('c');
  });

  it('keeps the number of an anthropic key when an earlier one is empty', async () => {
    const options = { apiKey: 'a', apiKeys: ['', 'c'] };
    const { credentials } = await create(options);
    expect(credentials.map(({ unavailable }) => unavailable === undefined)).to.deep.equal([true, false, true]);
    expect((await addressOf(options, { credential: 'key-3' }))?.headers['x-api-key']).to.equal('c');
  });

  it('the call fails with upstream_credential when the provider does not have the credential', async () => {
    const thrown = await addressOf({ apiKey: 'a' }, { credential: 'key-2' }).catch((error: unknown) => error);
    expect(thrown).to.include({ code: 'upstream_credential', message: "The provider has no credential 'key-2'." });
  });

  it('sends to /v1/messages at the vendor, or below another base URL', async () => {
    expect(await addressOf({ apiKey: 'a' })).to.deep.include({
      origin: 'https://api.anthropic.com',
      path: '/v1/messages',
    });
    expect(await addressOf({ apiKey: 'a', baseUrl: 'http://127.0.0.1:9000/claude/' })).to.deep.include({
      origin: 'http://127.0.0.1:9000',
      path: '/claude/v1/messages',
    });
  });

  it('sends the version and betas of the codec or the client, and the current version otherwise', async () => {
    const headers = (
      await addressOf({ apiKey: 'a' }, { headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'x' } })
    )?.headers;
    expect(headers).to.deep.equal({
      'x-api-key': 'a',
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'x',
    });
    expect((await addressOf({ apiKey: 'a' }))?.headers['anthropic-version']).to.equal('2026-10-21');
  });

  it('serves messages and token counts, and stamps proofs as those of Claude', async () => {
    const endpoint = (await create({ apiKey: 'a' })).endpoint('claude-sonnet-4-5');
    expect(endpoint.wires.map(({ operation, wire }) => [operation, wire])).to.deep.equal([
      ['generate', 'messages'],
      ['count-tokens', 'messages'],
    ]);
    expect(endpoint.origin).to.deep.equal({ provider: 'anthropic', family: 'claude' });
  });

  it('the provider has a schema that describes every property and rejects unknown ones', () => {
    const validate = new Ajv.default({ strict: true, allowUnionTypes: true }).compile(anthropic.schema);
    expect(validate({ apiKey: 'a', apiKeys: ['b'], baseUrl: 'https://x' })).to.equal(true);
    expect(validate({ apikey: 'a' })).to.equal(false);
    expect(validate({ baseUrl: 'api.anthropic.com' })).to.equal(false);
    const properties = anthropic.schema['properties'] as Record<string, { description?: string; default?: unknown }>;
    for (const property of Object.values(properties)) expect(property).to.include.keys('description', 'default');
  });
});
