import { expect } from 'chai';
import type { Headers, JsonObject } from '../../../../core/api/index.ts';
import type { ModelEntry } from '../../../../core/api/codec.ts';
import { clientSide } from './exchange.ts';

const { models } = clientSide;
const entry = (id: string): ModelEntry => ({
  id,
  provider: 'anthropic',
  wires: ['messages'],
  capabilities: { maxOutput: 64_000, contextTokens: 200_000 },
  created: 1_700_000_000,
});
const recognises = (headers: Headers, query: Readonly<Record<string, string>> = {}, path = '/v1/models') =>
  models?.recognises?.({ path, headers, query });
const list = (query: Readonly<Record<string, string>> = {}) =>
  models?.list(['a', 'b', 'c', 'd'].map(entry), query) as JsonObject & { data: readonly { id: string }[] };
const idsOf = (query: Readonly<Record<string, string>>) => list(query).data.map(({ id }) => id);

describe('messages client: the models list', () => {
  it('recognises its clients by their headers or their query (E40)', () => {
    expect(recognises({ 'anthropic-version': '2023-06-01', authorization: 'Bearer k' })).to.equal(true);
    expect(recognises({ 'compat-version': '2023-06-01' })).to.equal(true);
    expect(recognises({ 'x-api-key': 'k' })).to.equal(true);
    expect(recognises({ authorization: 'Bearer k' }, { after_id: 'a' })).to.equal(true);
    expect(recognises({ 'x-api-key': 'k', authorization: 'Bearer k' })).to.equal(false);
    expect(recognises({ authorization: 'Bearer k' })).to.equal(false);
    expect(recognises({ 'anthropic-version': '2023-06-01' }, {}, '/v1beta/models')).to.equal(false);
  });

  it('writes entries that clients of both lists can read', () => {
    expect(models?.one(entry('anthropic/claude'))).to.deep.equal({
      id: 'anthropic/claude',
      type: 'model',
      display_name: 'anthropic/claude',
      created_at: '2023-11-14T22:13:20.000Z',
      max_input_tokens: 200_000,
      max_tokens: 64_000,
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'anthropic',
    });
  });

  it('returns all models on one page, and pages if the client sets a limit', () => {
    expect(list()).to.deep.include({ object: 'list', has_more: false, first_id: 'a', last_id: 'd' });
    expect(list({ limit: '2' })).to.deep.include({ has_more: true, first_id: 'a', last_id: 'b' });
    expect(idsOf({ after_id: 'b' })).to.deep.equal(['c', 'd']);
    expect(idsOf({ before_id: 'd', limit: '2' })).to.deep.equal(['b', 'c']);
    expect(idsOf({ limit: 'x' })).to.have.length(4);
    expect(models?.list([], {})).to.deep.include({ data: [], has_more: false, first_id: null, last_id: null });
  });
});
