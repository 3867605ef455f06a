import { expect } from 'chai';
import type { ModelEntry } from '../../../../core/api/codec.ts';
import { modelList } from '../../../../providers/google/generate-content/models.ts';

const entry = (id: string, members: Partial<ModelEntry> = {}): ModelEntry => ({
  id,
  provider: 'p',
  wires: ['chat-completions', 'generate-content'],
  capabilities: {},
  created: 0,
  ...members,
});
const recognises = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string>> = {},
) => modelList.recognises?.({ path, headers, query });
const three = ['a', 'b', 'c'].map((id) => entry(id));
const names = (query: Readonly<Record<string, string>>) => {
  const { models, nextPageToken } = modelList.list(three, query) as {
    readonly models: readonly { readonly name: string }[];
    readonly nextPageToken?: string;
  };
  return [models.map(({ name }) => name.slice('models/'.length)).join(''), nextPageToken];
};

describe('generate-content: the models list', () => {
  it('E40 recognises clients of this wire by path, header or query', () => {
    expect(recognises('/v1beta/models')).to.equal(true);
    for (const name of ['x-goog-api-key', 'x-goog-api-client', 'x-alt-api-key'])
      expect(recognises('/v1/models', { [name]: 'k' }), name).to.equal(true);
    for (const name of ['key', 'pageToken']) expect(recognises('/v1/models', {}, { [name]: 'k' }), name).to.equal(true);
    expect(
      recognises('/v1/models', { authorization: 'Bearer k', 'anthropic-version': '2023-06-01' }, { limit: '3' }),
    ).to.equal(false);
  });

  it('writes the known capabilities of a model and its methods', () => {
    expect(
      modelList.one(
        entry('a/b', {
          wires: ['generate-content', 'embed-content'],
          capabilities: { contextTokens: 10, maxOutput: 5, thinking: 'budget' },
        }),
      ),
    ).to.deep.equal({
      name: 'models/a/b',
      displayName: 'a/b',
      inputTokenLimit: 10,
      outputTokenLimit: 5,
      supportedGenerationMethods: [
        'generateContent',
        'streamGenerateContent',
        'countTokens',
        'embedContent',
        'batchEmbedContents',
      ],
      thinking: true,
    });
    expect(modelList.one(entry('a', { capabilities: { thinking: 'none' } }))).to.deep.include({ thinking: false });
    expect(modelList.one(entry('a', { wires: ['responses'] }))).to.deep.equal({
      name: 'models/a',
      displayName: 'a',
      supportedGenerationMethods: [],
    });
  });

  it('returns the whole list, or pages that skip no model', () => {
    expect(names({})).to.deep.equal(['abc', undefined]);
    expect(names({ pageSize: '2' })).to.deep.equal(['ab', 'b']);
    expect(names({ pageSize: '2', pageToken: 'b' })).to.deep.equal(['c', undefined]);
    expect(names({ pageSize: '3' })).to.deep.equal(['abc', undefined]);
    for (const pageSize of ['0', '-1', 'x']) expect(names({ pageSize })).to.deep.equal(['abc', undefined]);
    expect(names({ pageToken: 'gone' })).to.deep.equal(['abc', undefined]);
  });
});
