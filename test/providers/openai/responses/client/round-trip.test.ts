import { expect } from 'chai';
import type { Part } from '../../../../../core/api/index.ts';
import type { Proof } from '../../../../../core/api/codec.ts';
import { answerOf, decode, decodeItems, eventsOf, itemsOf, respond, writeFrames, type WrittenItem } from './harness.ts';

const sealed: Proof = { origin: { provider: 'anthropic', family: 'claude' }, value: 'SIG\nwith a second line' };
const plain: Proof = { origin: undefined, value: 'gAAAAblob' };
const google: Proof = { origin: { provider: 'google', family: 'gemini' }, value: 'c2ln' };
const proving = decode({ include: ['reasoning.encrypted_content'] });

/** What the client sends back: the items of the response, after the question. */
const replay = (items: readonly WrittenItem[]): readonly Part[] | undefined => {
  const { turns } = decodeItems({ role: 'user', content: 'hi' }, ...items);
  expect(turns.slice(1).map(({ role }) => role)).to.deep.equal(['assistant']);
  return turns[1]?.parts;
};
const bothWays = (parts: readonly Part[], request = proving): readonly (readonly Part[] | undefined)[] => {
  const response = answerOf(parts);
  const frames = writeFrames(eventsOf(response), request);
  // Agents read items only from `output_item.done`.
  const done = frames
    .filter(({ event }) => event === 'response.output_item.done')
    .map(({ data }) => data['item'] as WrittenItem);
  return [replay(itemsOf(respond(response, request).body)), replay(done)];
};

describe('responses: a response sent back as input', () => {
  const turns: Readonly<Record<string, readonly Part[]>> = {
    'reasoning with a sealed proof, text and calls': [
      { type: 'reasoning', text: 'Let me check.', proof: sealed },
      { type: 'text', text: 'Checking.' },
      { type: 'tool-call', id: 'call_1', name: 'get_weather', kind: 'function', input: '{"city":"Paris"}' },
      { type: 'tool-call', id: 'call_2', name: 'patch', kind: 'custom', input: '*** Begin' },
    ],
    'reasoning with the proof of its vendor': [
      { type: 'reasoning', text: '', proof: plain },
      { type: 'text', text: 'a' },
    ],
    'reasoning whose proof reads like ours but is not': [
      { type: 'reasoning', text: 'hm', proof: { origin: undefined, value: 'call:c\nX' } },
      { type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '{}' },
    ],
    'redacted reasoning': [
      { type: 'reasoning', text: '', redacted: true, proof: { ...sealed, redacted: true } },
      { type: 'text', text: 'a' },
    ],
    'several stretches of reasoning between texts': [
      { type: 'reasoning', text: 'one', proof: sealed },
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: 'two', proof: sealed },
      { type: 'text', text: 'b' },
      { type: 'refusal', text: 'No.' },
    ],
    'signed calls': [
      { type: 'reasoning', text: 'hm' },
      { type: 'tool-call', id: 'call_1', name: 'f', kind: 'function', input: '{}', proof: google },
      { type: 'tool-call', id: 'call_2', name: 'f', kind: 'function', input: '{}' },
    ],
    'signed texts': [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', proof: google },
      { type: 'tool-call', id: 'call_1', name: 'f', kind: 'function', input: '{}', proof: google },
      { type: 'text', text: 'c', proof: google },
    ],
    'a cited text': [
      {
        type: 'text',
        text: 'abc',
        citations: [
          {
            url: 'https://a.b',
            title: 'T',
            start: 0,
            end: 3,
            vendor: {
              wire: 'responses',
              value: { type: 'url_citation', url: 'https://a.b', title: 'T', start_index: 0, end_index: 3 },
            },
          },
        ],
      },
    ],
    'an item of the vendor': [
      { type: 'opaque', wire: 'responses', value: { type: 'web_search_call', id: 'ws_1', status: 'completed' } },
      { type: 'text', text: 'a' },
    ],
  };
  for (const [name, parts] of Object.entries(turns)) {
    it(`a response sent back as input decodes to the same turn: ${name}`, () => {
      for (const again of bothWays(parts)) expect(again).to.deep.equal(parts);
    });
  }

  it('a response decodes to the same turn without proofs for a client that did not request them', () => {
    const parts: readonly Part[] = [
      { type: 'reasoning', text: 'hm', proof: sealed },
      { type: 'text', text: 'a', proof: google },
      { type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '{}', proof: google },
    ];
    const bare = [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'a' },
      { type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '{}' },
    ];
    for (const again of bothWays(parts, decode())) expect(again).to.deep.equal(bare);
  });

  it('a response sent back as input loses only the proof of a call that the client left out', () => {
    const [call, proof] = itemsOf(
      respond(
        answerOf([{ type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '{}', proof: google }]),
        proving,
      ).body,
    );
    expect(call).to.include({ call_id: 'c' });
    expect(
      decodeItems({ role: 'user', content: 'hi' }, proof, { role: 'assistant', content: 'a' }).turns.slice(1),
    ).to.deep.equal([{ role: 'assistant', parts: [{ type: 'text', text: 'a' }] }]);
  });
});
