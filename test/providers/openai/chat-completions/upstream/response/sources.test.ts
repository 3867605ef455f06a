import { expect } from 'chai';
import type { JsonObject } from '../../../../../../core/api/index.ts';
import { chunk, foldChunks, readResponse } from '../../harness.ts';

const results = [
  { title: 'Oslo', url: 'https://one.example/oslo', date: '2026-01-02', snippet: 'A city.' },
  { url: 'https://two.example/' },
];
const citations = results.map(({ url }) => url);

const citation = (url: string, title?: string) => ({
  url,
  ...(title === undefined ? {} : { title }),
  vendor: {
    wire: 'chat-completions',
    value: { type: 'url_citation', url_citation: { url, title: title ?? url } },
  },
});
const titled = [citation('https://one.example/oslo', 'Oslo'), citation('https://two.example/')];
const untitled = citations.map((url) => citation(url));

const answer = (members: JsonObject, message: JsonObject = { content: 'Oslo.[1]' }) =>
  readResponse({ choices: [{ index: 0, message, finish_reason: 'stop' }], ...members });
const plain = (members: JsonObject, message?: JsonObject) => answer(members, message).choices[0]?.parts;
const streamed = (...chunks: readonly JsonObject[]) => foldChunks(...chunks, '[DONE]').choices[0]?.parts;

describe('chat-completions: the sources of a search', () => {
  it('cites the search results of a plain response, else the addresses it lists', () => {
    expect(plain({ search_results: results, citations })).to.deep.equal([
      { type: 'text', text: 'Oslo.[1]', citations: titled },
    ]);
    expect(plain({ citations })).to.deep.equal([{ type: 'text', text: 'Oslo.[1]', citations: untitled }]);
    expect(plain({ search_results: [], citations: [] })).to.deep.equal([{ type: 'text', text: 'Oslo.[1]' }]);
  });

  it('cites the sources that the last chunk of a stream repeats', () => {
    expect(
      streamed(
        { ...chunk({ content: 'Oslo.' }), citations: citations.slice(0, 1) },
        { ...chunk({ content: '[1]' }), citations },
        { ...chunk({ content: '' }, 'stop'), citations, search_results: results },
      ),
    ).to.deep.equal([{ type: 'text', text: 'Oslo.[1]', citations: titled }]);
  });

  it('leaves a text that cites by itself, and a response without text', () => {
    const own = { type: 'url_citation', url_citation: { url: 'https://own.example/', title: 'Own' } };
    const cited = [
      {
        type: 'text',
        text: 'x',
        citations: [{ url: 'https://own.example/', title: 'Own', vendor: { wire: 'chat-completions', value: own } }],
      },
    ];
    expect(plain({ citations }, { content: 'x', annotations: [own] })).to.deep.equal(cited);
    expect(streamed({ ...chunk({ content: 'x', annotations: [own] }), citations }, chunk({}, 'stop'))).to.deep.equal(
      cited,
    );
    const call = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const called = [{ type: 'tool-call', kind: 'function', id: 'a', name: 'f', input: '{}' }];
    expect(plain({ citations }, { tool_calls: [call] })).to.deep.equal(called);
    expect(streamed({ ...chunk({ tool_calls: [call] }, 'tool_calls'), citations })).to.deep.equal(called);
  });

  it('keeps the lists for clients of this wire, and does not report them as lost to others', () => {
    const { extra } = answer({ search_results: results, citations });
    expect(extra).to.deep.equal({
      wire: 'chat-completions',
      members: { search_results: results, citations },
      honoured: ['search_results', 'citations'],
    });
  });
});
